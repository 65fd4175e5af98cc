from django.urls import path

from archive.views import EventList, PersonList

urlpatterns = [
    path("<str:language>/api/persons", PersonList.as_view()),
    path("<str:language>/api/events", EventList.as_view()),
]
