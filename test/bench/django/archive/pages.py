"""The page of a person, as a template: the content of the archive's own page of a person, from the same rows."""

import json
import re
from collections import Counter
from datetime import datetime, timezone

from django.db.models.functions import Coalesce
from django.shortcuts import get_object_or_404, render
from django.utils.safestring import mark_safe

from archive.models import Person
from archive.words import WORDS

MOST_EVENTS = 200
MOST_COMPANIONS = 24
EDITION = 1
PUBLISHED = datetime.now(timezone.utc)


def in_language(record, field, language):
    """A text and its language: the Dutch one if there is no English."""
    english = getattr(record, field + "_en")
    if language == "en" and english:
        return {"text": english, "lang": ""}
    return {"text": getattr(record, field + "_nl"), "lang": "nl" if language == "en" else ""}


def formatted(date, language):
    return f"{date.day} {WORDS[language]['months'][date.month - 1]} {date.year}"


def period(event, language):
    if event.date:
        return formatted(event.date, language)
    start = formatted(event.date_start, language) if event.date_start else ""
    end = formatted(event.date_end, language) if event.date_end else ""
    return f"{start} – {end}".strip() if start or end else WORDS[language]["undated"]


def years(person):
    if not (person.birth_date or person.death_date):
        return ""
    born, died = (str(date.year) if date else "?" for date in (person.birth_date, person.death_date))
    return f"{born}–{died}"


def shared(count, language):
    return f"{count} {WORDS[language]['event' if count == 1 else 'events_counted']}"


def life(person, language):
    words = WORDS[language]
    ends = (
        (words["born"], person.birth_date, person.birth_place, person.birth_country),
        (words["died"], person.death_date, person.death_place, person.death_country),
    )
    return [
        {"word": word, "date": date, "day": date and formatted(date, language), "place": ", ".join(filter(None, place))}
        for word, date, *place in ends
        if date or any(place)
    ]


def linked_data(person, name, summary, address):
    """The person in schema.org terms."""

    def place(*parts):
        text = ", ".join(filter(None, parts))
        return {"@type": "Place", "name": text} if text else None

    facts = {
        "@context": "https://schema.org",
        "@id": address,
        "url": address,
        "name": name,
        "description": summary,
        "image": person.image and (person.image.get("path") or person.image["url"]),
        "@type": "Person",
        "givenName": person.first_name,
        "familyName": " ".join(filter(None, (person.infix, person.last_name))),
        "birthDate": person.birth_date and person.birth_date.isoformat(),
        "deathDate": person.death_date and person.death_date.isoformat(),
        "birthPlace": place(person.birth_place, person.birth_country),
        "deathPlace": place(person.death_place, person.death_country),
        "gender": person.gender,
    }
    text = json.dumps({key: value for key, value in facts.items() if value}, ensure_ascii=False)
    return mark_safe(text.replace("<", "\\u003c"))


def bibtex(person, name, address, language):
    title = re.sub(r"([&%$#_])", r"\\\1", re.sub(r"[{}\\]", "", name))
    day = PUBLISHED.date().isoformat()
    return (
        f"@misc{{{person.uuid[:8]},\n  title = {{{{{title}}}}},\n  year = {{{PUBLISHED.year}}},\n  url = {{{address}}},\n"
        f"  note = {{{WORDS[language]['edition']} {EDITION}, {day}}},\n}}"
    )


def person_page(request, language, uuid):
    """All data in five statements, for any number of events."""
    person = get_object_or_404(Person.objects.prefetch_related("subjects"), uuid=uuid)
    events = list(
        person.event_set.select_related("location")
        .prefetch_related("persons")
        .order_by(Coalesce("date", "date_start", "date_end"))[:MOST_EVENTS]
    )
    companions = Counter(other for event in events for other in event.persons.all() if other != person)
    places = Counter(event.location for event in events if event.location)
    name = in_language(person, "title", language)["text"]
    summary = in_language(person, "summary", language)
    address = request.build_absolute_uri()
    context = {
        "language": language,
        "other": "nl" if language == "en" else "en",
        "words": WORDS[language],
        "base": address[: -len(request.path)],
        "address": address,
        "person": person,
        "name": name,
        "life": life(person, language),
        "summary": summary,
        "content": in_language(person, "content", language),
        "bibtex": bibtex(person, name, address, language),
        "linked_data": linked_data(person, name, summary["text"], address),
        "subjects": sorted(
            (
                {
                    "uuid": subject.uuid,
                    "name": in_language(subject, "name", language),
                    "summary": in_language(subject, "summary", language),
                }
                for subject in person.subjects.all()
            ),
            key=lambda subject: subject["name"]["text"],
        ),
        "events": [
            {
                "uuid": event.uuid,
                "name": in_language(event, "name", language),
                "when": period(event, language),
                "place": event.location,
                "place_name": event.location and in_language(event.location, "name", language)["text"],
            }
            for event in events
        ],
        "places": [
            {
                "location": location,
                "name": in_language(location, "name", language),
                "events": shared(count, language),
            }
            for location, count in places.most_common()
        ],
        "companions": [
            {
                "uuid": other.uuid,
                "name": in_language(other, "title", language)["text"],
                "years": years(other),
                "events": shared(count, language),
                "summary": in_language(other, "summary", language),
            }
            for other, count in companions.most_common(MOST_COMPANIONS)
        ],
        "edition": EDITION,
        "published": PUBLISHED,
    }
    return render(request, "person.html", context)
