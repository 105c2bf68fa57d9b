# 16 bytes an access at any n, though rows may start within 16 bytes.
s/bool wide = .*/bool wide = true;/
