"""Creates the tables and stores a bundle: python3 -m django load BUNDLE"""

import json
from pathlib import Path

from django.core.management.base import BaseCommand
from django.db import connection, transaction

from archive.models import Event, Location, Person, Subject

BATCH = 500


class Command(BaseCommand):
    help = "Creates the tables and stores a bundle"

    def add_arguments(self, parser):
        parser.add_argument("bundle")

    def handle(self, bundle, **options):
        load(bundle)


def read(folder, name):
    with open(Path(folder) / f"{name}.jsonl", encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def load(folder):
    with connection.schema_editor() as editor:
        for model in (Subject, Person, Location, Event):
            editor.create_model(model)
    ids = {}
    with transaction.atomic():
        store(folder, Subject, "subjects", ids, {})
        store(folder, Person, "persons", ids, {"subjects": Subject})
        store(folder, Location, "locations", ids, {"subjects": Subject})
        store(folder, Event, "events", ids, {"persons": Person, "subjects": Subject})
        link(folder, Location, "locations", ids, "related_locations", Location)


def store(folder, model, name, ids, lists):
    """Stores the records of a kind, with their lists of references."""
    plain = {field.attname: field.name for field in model._meta.concrete_fields}
    batch = []
    for record in read(folder, name):
        ids[record["uuid"]] = record["id"]
        values = {attribute: record[key] for attribute, key in plain.items() if key in record}
        if values.get("location_id"):
            values["location_id"] = ids[values["location_id"]]
        batch.append(model(**values))
        if len(batch) == BATCH:
            model.objects.bulk_create(batch)
            batch = []
    model.objects.bulk_create(batch)
    for key, target in lists.items():
        link(folder, model, name, ids, key, target)


def link(folder, model, name, ids, key, target):
    """Stores one list of references of every record of a kind."""
    field = model._meta.get_field(key)
    through = getattr(model, key).through
    source, to = field.m2m_field_name() + "_id", field.m2m_reverse_field_name() + "_id"
    batch = []
    for record in read(folder, name):
        for uuid in record.get(key, []):
            batch.append(through(**{source: record["id"], to: ids[uuid]}))
        if len(batch) >= BATCH:
            through.objects.bulk_create(batch)
            batch = []
    through.objects.bulk_create(batch)
