# shop.mk -- the sources of src/shop, one a line, in alphabetical order.
shop_sources =
