"""The four kinds of record."""

from django.db import models


class Record(models.Model):
    id = models.BigIntegerField(primary_key=True)
    uuid = models.CharField(max_length=36, unique=True)
    files = models.JSONField(default=list)

    class Meta:
        abstract = True
        ordering = ["id"]


def text():
    return models.TextField(default="")


class Subject(Record):
    image = models.JSONField(null=True)
    name_nl, name_en = text(), text()
    description_nl, description_en = text(), text()
    summary_nl, summary_en = text(), text()
    same_as = models.JSONField(null=True)
    parent = models.BigIntegerField(null=True)


class Person(Record):
    image = models.JSONField(null=True)
    pictures = models.JSONField(default=list)
    subjects = models.ManyToManyField(Subject)
    first_name, last_name, infix = text(), text(), text()
    title_nl, title_en = text(), models.TextField(null=True)
    content_nl, content_en = text(), text()
    birth_date, death_date = models.DateField(null=True), models.DateField(null=True)
    gender = text()
    birth_place, birth_country = text(), text()
    death_place, death_country = text(), text()
    summary_nl, summary_en = text(), text()


class Location(Record):
    main_image = models.JSONField(null=True)
    latitude, longitude = text(), text()
    subjects = models.ManyToManyField(Subject)
    related_locations = models.ManyToManyField("self", symmetrical=False)
    name_nl, name_en = text(), text()
    content_nl, content_en = text(), text()
    summary_nl, summary_en = text(), text()
    street, zipcode, city, state, land = text(), text(), text(), text(), text()


class Event(Record):
    main_image = models.JSONField(null=True)
    persons = models.ManyToManyField(Person)
    subjects = models.ManyToManyField(Subject)
    location = models.ForeignKey(Location, models.CASCADE, null=True, related_name="events")
    name_nl, name_en = text(), text()
    content_nl, content_en = text(), text()
    date = models.DateField(null=True)
    date_start, date_end = models.DateField(null=True), models.DateField(null=True)
    summary_nl, summary_en = text(), text()
