"""Settings: no sessions, users or browsable pages; JSON."""

import os
from urllib.parse import unquote, urlsplit


def database(address):
    """Django's settings for a DATABASE_URL of the API."""
    url = urlsplit(address)
    if url.scheme == "sqlite":
        return {"ENGINE": "django.db.backends.sqlite3", "NAME": url.path}
    return {
        "ENGINE": "django.db.backends.mysql",
        "HOST": url.hostname,
        "PORT": url.port or 3306,
        "USER": unquote(url.username or ""),
        "PASSWORD": unquote(url.password or ""),
        "NAME": url.path.lstrip("/"),
        "OPTIONS": {"charset": "utf8mb4"},
        "CONN_MAX_AGE": None,
    }


ALLOWED_HOSTS = ["127.0.0.1"]
DATABASES = {"default": database(os.environ["DATABASE_URL"])}
INSTALLED_APPS = ["rest_framework", "archive"]
REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [],
    "DEFAULT_PERMISSION_CLASSES": [],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "UNAUTHENTICATED_USER": None,
}
ROOT_URLCONF = "archive.urls"
SECRET_KEY = "of a benchmark"
USE_TZ = True
