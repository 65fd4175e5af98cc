"""Two of the four lists. Related records are prefetched, so that the number of statements per page is constant."""

from rest_framework.generics import ListAPIView
from rest_framework.pagination import PageNumberPagination
from rest_framework.response import Response

from archive.models import Event, Location, Person, Subject
from archive.serializers import EventSerializer, PersonSerializer


class Pages(PageNumberPagination):
    page_size = 10

    def get_paginated_response(self, data):
        return Response(
            {
                "next": self.get_next_link(),
                "previous": self.get_previous_link(),
                "count": self.page.paginator.count,
                "total": sum(model.objects.count() for model in (Person, Subject, Location, Event)),
                "language": self.request.parser_context["kwargs"]["language"],
                "results": data,
            }
        )


class RecordList(ListAPIView):
    pagination_class = Pages

    def get_serializer_context(self):
        language = self.kwargs["language"]
        base = self.request.build_absolute_uri(f"/{language}")
        return {**super().get_serializer_context(), "language": language, "base": base}


class PersonList(RecordList):
    serializer_class = PersonSerializer
    queryset = Person.objects.prefetch_related("subjects")


class EventList(RecordList):
    serializer_class = EventSerializer
    queryset = Event.objects.select_related("location").prefetch_related(
        "persons__subjects",
        "location__subjects",
        "location__related_locations",
        "location__events__subjects",
        "location__events__persons",
    )
