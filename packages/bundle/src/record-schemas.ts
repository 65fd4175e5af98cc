import {
  type Event,
  type FileObject,
  forKinds,
  type Kind,
  type KnownDates,
  knownDatesSchema,
  type Location,
  type Person,
  recordSchemas,
  type Subject,
} from '@archiefkast/types';
import {
  type ColumnType,
  factsOf,
  firstDayOf,
  isObject,
  RECORD_COLUMN_FIELDS,
  referenceNames,
  toEdtf,
} from '@archiefkast/types/internal';
import { z } from 'zod';
import type { PartialDates } from './archive-description.ts';
import {
  absoluteUrl,
  anything,
  date,
  degrees,
  derived,
  hostedFile,
  id,
  list,
  optionalUrl,
  orElse,
  pixels,
  plainText,
  reasonOf,
  reference,
  text,
  uuid,
} from './field-schemas.ts';
import { hintOf } from './nearest-name.ts';
import type { SourceRecord } from './record-source.ts';

/** The order in which files are read: referenced kinds first. */
export const READING_ORDER = ['subject', 'person', 'location', 'event'] as const satisfies readonly Kind[];

/** Fields that are derived from others. */
type Derived = 'url' | 'title' | 'name' | 'content' | 'description' | 'summary';

/** A value with files as a bundle has them. */
type WithSizes<Value> = Value extends FileObject
  ? BundleFile
  : Value extends FileObject[]
    ? BundleFile[]
    : Value;

/** A record without its derived fields; it may be unpublished. */
type Stored<Served> = { [Field in keyof Omit<Served, Derived | 'published'>]: WithSizes<Served[Field]> } & {
  published: boolean;
};

/** The record of a bundle of each kind, once it is parsed: references are uuids. */
export interface BundleRecord {
  person: Stored<Person>;
  subject: Stored<Subject>;
  location: Omit<Stored<Location>, 'events' | 'subjects' | 'position' | 'location_events'> & {
    /** Of abbreviated events only the subjects are used, as harvested events do not include them. */
    events: { uuid: string; subjects: string[] }[];
    subjects: string[];
  };
  event: Omit<Stored<Event>, 'persons' | 'location'> & {
    persons: string[];
    location: string | null;
    /** Absent in a harvested event; then they come from its location's abbreviated event. */
    subjects?: string[] | null;
  };
}

const published = orElse(z.boolean(), true);

/** The schemas of fields in a bundle, by the type of their column. */
const BY_TYPE: Readonly<Record<ColumnType, (name: string, target: Kind) => z.ZodType>> = {
  id: () => id,
  uuid: () => uuid,
  boolean: () => published,
  text: () => text,
  nullable: () => orElse(plainText, null),
  html: () => text,
  date: () => date,
  degrees: (name) => degrees(name === 'latitude' ? 90 : 180),
  reference: (name, target) => orElse(name === 'parent' ? id : reference(target), null),
  references: (_, target) => list(reference(target)),
  urls: () => list(absoluteUrl).transform((urls) => (urls.length > 0 ? urls : null)),
  json: () => list(anything),
};

/** A file or image in a bundle. */
export const fileObject = z
  .strictObject({
    id,
    uuid,
    name: text,
    title: text,
    alt: text,
    url: optionalUrl,
    path: orElse(hostedFile, null),
    filetype: text,
    description: text,
    author: text,
    copyright: text,
    width: pixels,
    height: pixels,
  })
  .superRefine(({ width, height }, { addIssue }) => {
    if (Boolean(width) === Boolean(height)) return;
    const [has, lacks] = width ? ['width', 'height'] : ['height', 'width'];
    addIssue({ code: 'custom', path: [lacks], message: `is missing, but ${has} is given` });
  }) satisfies z.ZodType<FileObject>;

/** A file or image of a bundle: that of the API, and its size in pixels. */
export type BundleFile = z.infer<typeof fileObject>;

/** The schemas of fields in a bundle that have no column, unless they are derived from others. */
const WITHOUT_COLUMN: Readonly<Record<string, z.ZodType>> = {
  image: orElse(fileObject, null),
  main_image: orElse(fileObject, null),
  files: list(fileObject),
  events: list(z.object({ uuid, subjects: list(reference('subject')) })),
  same_as: z.null({ error: 'expected null: only subjects have vocabulary URLs' }).optional(),
};

/** The schema of each kind's records in a bundle. Events may have the field `subjects`, which is not served. */
export const bundleSchemas = forKinds((kind) => {
  const shape: Record<string, z.ZodType> = { id, uuid, published };
  for (const [name, schema] of Object.entries<z.ZodType>(recordSchemas[kind].shape)) {
    const facts = factsOf(schema);
    shape[name] =
      facts && !facts.isDerived
        ? BY_TYPE[facts.type](name, facts.target ?? kind)
        : (WITHOUT_COLUMN[name] ?? derived);
    if (name === 'persons') shape['subjects'] = z.array(reference('subject')).nullish();
  }
  return z.strictObject(shape);
});

