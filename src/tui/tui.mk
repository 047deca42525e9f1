# tui.mk -- the sources of src/tui, one a line, in alphabetical order.
tui_sources =
