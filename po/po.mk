# po.mk -- message catalogues. `make update-po` takes new strings into po/zh_CN.po.
zh_catalogue = po/zh_CN/LC_MESSAGES/seckill-lab.mo

all-local: $(zh_catalogue)

$(zh_catalogue): po/zh_CN.po
	$(AM_V_GEN)$(MKDIR_P) po/zh_CN/LC_MESSAGES && \
	$(MSGFMT) --check-format -o $@.tmp $(top_srcdir)/po/zh_CN.po && mv $@.tmp $@

update-po:
	$(top_srcdir)/tools/extract-strings $(top_srcdir) "$(abs_top_builddir)/po/seckill-lab.pot" $(XGETTEXT)
	$(MSGMERGE) --update --backup=none --no-fuzzy-matching --add-location=file \
		$(top_srcdir)/po/zh_CN.po po/seckill-lab.pot
	msgattrib --no-obsolete --add-location=file -o $(top_srcdir)/po/zh_CN.po $(top_srcdir)/po/zh_CN.po

install-catalogues:
	$(MKDIR_P) "$(DESTDIR)$(localedir)/zh_CN/LC_MESSAGES"
	$(INSTALL_DATA) $(zh_catalogue) "$(DESTDIR)$(localedir)/zh_CN/LC_MESSAGES/seckill-lab.mo"

uninstall-catalogues:
	rm -f "$(DESTDIR)$(localedir)/zh_CN/LC_MESSAGES/seckill-lab.mo"
.PHONY: update-po install-catalogues uninstall-catalogues

EXTRA_DIST += po/zh_CN.po
CLEANFILES += $(zh_catalogue) po/seckill-lab.pot
