import {
  type ColumnType,
  type Event,
  type FileObject,
  factsOf,
  forKinds,
  KIND_FACTS,
  type Kind,
  type Location,
  type Person,
  RECORD_COLUMN_FIELDS,
  recordSchemas,
  type Subject,
} from '@archiefkast/types';
import { z } from 'zod';
import {
  absoluteUrl,
  anything,
  date,
  degrees,
  derived,
  hostedFile,
  id,
  list,
  nullableText,
  optional,
  optionalUrl,
  reference,
  text,
  uuid,
} from './field-schemas.ts';

/** The order in which files are read: referenced kinds first. */
export const READING_ORDER = ['subject', 'person', 'location', 'event'] as const satisfies readonly Kind[];

/** Fields that are derived from others. */
type Derived = 'url' | 'title' | 'name' | 'content' | 'description' | 'summary';

/** A record without its derived fields; it may be unpublished. */
type Stored<Served> = Omit<Served, Derived | 'published'> & { published: boolean };

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

const published = z
  .boolean()
  .nullish()
  .transform((value) => value ?? true);

/** The schemas of fields in a bundle, by the type of their column. */
const BY_TYPE: Readonly<Record<ColumnType, (name: string, target: Kind) => z.ZodType>> = {
  id: () => id,
  uuid: () => uuid,
  boolean: () => published,
  text: () => text,
  nullable: () => nullableText,
  html: () => text,
  date: () => date,
  degrees: (name) => degrees(name === 'latitude' ? 90 : 180),
  reference: (name, target) => optional(name === 'parent' ? id : reference(target)),
  references: (_, target) => list(reference(target)),
  urls: () => list(absoluteUrl).transform((urls) => (urls.length > 0 ? urls : null)),
  json: () => list(anything),
};

/** A file or image in a bundle. */
export const fileObject = z.strictObject({
  id,
  uuid,
  name: text,
  title: text,
  alt: text,
  url: optionalUrl,
  path: optional(hostedFile),
  filetype: text,
  description: text,
  author: text,
  copyright: text,
}) satisfies z.ZodType<FileObject>;

/** The schemas of fields in a bundle that have no column, unless they are derived from others. */
const WITHOUT_COLUMN: Readonly<Record<string, z.ZodType>> = {
  image: optional(fileObject),
  main_image: optional(fileObject),
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

/** A text in Dutch and English: its name without a language suffix, and its two fields. */
interface MultilingualText {
  field: string;
  nl: string;
  en: string;
}

/** The bilingual texts of each kind: its name, its HTML text and its summary. */
export const MULTILINGUAL = forKinds((kind) => {
  const asked = RECORD_COLUMN_FIELDS[kind].filter(({ language }) => language === 'asked');
  const texts = asked.map(({ name: field }) => ({ field, nl: `${field}_nl`, en: `${field}_en` }));
  const [name, summary, html] = texts;
  if (!name || !summary || !html) throw new Error(`a ${kind} lacks a bilingual text`);
  return { name, html, all: [name, html, summary] as readonly MultilingualText[] };
});

/** The name of a record in Dutch or else English, or a person's own name; empty if it has none. */
export function nameOf(kind: Kind, record: Readonly<Record<string, unknown>>): string {
  const names = KIND_FACTS[kind].names.map((fields) => {
    const parts = fields.map((field) => String(record[field] ?? '').trim());
    return parts.filter(Boolean).join(' ');
  });
  return names.find(Boolean) ?? '';
}
