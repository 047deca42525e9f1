# tools.mk -- `make picture` takes the pictures of the README anew, into docs/ of the source tree.
EXTRA_PROGRAMS += tools/pane_svg
CLEANFILES += tools/pane_svg

picture: seckill-lab tools/pane_svg
	LAB="$(abs_top_builddir)/seckill-lab" bash $(top_srcdir)/tools/picture.sh \
	  "$(abs_top_builddir)/tools/pane_svg" $(top_srcdir)/docs
.PHONY: picture
