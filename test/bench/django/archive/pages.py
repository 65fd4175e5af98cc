"""The page of a person, as a template: what the archive's own page of a person shows, from the same rows."""

from collections import Counter

from django.db.models.functions import Coalesce
from django.shortcuts import get_object_or_404, render

from archive.models import Person

MOST_EVENTS = 200
MOST_COMPANIONS = 24


def in_language(record, field, language):
    dutch = getattr(record, field + "_nl")
    return dutch if language == "nl" else getattr(record, field + "_en") or dutch


def named(records, language):
    return [{"uuid": record.uuid, "name": in_language(record, "name", language)} for record in records]


def person_page(request, language, uuid):
    """Everything in five statements, whatever the number of events."""
    person = get_object_or_404(Person.objects.prefetch_related("subjects"), uuid=uuid)
    events = list(
        person.event_set.select_related("location")
        .prefetch_related("persons")
        .order_by(Coalesce("date", "date_start", "date_end"))[:MOST_EVENTS]
    )
    shared = Counter(other for event in events for other in event.persons.all() if other != person)
    places = {event.location_id: event.location for event in events if event.location}
    context = {
        "language": language,
        "other": "nl" if language == "en" else "en",
        "person": person,
        "name": in_language(person, "title", language),
        "summary": in_language(person, "summary", language),
        "content": in_language(person, "content", language),
        "subjects": sorted(named(person.subjects.all(), language), key=lambda subject: subject["name"]),
        "events": [
            {
                "uuid": event.uuid,
                "name": in_language(event, "name", language),
                "date": event.date or event.date_start,
                "place": event.location,
                "place_name": in_language(event.location, "name", language) if event.location else "",
            }
            for event in events
        ],
        "places": named(places.values(), language),
        "companions": [
            {"uuid": other.uuid, "name": in_language(other, "title", language), "events": events}
            for other, events in shared.most_common(MOST_COMPANIONS)
        ],
    }
    return render(request, "person.html", context)
