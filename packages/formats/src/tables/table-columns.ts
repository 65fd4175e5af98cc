import type { Kind } from '@archiefkast/types';

/** The tables of a bundle: a file of CSV or a sheet each. */
export const TABLES = ['persons', 'subjects', 'locations', 'events', 'files', 'archive'] as const;

/** The name of a table. */
export type TableName = (typeof TABLES)[number];

/** What the cells of a column hold. */
export type ColumnType =
  | 'id'
  | 'uuid'
  | 'boolean'
  | 'text'
  /** A text that may be null: an empty cell is null, `\empty` is `""`, a leading `\` is doubled. */
  | 'nullable'
  /** HTML; beside it may stand the same as plain text or Markdown. */
  | 'html'
  | 'date'
  | 'degrees'
  /** A record: its id, its uuid or its name. */
  | 'reference'
  /** Records, joined by `|`. */
  | 'references'
  /** Addresses, joined by `|`. */
  | 'urls'
  | 'json';

/** A column of a table, called like the field that it holds. */
export interface TableColumn {
  name: string;
  type: ColumnType;
  /** The kind that references name. */
  target?: Kind;
  /** The values that a drop-down offers. */
  choices?: readonly string[];
}

const text = (...names: string[]): TableColumn[] => names.map((name) => ({ name, type: 'text' }));
const bilingual = (type: ColumnType, ...names: string[]): TableColumn[] =>
  names.flatMap((name) => ['nl', 'en'].map((language) => ({ name: `${name}_${language}`, type })));
const dates = (...names: string[]): TableColumn[] => names.map((name) => ({ name, type: 'date' }));
const references = (name: string, target: Kind): TableColumn => ({ name, type: 'references', target });

const BOOLEANS = ['true', 'false'];

const common: TableColumn[] = [
  { name: 'id', type: 'id' },
  { name: 'uuid', type: 'uuid' },
  { name: 'published', type: 'boolean', choices: BOOLEANS },
];

/** The columns of the table with the records of a kind: every field that is stored, but for images and files. */
export const RECORD_COLUMNS: Readonly<Record<Kind, readonly TableColumn[]>> = {
  person: [
    ...common,
    { name: 'title_nl', type: 'text' },
    { name: 'title_en', type: 'nullable' },
    ...text('first_name', 'infix', 'last_name'),
    { name: 'gender', type: 'text', choices: ['male', 'female'] },
    ...dates('birth_date'),
    ...text('birth_place', 'birth_country'),
    ...dates('death_date'),
    ...text('death_place', 'death_country'),
    references('subjects', 'subject'),
    ...bilingual('text', 'summary'),
    ...bilingual('html', 'content'),
    { name: 'pictures', type: 'json' },
  ],
  subject: [
    ...common,
    ...bilingual('text', 'name'),
    { name: 'parent', type: 'reference', target: 'subject' },
    { name: 'same_as', type: 'urls' },
    ...bilingual('text', 'summary'),
    ...bilingual('html', 'description'),
  ],
  location: [
    ...common,
    ...bilingual('text', 'name'),
    ...text('street', 'zipcode', 'city', 'state', 'land'),
    { name: 'latitude', type: 'degrees' },
    { name: 'longitude', type: 'degrees' },
    references('subjects', 'subject'),
    references('related_locations', 'location'),
    ...bilingual('text', 'summary'),
    ...bilingual('html', 'content'),
  ],
  event: [
    ...common,
    ...bilingual('text', 'name'),
    ...dates('date', 'date_start', 'date_end'),
    { name: 'location', type: 'reference', target: 'location' },
    references('persons', 'person'),
    references('subjects', 'subject'),
    ...bilingual('text', 'summary'),
    ...bilingual('html', 'content'),
  ],
};

/** The field of a kind's records that holds their image. */
export const IMAGE_FIELD = {
  person: 'image',
  subject: 'image',
  location: 'main_image',
  event: 'main_image',
} as const satisfies Record<Kind, string>;

/** What a file is of its record: its image, or one of its files. */
export const ROLES = ['image', 'file'] as const;

/** The columns of the table of images and files. */
export const FILE_COLUMNS: readonly TableColumn[] = [
  { name: 'id', type: 'id' },
  { name: 'uuid', type: 'uuid' },
  { name: 'owner_kind', type: 'text', choices: ['person', 'subject', 'location', 'event'] },
  { name: 'owner', type: 'reference' },
  { name: 'role', type: 'text', choices: ROLES },
  { name: 'order', type: 'id' },
  ...text('name', 'title', 'alt', 'url', 'path'),
  { name: 'filetype', type: 'text', choices: ['image'] },
  ...text('description', 'author', 'copyright'),
];

/** An image may stand in the row of its record, in these columns: the field of the image that each holds. */
export const IMAGE_COLUMNS: Readonly<Record<string, string>> = {
  image_url: 'url',
  image_caption: 'title',
  image_credit: 'alt',
  image_author: 'author',
  image_copyright: 'copyright',
};

/** The columns of the table of one row that describes the archive, and the path of each in `archive.json`. */
export const ARCHIVE_COLUMNS: readonly (TableColumn & { path: readonly [string, string?] })[] = [
  { name: 'uuid', type: 'uuid', path: ['uuid'] },
  ...['title', 'description', 'publisher'].flatMap((name) =>
    ['nl', 'en'].map((language) => ({
      name: `${name}_${language}`,
      type: 'text' as const,
      path: [name, language] as const,
    })),
  ),
  { name: 'licence_name', type: 'text', path: ['licence', 'name'] },
  { name: 'licence_url', type: 'text', path: ['licence', 'url'] },
  { name: 'homepage', type: 'text', path: ['homepage'] },
  { name: 'logo', type: 'text', path: ['logo'] },
  { name: 'colours_light', type: 'text', path: ['colours', 'light'] },
  { name: 'colours_dark', type: 'text', path: ['colours', 'dark'] },
  { name: 'partial_dates', type: 'text', choices: ['first-day'], path: ['partial_dates'] },
];

/** What may follow the name of a column of HTML: the same text in another form. */
export const TEXT_FORMS = ['_text', '_markdown'] as const;
