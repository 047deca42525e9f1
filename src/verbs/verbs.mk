# verbs.mk -- the sources of src/verbs, one a line, in alphabetical order.
verbs_sources =
