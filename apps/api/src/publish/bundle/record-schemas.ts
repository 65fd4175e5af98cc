import {
  type ColumnType,
  type Event,
  type FileObject,
  factsOf,
  forKinds,
  type Kind,
  type Location,
  type Person,
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

/** A file of a record of a bundle. */
export type BundleFile = FileObject;

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

/** `same_as` of kinds without vocabulary URLs. */
const noSameAs = z.null({ error: 'expected null: only subjects have vocabulary URLs' }).optional();

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

type Shape = Readonly<Record<string, z.ZodType>>;

/** The fields of a record in a bundle, by the fields that are served; those without a column are derived. */
function bundleFields(served: Shape): Record<string, z.ZodType> {
  const fields = Object.entries(served).map(([name, schema]) => {
    const facts = factsOf(schema);
    if (!facts || facts.isDerived) return [name, derived] as const;
    return [name, BY_TYPE[facts.type](name, facts.target ?? 'person')] as const;
  });
  return Object.fromEntries(fields);
}

/** A file or image in a bundle. */
export const fileObject = z.strictObject({
  id,
  uuid,
  name: text,
  title: text,
  alt: text,
  url: z
    .union([absoluteUrl, z.literal('')])
    .nullish()
    .transform((value) => value ?? ''),
  path: optional(hostedFile),
  filetype: text,
  description: text,
  author: text,
  copyright: text,
}) satisfies z.ZodType<BundleFile>;

const image = optional(fileObject);
const files = list(fileObject);

/** Fields whose schema does not follow from the type of their column, in their order. */
const OTHER_FIELDS = {
  person: { image, files, same_as: noSameAs },
  subject: { image, files },
  location: {
    files,
    main_image: image,
    events: list(z.object({ uuid, subjects: list(reference('subject')) })),
    same_as: noSameAs,
  },
  event: { main_image: image, files, same_as: noSameAs },
} as const satisfies Record<Kind, Shape>;

/** The schema of each kind's records in a bundle. Events may have the field `subjects`, which is not served. */
export const bundleSchemas = forKinds((kind) => {
  const shape: Record<string, z.ZodType> = { id, uuid, published };
  const served: Shape = recordSchemas[kind].shape;
  const fields: Shape = { ...bundleFields(served), ...OTHER_FIELDS[kind] };
  for (const [name, schema] of Object.entries(fields)) {
    shape[name] = schema;
    if (name === 'persons') shape['subjects'] = z.array(reference('subject')).nullish();
  }
  return z.strictObject(shape);
});
