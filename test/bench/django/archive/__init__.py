"""The same archive in an ordinary Django REST Framework project, with which uncached pages are compared."""
