import { COLLECTIONS, forKinds, KINDS, type Kind } from '@archiefkast/types';
import { FILE_COLUMN_FIELDS, type FieldColumn, RECORD_COLUMN_FIELDS } from '@archiefkast/types/internal';

/** The tables of a bundle: each a CSV file or a sheet. */
export const TABLES = ['persons', 'subjects', 'locations', 'events', 'files', 'archive'] as const;

export type TableName = (typeof TABLES)[number];

/** A column of a table, with the name of its field. */
export type TableColumn = Omit<FieldColumn, 'short'>;

/** The columns of each kind's table: every stored field, except images and files. */
export const RECORD_COLUMNS: Readonly<Record<Kind, readonly TableColumn[]>> = forKinds((kind) =>
  RECORD_COLUMN_FIELDS[kind].filter(({ isDerived }) => !isDerived),
);

/** The roles of a file: image of the record, or one of its files. */
export const ROLES = ['image', 'file'] as const;

const OF_SIZE = {
  width: {
    en: 'Width of a picture in pixels. Of one in MEDIA_DIR, publish reads it.',
    nl: 'Breedte van een afbeelding in pixels. Van een in MEDIA_DIR leest publish die.',
  },
  height: {
    en: 'Height of a picture in pixels. Of one in MEDIA_DIR, publish reads it.',
    nl: 'Hoogte van een afbeelding in pixels. Van een in MEDIA_DIR leest publish die.',
  },
};

export const FILE_COLUMNS: readonly TableColumn[] = [
  ...FILE_COLUMN_FIELDS.slice(0, 2),
  {
    name: 'owner_kind',
    type: 'text',
    choices: KINDS,
    en: 'What the file belongs to: person, subject, location or event.',
    nl: 'Waar het bestand bij hoort: person, subject, location of event.',
  },
  {
    name: 'owner',
    type: 'reference',
    en: 'The record that the file belongs to.',
    nl: 'Het record waar het bestand bij hoort.',
  },
  {
    name: 'role',
    type: 'text',
    choices: ROLES,
    en: 'image: the image of the record. file: one of its files.',
    nl: 'image: de afbeelding van het record. file: een van zijn bestanden.',
  },
  {
    name: 'order',
    type: 'id',
    en: 'Place among the files of the record: 1, 2, 3 …',
    nl: 'Plaats onder de bestanden van het record: 1, 2, 3 …',
  },
  ...FILE_COLUMN_FIELDS.slice(2),
  { name: 'width', type: 'id', ...OF_SIZE.width },
  { name: 'height', type: 'id', ...OF_SIZE.height },
];

const image = (name: string, field: string, en: string, nl: string) =>
  ({ name, type: 'text', en, nl, field }) as const;

/** Columns for an image in the row of its record, each with its field of the image. */
export const IMAGE_TEXT_COLUMNS: readonly (TableColumn & { field: string })[] = [
  image(
    'image_url',
    'url',
    'Address of the image of the record. More than one: use the table files.',
    'Adres van de afbeelding van het record. Meer dan een: gebruik de tabel files.',
  ),
  image('image_caption', 'title', 'Caption of the image.', 'Bijschrift van de afbeelding.'),
  image(
    'image_credit',
    'alt',
    'Credit line of the image: who made it, who keeps it.',
    'Naamsvermelding van de afbeelding: wie maakte haar, wie bewaart haar.',
  ),
  image(
    'image_author',
    'author',
    'What may be done with the image (usage statement).',
    'Wat er met de afbeelding mag (gebruiksvoorwaarden).',
  ),
  image(
    'image_copyright',
    'copyright',
    'Who has which rights to the image (rights statement).',
    'Wie welke rechten op de afbeelding heeft.',
  ),
  { name: 'image_width', field: 'width', type: 'id', ...OF_SIZE.width },
  { name: 'image_height', field: 'height', type: 'id', ...OF_SIZE.height },
];

export const IMAGE_COLUMNS: Readonly<Record<string, string>> = Object.fromEntries(
  IMAGE_TEXT_COLUMNS.map(({ name, field }) => [name, field]),
);

/** Fields of `archive.json` that have one column, though their names have an underscore. */
const WHOLE = ['partial_dates', 'mirror_of', 'derived_from'];

