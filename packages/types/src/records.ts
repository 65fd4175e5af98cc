import { z } from 'zod';
import {
  absoluteUrl,
  date,
  degrees,
  field,
  id,
  multilingual,
  noSameAs,
  optionalText,
  pageUrl,
  published,
  reference,
  text,
  textField,
  uuid,
} from './field-schemas.ts';
import { forKinds, type Kind } from './kinds.ts';

/** A file or image: `image`, `main_image` and the elements of `files`. */
export const fileObjectSchema = z
  .strictObject({
    id: field(z.int().min(0), {
      type: 'id',
      en: 'Number of the file.',
      inTables: 'Number of the file, unique among files.',
      nl: 'Nummer van het bestand, uniek onder de bestanden.',
    }),
    uuid: field(uuid, {
      type: 'uuid',
      en: 'UUID of the file.',
      inTables: 'UUID of the file. Leave it empty: it is derived from the UUID of the archive and the id.',
      nl: 'UUID van het bestand. Laat leeg: hij wordt afgeleid van de UUID van het archief en het id.',
    }),
    name: optionalText('Name', 'Naam', { short: 'Name of the file' }),
    title: textField('Caption.', 'Bijschrift.'),
    alt: textField('Credit line.', 'Naamsvermelding.'),
    url: field(z.union([absoluteUrl, z.literal('')]), {
      type: 'text',
      en: 'Absolute URL of an externally hosted file, or "".',
      short: 'Address of a file that is hosted elsewhere',
      nl: 'Adres van een bestand dat elders staat.',
    }),
    path: field(absoluteUrl.nullable(), {
      type: 'text',
      en: 'Absolute URL of a file hosted by the service, or null.',
      short: 'Address of a file that the archive hosts',
      nl: 'Adres van een bestand dat bij het archief zelf staat.',
    }),
    filetype: optionalText('Type of the file, such as "image"', 'Soort bestand, bijvoorbeeld "image"', {
      short: 'Type of the file',
      choices: ['image'],
    }),
    description: optionalText('Description', 'Beschrijving'),
    author: textField('Usage statement.', 'Gebruiksvoorwaarden.'),
    copyright: optionalText('Rights statement', 'Rechten'),
  })
  .meta({ id: 'FileObject', description: 'A file or image.' });

/** An image or another file of a record. */
export type FileObject = z.infer<typeof fileObjectSchema>;

const files = z.array(fileObjectSchema).meta({ description: 'Files.' });

function imageField(description: string) {
  return fileObjectSchema.nullable().meta({ description: `${description}, or null.` });
}

/** A subject in full: in lists, details, search and locations. */
export const subjectSchema = z
  .strictObject({
    id,
    image: imageField('Image'),
    url: pageUrl('subject'),
    published,
    uuid,
    ...multilingual('name', 'Name.', 'Naam.'),
    ...multilingual('description', 'Description (HTML fragment).', 'Beschrijving (HTML).', { type: 'html' }),
    ...multilingual('summary', 'Summary; may be empty.', 'Samenvatting.'),
    same_as: field(z.array(absoluteUrl).nullable(), {
      type: 'urls',
      en: 'Absolute URLs of the same subject in external vocabularies, or null.',
      short: 'Addresses of the same subject in external vocabularies',
      nl: 'Adressen van hetzelfde onderwerp in andere thesauri.',
    }),
    parent: field(z.int().min(0).nullable(), {
      type: 'reference',
      target: 'subject',
      en: 'id of the parent subject; null for a top-level subject.',
      inTables: 'Parent subject; empty for a top-level subject.',
      short: 'id of the parent subject; empty for a top-level subject',
      nl: 'Het bovenliggende onderwerp; leeg voor een onderwerp op het hoogste niveau.',
    }),
    files,
  })
  .meta({ id: 'Subject', description: 'A topic in the hierarchy of subjects.' });

/** A subject: a term that events and locations are about. */
export type Subject = z.infer<typeof subjectSchema>;

