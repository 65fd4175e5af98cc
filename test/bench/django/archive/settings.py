"""Settings: no sessions, users or browsable pages; JSON, and the page of a person."""

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
TEMPLATES = [{"BACKEND": "django.template.backends.django.DjangoTemplates", "APP_DIRS": True}]
ROOT_URLCONF = "archive.urls"
SECRET_KEY = "of a benchmark"
USE_TZ = True
# The date in the citation of a page is in UTC, as in the archive.
TIME_ZONE = "UTC"