/** A column of the table `archive`, with its path in `archive.json`: `licence_name` is at `licence.name`. */
function ofArchive(name: string, en: string, nl: string) {
  const [first = name, second] = WHOLE.includes(name) ? [name] : name.split('_');
  return { name, type: 'text', en, nl, path: [first, second] } as const;
}

const bilingual = (name: string, en: string, nl: string) => [
  ofArchive(`${name}_nl`, `${en} In Dutch.`, `${nl} In het Nederlands.`),
  ofArchive(`${name}_en`, `${en} In English.`, `${nl} In het Engels.`),
];

/** The columns of the table `archive`, which has one row, and the path of each in `archive.json`. */
export const ARCHIVE_COLUMNS: readonly (TableColumn & { path: readonly [string, string | undefined] })[] = [
  {
    ...ofArchive(
      'uuid',
      'UUID of the archive, from which those of its records are derived. It never changes.',
      'UUID van het archief, waarvan die van zijn records worden afgeleid. Hij verandert nooit.',
    ),
    type: 'uuid',
  },
  ...bilingual('title', 'Name of the archive.', 'Naam van het archief.'),
  ...bilingual('description', 'What the archive is.', 'Wat het archief is.'),
  ...bilingual('publisher', 'Who publishes the archive.', 'Wie het archief uitgeeft.'),
  ...bilingual(
    'creator',
    'Who made the archive, if that is not the publisher.',
    'Wie het archief maakte, als dat niet de uitgever is.',
  ),
  ofArchive(
    'organisation_url',
    'Address on the web of the publisher, which names it.',
    'Webadres van de uitgever, waarmee die wordt aangeduid.',
  ),
  ofArchive('organisation_isil', 'ISIL of the publisher.', 'ISIL-code van de uitgever.'),
  ofArchive(
    'organisation_kvk',
    'Number of the publisher at the Dutch Chamber of Commerce.',
    'KvK-nummer van de uitgever.',
  ),
  ofArchive(
    'organisation_street',
    'Street and number of the publisher.',
    'Straat en huisnummer van de uitgever.',
  ),
  ofArchive('organisation_zipcode', 'Postal code of the publisher.', 'Postcode van de uitgever.'),
  ofArchive('organisation_city', 'City of the publisher.', 'Plaats van de uitgever.'),
  ofArchive('organisation_country', 'Country of the publisher.', 'Land van de uitgever.'),
  ...bilingual('contact', 'The department that answers questions.', 'De afdeling die vragen beantwoordt.'),
  ofArchive('email', 'E-mail address of the contact.', 'E-mailadres van het contact.'),
  ofArchive(
    'corrections',
    'E-mail address for corrections of records.',
    'E-mailadres voor verbeteringen van records.',
  ),
  ofArchive(
    'removal',
    'E-mail address for those who want a record removed.',
    'E-mailadres voor wie een record verwijderd wil hebben.',
  ),
  ...bilingual(
    'policy',
    'Address of the policy on lasting addresses of records.',
    'Adres van het beleid over blijvende adressen van records.',
  ),
  ...bilingual(
    'accessibility',
    'Address of the accessibility statement.',
    'Adres van de toegankelijkheidsverklaring.',
  ),
  ...bilingual(
    'note',
    'Content note of the archive: what readers should know beforehand, such as words that hurt.',
    'Vooraf bij het archief: wat lezers vooraf moeten weten, zoals woorden die kwetsen.',
  ),
  ...bilingual(
    'notes',
    'Content notes of subjects: the uuid of each, a space and its note; joined by |.',
    'Vooraf bij onderwerpen: van elk de uuid, een spatie en de tekst; met | ertussen.',
  ),
  {
    ...ofArchive(
      'reuse_mining',
      'Whether text and data mining is allowed: yes, no or unsaid.',
      'Of tekst- en datamining mag: yes, no of unsaid.',
    ),
    choices: ['yes', 'no', 'unsaid'],
  },
  {
    ...ofArchive(
      'reuse_training',
      'Whether training of models for artificial intelligence is allowed: yes, no or unsaid.',
      'Of training van modellen voor kunstmatige intelligentie mag: yes, no of unsaid.',
    ),
    choices: ['yes', 'no', 'unsaid'],
  },
  ...bilingual(
    'pages',
    'Pages of the archive itself: an object of names and Markdown, as JSON.',
    'Eigen pagina’s van het archief: een object van namen en Markdown, als JSON.',
  ).map((column) => ({ ...column, type: 'json' as const })),
  ofArchive('licence_name', 'Name of the licence of the archive.', 'Naam van de licentie van het archief.'),
  ofArchive('licence_url', 'Address of the text of the licence.', 'Adres van de tekst van de licentie.'),
  ofArchive('homepage', 'Web site of the archive.', 'Website van het archief.'),
  ofArchive('created', 'Day on which the archive was made.', 'Dag waarop het archief is gemaakt.'),
  {
    ...ofArchive(
      'about',
      'Topics of the whole archive: an address of a thesaurus for each.',
      'Onderwerpen van het hele archief: van elk een adres van een thesaurus.',
    ),
    type: 'urls',
  },
  ofArchive(
    'coverage_place',
    'Area that the records are about: an address of GeoNames.',
    'Gebied waarover de records gaan: een adres van GeoNames.',
  ),
  ofArchive(
    'coverage_period',
    'Period that the records are about, such as 1575/1795.',
    'Periode waarover de records gaan, zoals 1575/1795.',
  ),
  ofArchive(
    'logo',
    'Logo beside the name on pages: a URL, or a path below MEDIA_DIR.',
    'Logo naast de naam op pagina’s: een URL, of een pad onder MEDIA_DIR.',
  ),
  ofArchive(
    'colours_light',
    'Colour of links and buttons on light ground, such as #7a2e1d. Contrast 4.5:1 or more.',
    'Kleur van links en knoppen op lichte grond, zoals #7a2e1d. Contrast 4,5:1 of meer.',
  ),
  ofArchive(
    'colours_dark',
    'Colour of links and buttons on dark ground, such as #e9a48f. Contrast 4.5:1 or more.',
    'Kleur van links en knoppen op donkere grond, zoals #e9a48f. Contrast 4,5:1 of meer.',
  ),
  {
    ...ofArchive(
      'highlights',
      'Records that the front page shows: the uuid or address of each, up to twelve.',
      'Records die de voorpagina laat zien: van elk de uuid of het adres, ten hoogste twaalf.',
    ),
    type: 'urls',
  },
  {
    ...ofArchive(
      'partial_dates',
      'first-day: dates without an exact day (1850, 1850-03, 185X, c. 1850, 1850?) are allowed. Empty: they are faults.',
      'first-day: datums zonder precieze dag (1850, 1850-03, 185X, ca. 1850, 1850?) mogen. Leeg: ze zijn fouten.',
    ),
    choices: ['first-day'],
  },
  ofArchive(
    'replaced',
    'Records that are no more, and those in their place: two uuids, the old one first, with a space between; pairs are joined by |.',
    'Records die er niet meer zijn, en die ervoor in de plaats kwamen: twee uuid’s, de oude eerst, met een spatie ertussen; paren met | ertussen.',
  ),
  ofArchive(
    'mirror_of',
    'The archive of which this is a copy. Programs write it: do not change it, and nothing else either, or empty this cell.',
    'Het archief waarvan dit een kopie is. Programma’s schrijven het: wijzig het niet, en ook niets anders, of maak deze cel leeg.',
  ),
  ofArchive(
    'derived_from',
    'Address of the archive from which this one was made, if it began as a copy and is now an archive of its own.',
    'Adres van het archief waaruit dit is gemaakt, als het als kopie begon en nu een eigen archief is.',
  ),
];

export const TABLE_COLUMNS: readonly (readonly [TableName, readonly TableColumn[]])[] = [
  ...KINDS.map((kind) => [COLLECTIONS[kind], [...RECORD_COLUMNS[kind], ...IMAGE_TEXT_COLUMNS]] as const),
  ['files', FILE_COLUMNS],
  ['archive', ARCHIVE_COLUMNS],
];

/** The valid column names of a table: an HTML text may be plain text or Markdown in a column with a suffix. */
export function columnNames(table: string): string[] {
  const [, columns = []] = TABLE_COLUMNS.find(([name]) => name === table) ?? [];
  return columns.flatMap(({ name, type }) =>
    type === 'html' ? [name, `${name}_text`, `${name}_markdown`] : [name],
  );
}