/** A person in full: in lists, details, search and events. */
export const personSchema = z
  .strictObject({
    id,
    image: imageField('Portrait'),
    pictures: field(z.array(z.unknown()), {
      type: 'json',
      en: 'Pictures: values of any shape; usually empty.',
      nl: 'Afbeeldingen: waarden in een vrije vorm; meestal leeg.',
    }),
    url: pageUrl('person'),
    subjects: field(z.array(reference('subject')), {
      type: 'references',
      target: 'subject',
      en: 'Subjects of the person.',
      nl: 'Onderwerpen van de persoon.',
    }),
    published,
    uuid,
    first_name: textField(
      'Given names, or the full name of an organisation.',
      'Voornamen, of de volledige naam bij de vermelding van een organisatie.',
    ),
    last_name: optionalText(
      'Last name, without infix; a double name may have spaces around its hyphen',
      'Achternaam zonder tussenvoegsel; een dubbele naam mag spaties om het streepje hebben',
    ),
    infix: optionalText('Name particle such as "van der"', 'Tussenvoegsel, zoals "van der"'),
    ...multilingual('title', 'Full display name.', 'Volledige weergavenaam.'),
    title_en: field(z.string().nullable(), {
      type: 'nullable',
      language: 'en',
      en: 'Full display name. In English; may be null.',
      inTables: 'Full display name. In English. Empty means unknown; \\empty means known to be empty.',
      short: 'Full display name',
      nl: 'Volledige weergavenaam. In het Engels. Leeg betekent onbekend; \\empty betekent dat er geen Engelse titel is.',
    }),
    ...multilingual('content', 'Biography (HTML fragment).', 'Tekst (HTML).', { type: 'html' }),
    birth_date: date('Date of birth.', 'Geboortedatum.'),
    death_date: date('Date of death.', 'Sterfdatum.'),
    gender: textField(
      'Gender: "male", "female" or another text; empty when unknown.',
      'Geslacht: "male", "female" of een andere tekst; leeg als het onbekend is.',
      { short: 'Gender', choices: ['male', 'female'] },
    ),
    birth_place: optionalText('Place of birth', 'Geboorteplaats'),
    birth_country: optionalText('Country of birth, possibly in Dutch', 'Geboorteland', {
      short: 'Country of birth',
    }),
    death_place: optionalText('Place of death', 'Plaats van overlijden'),
    death_country: optionalText('Country of death, possibly in Dutch', 'Land van overlijden', {
      short: 'Country of death',
    }),
    ...multilingual('summary', 'Summary; may be empty.', 'Samenvatting.'),
    same_as: noSameAs,
    files: z.array(fileObjectSchema).meta({ description: 'Files; usually empty.' }),
  })
  .meta({ id: 'Person', description: 'A person, or an entry that is not human, such as a company.' });

/** A person. */
export type Person = z.infer<typeof personSchema>;

const eventContent = multilingual('content', 'Description (HTML fragment).', 'Tekst (HTML).', {
  type: 'html',
});

const eventDates = {
  date: date('Date of the event.', 'Datum van de gebeurtenis.'),
  date_start: date(
    'First day of an event of several days.',
    'Eerste dag van een gebeurtenis van meer dagen.',
  ),
  date_end: date('Last day of an event of several days.', 'Laatste dag van een gebeurtenis van meer dagen.'),
};

/** An event in a location's `events`: subjects, persons and location are URLs instead of records. */
export const abbreviatedEventSchema = z
  .strictObject({
    id,
    main_image: imageField('Main image'),
    url: pageUrl('event'),
    subjects: field(z.array(reference('subject')), {
      type: 'references',
      target: 'subject',
      en: 'Subjects of the event.',
      nl: 'Onderwerpen van de gebeurtenis.',
    }),
    persons: z.array(reference('person')).meta({ description: 'Persons of the event.' }),
    location: reference('location').nullable().meta({ description: 'Location of the event.' }),
    published,
    uuid,
    ...multilingual('name', 'Name.', 'Naam.'),
    ...eventContent,
    ...multilingual('summary', 'Summary.', 'Samenvatting.'),
    ...eventDates,
    same_as: noSameAs,
    files,
  })
  .meta({ id: 'AbbreviatedEvent', description: 'An event as a location lists it.' });

/** An event as its location lists it. */
export type AbbreviatedEvent = z.infer<typeof abbreviatedEventSchema>;

/** A location in full: in lists, details, search and events. */
export const locationSchema = z
  .strictObject({
    id,
    files,
    main_image: imageField('Main image'),
    latitude: degrees(
      'Latitude in decimal degrees (WGS 84)',
      'Breedtegraad in decimale graden (WGS 84), als tekst.',
    ),
    longitude: degrees(
      'Longitude in decimal degrees (WGS 84)',
      'Lengtegraad in decimale graden (WGS 84), als tekst.',
    ),
    events: field(z.array(abbreviatedEventSchema), {
      type: 'references',
      target: 'event',
      isDerived: true,
      en: 'The events at this location, abbreviated, ordered by id.',
      short: 'UUIDs of the events at the location',
      nl: 'De gebeurtenissen op de locatie.',
    }),
    subjects: field(z.array(subjectSchema), {
      type: 'references',
      target: 'subject',
      en: 'Subjects of the location, in full.',
      inTables: 'Subjects of the location.',
      short: 'Subjects of the location',
      nl: 'Onderwerpen van de locatie.',
    }),
    related_locations: field(z.array(reference('location')), {
      type: 'references',
      target: 'location',
      en: 'Related locations.',
      short: 'UUIDs of related locations',
      nl: 'Verwante locaties.',
    }),
    url: pageUrl('location'),
    published,
    ...multilingual('name', 'Name.', 'Naam.'),
    uuid,
    ...multilingual('content', 'Description (HTML fragment); may be empty.', 'Tekst (HTML).', {
      type: 'html',
    }),
    position: text('"SRID=4326;POINT (<longitude> <latitude>)"; empty when the coordinates are empty.'),
    ...multilingual('summary', 'Summary.', 'Samenvatting.'),
    same_as: noSameAs,
    street: optionalText('Street and number', 'Straat en huisnummer'),
    zipcode: optionalText('Postal code', 'Postcode'),
    city: optionalText('City', 'Plaats'),
    state: optionalText('Province or state', 'Provincie of staat'),
    land: optionalText('Name of the country', 'Naam van het land'),
    location_events: z.array(id).meta({ description: 'id of each event at this location.' }),
  })
  .meta({ id: 'Location', description: 'A location, with the events at it.' });

