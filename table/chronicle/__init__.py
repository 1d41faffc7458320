"""The chronicle: an evening as something to keep, told from its journal, as a page and as a PDF file."""