/** The bilingual texts of each kind, each with its name without a language, and its two fields: name, HTML text and all. */
export const MULTILINGUAL = forKinds((kind) => {
  const asked = RECORD_COLUMN_FIELDS[kind].filter(({ language }) => language === 'asked');
  const texts = asked.map(({ name: field }) => ({ field, nl: `${field}_nl`, en: `${field}_en` }));
  const [name, summary, html] = texts;
  if (!name || !summary || !html) throw new Error(`a ${kind} lacks a bilingual text`);
  return { name, html, all: [name, html, summary] };
});

/** The name of a record in Dutch or else English, or a person's own name; empty if it has none. */
export function nameOf(kind: Kind, record: Readonly<Record<string, unknown>>): string {
  const [name = ''] = referenceNames(kind, (field) => String(record[field] ?? ''));
  return name;
}

/** One mistake in a line. */
interface LineFault {
  field?: string;
  reason: string;
}

/** A record that was validated. */
interface ParsedRecord<K extends Kind> {
  /** Absent if it has faults. */
  record?: BundleRecord[K];
  faults: LineFault[];
  /** What is known of the dates that were set to a first day. */
  dates: KnownDates;
  /** The valid parts of its identity. */
  known: { id?: number | undefined; uuid?: string | undefined };
}

/**
 * Limit on the JSON size of a record's own fields, in bytes. A rendered record may repeat its texts (when one language
 * is missing) and SQL doubles quotes; this size is certain to fit the default packet of MariaDB (16 MB).
 */
const LARGEST_RECORD = 2 * 2 ** 20;

/**
 * Validates a record of a bundle.
 *
 * @param partialDates how dates of which less than a day is known are handled
 */
export function parseRecord<K extends Kind>(
  kind: K,
  { value, length, reason }: Omit<SourceRecord, 'at'>,
  partialDates?: PartialDates,
): ParsedRecord<K> {
  const refuse = (why: string) => ({ faults: [{ reason: why }], dates: {}, known: {} });
  if (reason !== undefined) return refuse(reason);
  if (!isObject(value)) return refuse(`expected a JSON object with the fields of ${withArticle(kind)}`);
  const dates = partialDates === undefined ? {} : takeFirstDays(kind, value);
  const parsed = bundleSchemas[kind].safeParse(value);
  const faults = parsed.error?.issues.flatMap((issue) => describeIssue(kind, issue)) ?? [];
  // Without embedded records. A character of a string is at most three bytes; what the schema adds is short.
  const isLong = length * 3 >= LARGEST_RECORD;
  const size = isLong && parsed.success ? Buffer.byteLength(JSON.stringify(parsed.data)) : 0;
  if (size > LARGEST_RECORD) {
    const [has, may] = [size, LARGEST_RECORD].map((bytes) => bytes.toLocaleString('en'));
    const way = 'put images and the like on the web and link to them';
    faults.push({ reason: `has ${has} bytes, more than the limit of ${may}; ${way}` });
  }
  for (const { field, nl, en } of MULTILINGUAL[kind].all) {
    // Texts without a language are derived fields, so a text given only there would be lost.
    if (typeof value[field] !== 'string' || !value[field] || value[nl] || value[en]) continue;
    const reason = `would be lost: expected the Dutch text in ${nl} and the English text in ${en}`;
    faults.push({ field, reason });
  }
  if (parsed.success && faults.length === 0)
    return { record: parsed.data as BundleRecord[K], faults, dates, known: parsed.data };
  const known = { id: id.safeParse(value['id']).data, uuid: uuid.safeParse(value['uuid']).data };
  return { faults, dates, known };
}

/**
 * Sets every date of a record of which less than a day is known to the first day that it can be.
 *
 * @returns what is known of these dates, by field
 */
export function takeFirstDays(kind: Kind, record: Record<string, unknown>): KnownDates {
  const dates: Record<string, string> = {};
  for (const { name, type } of RECORD_COLUMN_FIELDS[kind]) {
    const given = record[name];
    const edtf = type === 'date' && typeof given === 'string' ? toEdtf(given) : undefined;
    const day = edtf && firstDayOf(edtf);
    if (!edtf || !day || day === given) continue;
    record[name] = day;
    if (day !== edtf) dates[name] = edtf;
  }
  return knownDatesSchema.parse(dates);
}

/** Words a schema issue for the author of the bundle. */
function describeIssue(kind: Kind, issue: z.core.$ZodIssue): LineFault[] {
  if (issue.code !== 'unrecognized_keys') return [{ field: fieldName(issue.path), reason: reasonOf(issue) }];
  return issue.keys.map((key) => {
    const isOfRecord = issue.path.length === 0;
    const hint = isOfRecord ? hintOf(key, Object.keys(bundleSchemas[kind].shape)) : '';
    const owner = isOfRecord ? withArticle(kind) : 'a file';
    return { field: fieldName([...issue.path, key]), reason: `is not a field of ${owner}${hint}` };
  });
}

function withArticle(kind: Kind): string {
  return kind === 'event' ? 'an event' : `a ${kind}`;
}

/** `files[0].url` for the path `['files', 0, 'url']`. */
export function fieldName(path: readonly PropertyKey[]): string {
  return path
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`))
    .join('')
    .slice(1);
}
