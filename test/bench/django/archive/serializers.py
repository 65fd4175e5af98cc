"""The JSON of each kind, as in the contract."""

from rest_framework import serializers

from archive.models import Event, Location, Person, Subject


class InLanguage(serializers.Field):
    """The Dutch text for `nl`; for `en` the English text, or the Dutch one if there is none."""

    def __init__(self, **options):
        super().__init__(source="*", read_only=True, **options)

    def to_representation(self, record):
        dutch = getattr(record, self.field_name + "_nl")
        if self.context["language"] == "nl":
            return dutch
        return getattr(record, self.field_name + "_en") or dutch


class Reference(serializers.RelatedField):
    """A link to a record of the API."""

    def __init__(self, collection=None, **options):
        self.collection = collection
        super().__init__(read_only=True, **options)

    def to_representation(self, record):
        return f"{self.context['base']}/api/{self.collection}/{record.uuid}"


class RecordPage(serializers.Field):
    """A link to the public page of a record."""

    def __init__(self, collection):
        self.collection = collection
        super().__init__(source="uuid", read_only=True)

    def to_representation(self, uuid):
        return f"{self.context['base']}/{self.collection}/{uuid}/"


class RecordSerializer(serializers.ModelSerializer):
    """The fields of every record: it is published, and has texts in the language of the request."""

    published = serializers.ReadOnlyField(default=True)
    summary = InLanguage()


class NamedRecordSerializer(RecordSerializer):
    """A record with a name and a content."""

    name, content = InLanguage(), InLanguage()
    same_as = serializers.ReadOnlyField(default=None)


class SubjectSerializer(RecordSerializer):
    url = RecordPage("onderwerpen")
    name, description = InLanguage(), InLanguage()

    class Meta:
        model = Subject
        fields = "__all__"


class PersonSerializer(RecordSerializer):
    url = RecordPage("personen")
    subjects = Reference("subjects", many=True)
    title, content = InLanguage(), InLanguage()
    same_as = serializers.ReadOnlyField(default=None)

    class Meta:
        model = Person
        fields = "__all__"


class AbbreviatedEventSerializer(NamedRecordSerializer):
    url = RecordPage("gebeurtenissen")
    subjects = Reference("subjects", many=True)
    persons = Reference("persons", many=True)
    location = Reference("locations")

    class Meta:
        model = Event
        fields = "__all__"


class LocationSerializer(NamedRecordSerializer):
    url = RecordPage("locaties")
    events = AbbreviatedEventSerializer(many=True)
    subjects = SubjectSerializer(many=True)
    related_locations = Reference("locations", many=True)
    position = serializers.SerializerMethodField()
    location_events = serializers.SerializerMethodField()

    class Meta:
        model = Location
        fields = "__all__"

    def get_position(self, location):
        if not (location.longitude and location.latitude):
            return ""
        return f"SRID=4326;POINT ({location.longitude} {location.latitude})"

    def get_location_events(self, location):
        return [event.id for event in location.events.all()]


class EventSerializer(NamedRecordSerializer):
    url = RecordPage("gebeurtenissen")
    persons = PersonSerializer(many=True)
    location = LocationSerializer()

    class Meta:
        model = Event
        exclude = ["subjects"]