/** A location, with its events. */
export type Location = z.infer<typeof locationSchema>;

/** An event in full: in lists, details and search. */
export const eventSchema = z
  .strictObject({
    id,
    main_image: imageField('Main image'),
    files,
    persons: field(z.array(personSchema), {
      type: 'references',
      target: 'person',
      en: 'Persons of the event, in full.',
      inTables: 'Persons of the event.',
      short: 'Persons of the event',
      nl: 'Personen van de gebeurtenis.',
    }),
    location: field(locationSchema.nullable(), {
      type: 'reference',
      target: 'location',
      en: 'Location of the event, in full; null when unknown.',
      inTables: 'Location of the event; empty when unknown.',
      short: 'Location of the event',
      nl: 'Locatie van de gebeurtenis; leeg als die onbekend is.',
    }),
    url: pageUrl('event'),
    published,
    uuid,
    ...multilingual('name', 'Name.', 'Naam.'),
    ...eventContent,
    ...eventDates,
    ...multilingual('summary', 'Summary.', 'Samenvatting.'),
    same_as: noSameAs,
  })
  .meta({ id: 'Event', description: 'An event, with its persons and its location.' });

/** An event, with its location. */
export type Event = z.infer<typeof eventSchema>;

/** The record of each kind. */
export type RecordOfKind = { [K in Kind]: z.infer<(typeof recordSchemas)[K]> };

/** A record of any kind. */
export type ArchiveRecord = RecordOfKind[Kind];

/** The schema of each kind's records, as served. */
export const recordSchemas = {
  person: personSchema,
  subject: subjectSchema,
  location: locationSchema,
  event: eventSchema,
} as const satisfies Record<Kind, unknown>;

/** The fields of each kind's records, in the contract's order. */
export const RECORD_FIELDS: Readonly<Record<Kind, readonly string[]>> = forKinds((kind) =>
  Object.keys(recordSchemas[kind].shape),
);

/** Which fields of a kind's records have a part that programs look for. */
export interface KindFacts {
  image: 'image' | 'main_image';
  /** The HTML text, a multilingual field. */
  text: 'content' | 'description';
  /** The names of a record, the usual one first: each a field, or several that are joined. */
  names: readonly (readonly string[])[];
  /** The first day: the first of these that a record has. */
  begins?: readonly string[];
  places?: readonly string[];
  /** The columns of databases that have an index. */
  indexed: readonly string[];
  /** What most records have besides a text, each with its fields: one of them is enough. */
  expected?: Readonly<Record<string, readonly string[]>>;
}

const NAMES = [['name_nl'], ['name_en']];

export const KIND_FACTS: Readonly<Record<Kind, KindFacts>> = {
  person: {
    image: 'image',
    text: 'content',
    names: [['title_nl'], ['title_en'], ['first_name', 'infix', 'last_name']],
    begins: ['birth_date'],
    places: ['birth_place', 'death_place'],
    indexed: ['last_name', 'birth_year', 'death_year', 'birth_place', 'death_place'],
    expected: { 'a date of birth': ['birth_date'], 'a portrait': ['image'] },
  },
  subject: { image: 'image', text: 'description', names: NAMES, indexed: ['name', 'parent'] },
  location: {
    image: 'main_image',
    text: 'content',
    names: NAMES,
    places: ['city'],
    indexed: ['name', 'city'],
    expected: { coordinates: ['latitude'], 'a picture': ['main_image'] },
  },
  event: {
    image: 'main_image',
    text: 'content',
    names: NAMES,
    begins: ['date', 'date_start'],
    indexed: ['date', 'year', 'location'],
    expected: { 'a date': ['date', 'date_start'], 'a place': ['location'] },
  },
};

/** The names by which tables refer to a record, the usual one first; `textOf` gives the text of a field. */
export function referenceNames(kind: Kind, textOf: (field: string) => string): Set<string> {
  const names = KIND_FACTS[kind].names.map((fields) => {
    const texts = fields.map((field) => textOf(field).trim());
    return texts.filter(Boolean).join(' ');
  });
  return new Set(names.filter(Boolean));
}
