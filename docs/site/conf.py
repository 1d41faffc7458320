"""How the documents look as a site; ``build.py`` beside it lays them together and calls Sphinx."""

project = "Loomtable"
author = "The Loomtable authors"
copyright = "The Loomtable authors; text and pictures CC BY 4.0"  # noqa: A001 - Sphinx's name
html_title = "Loomtable"
extensions = ["myst_parser"]
html_theme = "furo"
html_show_sphinx = False
html_copy_source = False
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#5b4a86", "color-brand-content": "#1f5673"},
    "dark_css_variables": {"color-brand-primary": "#c9bce3", "color-brand-content": "#9ccbd2"},
}
myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 3
# Diagrams stay as their text: drawing them would need a script from elsewhere, and the site works offline.
suppress_warnings = ["misc.highlighting_failure"]
