import {
  abbreviatedEventSchema,
  eventSchema,
  fileObjectSchema,
  KINDS,
  type Kind,
  locationSchema,
  personSchema,
  subjectSchema,
} from '@archiefkast/types';
import {
  ARCHIVE_COLUMNS,
  type ColumnType,
  FILE_COLUMNS,
  IMAGE_COLUMNS,
  RECORD_COLUMNS,
  type TableColumn,
  type TableName,
} from './table-columns.ts';

/** What a column is for, for people. */
export interface ExplainedColumn {
  table: TableName;
  name: string;
  isRequired: boolean;
  english: string;
  dutch: string;
  /** What its cells hold, in English and Dutch. */
  cells: { english: string; dutch: string };
}

const SHAPES: Readonly<Record<Kind, Readonly<Record<string, { description?: string | undefined }>>>> = {
  person: personSchema.shape,
  subject: subjectSchema.shape,
  location: locationSchema.shape,
  event: { ...abbreviatedEventSchema.shape, ...eventSchema.shape },
};

const FILE_SHAPE: Readonly<Record<string, { description?: string | undefined }>> = fileObjectSchema.shape;

/** Every column of every table, with what it is for: in English as the schemas say it, and in Dutch. */
export function explainColumns(): ExplainedColumn[] {
  return [
    ...KINDS.flatMap((kind) => {
      const table = `${kind}s` as const;
      const image = Object.keys(IMAGE_COLUMNS).map((name): TableColumn => ({ name, type: 'text' }));
      return [...RECORD_COLUMNS[kind], ...image].map((column) =>
        explain(table, column, SHAPES[kind][column.name]?.description),
      );
    }),
    ...FILE_COLUMNS.map((column) => explain('files', column, FILE_SHAPE[column.name]?.description)),
    ...ARCHIVE_COLUMNS.map((column) => explain('archive', column, undefined)),
  ];
}

function explain(
  table: TableName,
  { name, type }: TableColumn,
  description: string | undefined,
): ExplainedColumn {
  const dutch = COLUMN_IN_DUTCH[`${table}.${name}`] ?? COLUMN_IN_DUTCH[name] ?? '';
  return {
    table,
    name,
    isRequired: isRequired(table, name),
    english: COLUMN_IN_ENGLISH[`${table}.${name}`] ?? COLUMN_IN_ENGLISH[name] ?? description ?? '',
    dutch,
    cells: { english: TYPE_IN_ENGLISH[type], dutch: TYPE_IN_DUTCH[type] },
  };
}

function isRequired(table: TableName, name: string): boolean {
  if (table === 'archive') return name === 'title_nl' || name === 'title_en';
  return name === 'id' || (table === 'files' && ['owner_kind', 'owner', 'role'].includes(name));
}

type Texts = Readonly<Record<string, string>>;

/** What the schemas of records do not say: columns that only tables have, and what tables do in place of a field. */
const COLUMN_IN_ENGLISH: Texts = {
  id: 'Number of the record, unique within its table. You choose it; it never changes.',
  uuid: 'UUID of the record, the key in its address. Leave it empty: it is derived from that of the archive and the id.',
  published: 'false leaves the record out of what is served. Empty is true.',
  parent: 'The subject that this one is a part of; empty for one at the top.',
  'persons.subjects': 'Subjects of the person.',
  'events.location': 'Where it took place.',
  'events.persons': 'Persons of the event.',
  'locations.subjects': 'Subjects of the location.',
  title_en: 'Full display name. In English. Empty is unknown; \\empty is known to be empty.',
  birth_date: 'Date of birth.',
  death_date: 'Date of death.',
  date: 'Date of the event.',
  date_start: 'First day of an event of several days.',
  date_end: 'Last day of an event of several days.',
  image_url: 'Address of the image of the record. More than one: use the table files.',
  image_caption: 'Caption of the image.',
  image_credit: 'Credit line of the image: who made it, who keeps it.',
  image_author: 'What may be done with the image (usage statement).',
  image_copyright: 'Who has which rights to the image (rights statement).',
  'files.id': 'Number of the file, unique among files.',
  'files.uuid': 'UUID of the file. Leave it empty: it is derived from that of the archive and the id.',
  owner_kind: 'What the file belongs to: person, subject, location or event.',
  owner: 'The record that the file belongs to.',
  role: 'image: the image of the record. file: one of its files.',
  order: 'Place among the files of the record: 1, 2, 3 …',
  'archive.uuid': 'UUID of the archive, from which those of its records are derived. It never changes.',
  'archive.title_nl': 'Name of the archive. In Dutch.',
  'archive.title_en': 'Name of the archive. In English.',
  'archive.description_nl': 'What the archive is. In Dutch.',
  'archive.description_en': 'What the archive is. In English.',
  publisher_nl: 'Who publishes the archive. In Dutch.',
  publisher_en: 'Who publishes the archive. In English.',
  licence_name: 'Name of the licence of the archive.',
  licence_url: 'Address of the text of the licence.',
  homepage: 'Web site of the archive.',
  logo: 'Logo beside the name on pages: a URL, or a path below MEDIA_DIR.',
  colours_light: 'Colour of links and buttons on light ground, such as #7a2e1d. Contrast 4.5:1 or more.',
  colours_dark: 'Colour of links and buttons on dark ground, such as #e9a48f. Contrast 4.5:1 or more.',
  partial_dates:
    'first-day: dates without a day (1850, 1850-03) become the first day. Empty: they are faults.',
};

