"""The same archive as an ordinary Django REST Framework project serves it: what cold pages are compared with."""
