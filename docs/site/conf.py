"""How the documents look as a site; ``build.py`` beside it lays them together and calls Sphinx."""

project = "Loomtable"
author = "The Loomtable authors"
copyright = "The Loomtable authors; text and pictures CC BY 4.0"  # noqa: A001 - Sphinx's name
html_title = "Loomtable"
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
autodoc_typehints_format = "short"
autodoc_member_order = "bysource"
autodoc_preserve_defaults = True
python_maximum_signature_line_length = 72
html_theme = "furo"
html_show_sphinx = False
html_copy_source = False
html_static_path = ["look"]
html_css_files = ["type.css", "site.css"]
# Furo's switch goes round: as the system, light, dark. The colours are those of the table's page.
_LIGHT = {
    "color-brand-primary": "#1f5673",
    "color-brand-content": "#1f5673",
    "color-background-primary": "#fffaf0",
    "color-background-secondary": "#f4ecdb",
    "color-background-hover": "#f0e6d2",
    "color-background-border": "#dccfb4",
    "color-foreground-primary": "#221f2e",
    "color-foreground-secondary": "#5a5364",
    "color-foreground-muted": "#6b6375",
    "color-foreground-border": "#857762",
    "color-inline-code-background": "#f0e6d2",
    "color-code-background": "#f7efdf",
}
_DARK = {
    "color-brand-primary": "#9ccbd2",
    "color-brand-content": "#9ccbd2",
    "color-background-primary": "#17151f",
    "color-background-secondary": "#1c1a26",
    "color-background-hover": "#221f2e",
    "color-background-border": "#3d384d",
    "color-foreground-primary": "#f6eedd",
    "color-foreground-secondary": "#bdb4c6",
    "color-foreground-muted": "#a59cb0",
    "color-foreground-border": "#948ba4",
    "color-inline-code-background": "#2a2638",
    "color-code-background": "#221f2e",
}
_TYPE = {
    "font-stack": "Spectral, Georgia, 'Times New Roman', serif",
    "font-stack--headings": "Marcellus, Georgia, serif",
}
html_theme_options = {"light_css_variables": _LIGHT | _TYPE, "dark_css_variables": _DARK}
myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 3
highlight_language = "none"
# No highlighter knows CSV.
suppress_warnings = ["misc.highlighting_failure"]