/** What each column is for, in Dutch. */
const COLUMN_IN_DUTCH: Texts = {
  id: 'Nummer van het record, uniek binnen zijn tabel. U kiest het zelf; het verandert nooit.',
  uuid: 'UUID van het record, de sleutel in zijn adres. Laat leeg: hij wordt afgeleid van die van het archief en het id.',
  published: 'false houdt het record buiten wat wordt getoond. Leeg is true.',
  title_nl: 'Volledige weergavenaam. In het Nederlands.',
  title_en: 'Volledige weergavenaam. In het Engels. Leeg is onbekend; \\empty is bekend als leeg.',
  first_name: 'Voornaam of voornamen, of de hele naam van wat geen mens is.',
  infix: 'Tussenvoegsel, zoals "van der"; mag leeg zijn.',
  last_name: 'Achternaam zonder tussenvoegsel; een dubbele naam met spaties om het streepje; mag leeg zijn.',
  gender: 'Geslacht: "male" is de enige waarde die het contract kent.',
  birth_date: 'Geboortedatum.',
  birth_place: 'Geboorteplaats; mag leeg zijn.',
  birth_country: 'Geboorteland; mag leeg zijn.',
  death_date: 'Sterfdatum.',
  death_place: 'Plaats van overlijden; mag leeg zijn.',
  death_country: 'Land van overlijden; mag leeg zijn.',
  'persons.subjects': 'Onderwerpen van de persoon.',
  'locations.subjects': 'Onderwerpen van de locatie.',
  'events.subjects': 'Onderwerpen van de gebeurtenis.',
  summary_nl: 'Samenvatting. In het Nederlands.',
  summary_en: 'Samenvatting. In het Engels.',
  content_nl: 'Tekst (HTML). In het Nederlands.',
  content_en: 'Tekst (HTML). In het Engels.',
  description_nl: 'Beschrijving (HTML). In het Nederlands.',
  description_en: 'Beschrijving (HTML). In het Engels.',
  pictures: 'Afbeeldingen; leeg in alle archieven tot nu toe.',
  name_nl: 'Naam. In het Nederlands.',
  name_en: 'Naam. In het Engels.',
  parent: 'Het onderwerp waar dit een deel van is; leeg voor een onderwerp bovenaan.',
  same_as: 'Adressen van hetzelfde onderwerp in andere thesauri.',
  street: 'Straat en huisnummer; mag leeg zijn.',
  zipcode: 'Postcode; mag leeg zijn.',
  city: 'Plaats; mag leeg zijn.',
  state: 'Provincie of staat; mag leeg zijn.',
  land: 'Naam van het land; mag leeg zijn.',
  latitude: 'Breedtegraad in decimale graden (WGS 84), als tekst.',
  longitude: 'Lengtegraad in decimale graden (WGS 84), als tekst.',
  related_locations: 'Verwante locaties.',
  date: 'Datum van de gebeurtenis.',
  date_start: 'Eerste dag van een gebeurtenis van meer dagen.',
  date_end: 'Laatste dag van een gebeurtenis van meer dagen.',
  location: 'Waar het plaatsvond.',
  persons: 'Personen van de gebeurtenis.',
  image_url: 'Adres van de afbeelding van het record. Meer dan een: gebruik de tabel files.',
  image_caption: 'Bijschrift van de afbeelding.',
  image_credit: 'Naamsvermelding van de afbeelding: wie maakte haar, wie bewaart haar.',
  image_author: 'Wat er met de afbeelding mag (gebruiksvoorwaarden).',
  image_copyright: 'Wie welke rechten op de afbeelding heeft.',
  'files.id': 'Nummer van het bestand, uniek onder de bestanden.',
  'files.uuid': 'UUID van het bestand. Laat leeg: hij wordt afgeleid van die van het archief en het id.',
  owner_kind: 'Waar het bestand bij hoort: person, subject, location of event.',
  owner: 'Het record waar het bestand bij hoort.',
  role: 'image: de afbeelding van het record. file: een van zijn bestanden.',
  order: 'Plaats onder de bestanden van het record: 1, 2, 3 …',
  'files.name': 'Naam; mag leeg zijn.',
  'files.title': 'Bijschrift.',
  'files.alt': 'Naamsvermelding.',
  'files.url': 'Adres van een bestand elders.',
  'files.path': 'Adres van een bestand bij de dienst zelf.',
  'files.filetype': 'Soort bestand: "image" komt voor.',
  'files.description': 'Beschrijving; mag leeg zijn.',
  'files.author': 'Gebruiksvoorwaarden.',
  'files.copyright': 'Rechten; mag leeg zijn.',
  'archive.uuid': 'UUID van het archief, waarvan die van zijn records worden afgeleid. Hij verandert nooit.',
  'archive.title_nl': 'Naam van het archief. In het Nederlands.',
  'archive.title_en': 'Naam van het archief. In het Engels.',
  'archive.description_nl': 'Wat het archief is. In het Nederlands.',
  'archive.description_en': 'Wat het archief is. In het Engels.',
  publisher_nl: 'Wie het archief uitgeeft. In het Nederlands.',
  publisher_en: 'Wie het archief uitgeeft. In het Engels.',
  licence_name: 'Naam van de licentie van het archief.',
  licence_url: 'Adres van de tekst van de licentie.',
  homepage: 'Website van het archief.',
  logo: 'Logo naast de naam op pagina’s: een URL, of een pad onder MEDIA_DIR.',
  colours_light: 'Kleur van links en knoppen op lichte grond, zoals #7a2e1d. Contrast 4,5:1 of meer.',
  colours_dark: 'Kleur van links en knoppen op donkere grond, zoals #e9a48f. Contrast 4,5:1 of meer.',
  partial_dates: 'first-day: datums zonder dag (1850, 1850-03) worden de eerste dag. Leeg: ze zijn fouten.',
};

/** What the cells of each type hold. */
const TYPE_IN_ENGLISH: Readonly<Record<ColumnType, string>> = {
  id: 'whole number',
  uuid: 'UUID',
  boolean: 'true or false',
  text: 'text',
  nullable: 'text',
  html: 'HTML; or plain text in a column …_text; or Markdown in a column …_markdown',
  date: 'date, YYYY-MM-DD',
  degrees: 'decimal degrees with a point',
  reference: 'id, uuid or exact name of a record',
  references: 'ids, uuids or exact names of records, joined by |',
  urls: 'addresses, joined by |',
  json: 'a list as JSON',
};

/** What the cells of each type hold, in Dutch. */
const TYPE_IN_DUTCH: Readonly<Record<ColumnType, string>> = {
  id: 'heel getal',
  uuid: 'UUID',
  boolean: 'true of false',
  text: 'tekst',
  nullable: 'tekst',
  html: 'HTML; of platte tekst in een kolom …_text; of Markdown in een kolom …_markdown',
  date: 'datum, JJJJ-MM-DD',
  degrees: 'decimale graden met een punt',
  reference: 'id, uuid of precieze naam van een record',
  references: 'id’s, uuid’s of precieze namen van records, gescheiden door |',
  urls: 'adressen, gescheiden door |',
  json: 'een lijst als JSON',
};
