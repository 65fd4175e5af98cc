import { z } from 'zod';
import { entrySchema } from './answers.ts';
import { forKinds, KINDS, type Kind } from './kinds.ts';
import { abbreviatedEventSchema, recordSchemas } from './records.ts';

/** The fields of a record, in the contract's order; nested for fields that contain records or files. */
export interface FieldShape {
  readonly [field: string]: FieldShape | null;
}

/** The requested fields of a record: each in full, or some of its nested fields. In the contract's order. */
export interface Selection {
  readonly [field: string]: Selection | 'all';
}

/** Selects fields by name, such as `name` and `location.name`; unknown names are ignored. */
export function selectFields(shape: FieldShape, names: readonly string[]): Selection {
  const selection: Record<string, Selection | 'all'> = {};
  for (const [field, inner] of Object.entries(shape)) {
    if (names.includes(field)) {
      selection[field] = 'all';
    } else if (inner) {
      const prefix = `${field}.`;
      const below = names.filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length));
      const some = selectFields(inner, below);
      if (Object.keys(some).length > 0) selection[field] = some;
    }
  }
  return selection;
}

/** The names of the fields of a selection, such as `name` and `location.name`. */
export function selectedNames(selection: Selection): string[] {
  return Object.entries(selection).flatMap(([field, inner]) =>
    inner === 'all' ? [field] : selectedNames(inner).map((name) => `${field}.${name}`),
  );
}

/** Whether records have a field of this name. */
export function hasField(shape: FieldShape | null | undefined, name: string): boolean {
  if (!shape) return false;
  const [field = '', ...below] = name.split('.');
  return Object.hasOwn(shape, field) && (below.length === 0 || hasField(shape[field], below.join('.')));
}

/** The fields of each kind. */
export type FieldShapes = Readonly<Record<Kind, FieldShape>>;

export const FIELD_SHAPES: FieldShapes = forKinds((kind) => fieldsOf(recordSchemas[kind]));

/** The fields of each kind where events are abbreviated. */
export const ABBREVIATED_SHAPES: FieldShapes = { ...FIELD_SHAPES, event: fieldsOf(abbreviatedEventSchema) };

/** The fields of an image in `fields=brief`: what a list needs to show it. */
const imageFields = (name: string) => ['title', 'alt', 'url', 'path'].map((field) => `${name}.${field}`);

/** The fields that `fields=brief` selects: enough for a list or a map. */
export const BRIEF_FIELDS: Readonly<Record<Kind, readonly string[]>> = {
  person: ['id', ...imageFields('image'), ...'url uuid title birth_date death_date summary'.split(' ')],
  subject: ['id', ...imageFields('image'), ...'url uuid name summary parent'.split(' ')],
  location: [
    'id',
    ...imageFields('main_image'),
    ...'latitude longitude url name uuid summary street city'.split(' '),
  ],
  event: [
    'id',
    ...imageFields('main_image'),
    ...'latitude longitude url name uuid'.split(' ').map((field) => `location.${field}`),
    ...'url uuid name date date_start date_end summary'.split(' '),
  ],
};

/** The fields that `fields=brief` selects of an abbreviated event, whose location is an address. */
export const BRIEF_ABBREVIATED_FIELDS: readonly string[] = [
  ...new Set(BRIEF_FIELDS.event.map((field) => field.replace(/^location\..*/, 'location'))),
];

/** The fields of several kinds, merged: those of the first kind, then the additional ones of the others. */
export function mergedShape(kinds: readonly Kind[] = KINDS, shapes = FIELD_SHAPES): FieldShape {
  return kinds.map((kind) => shapes[kind]).reduce(merge, {});
}

function merge(one: FieldShape, other: FieldShape): FieldShape {
  const merged: Record<string, FieldShape | null> = { ...one };
  for (const [field, shape] of Object.entries(other)) {
    const known = merged[field];
    merged[field] = known && shape ? merge(known, shape) : (known ?? shape);
  }
  return merged;
}

function fieldsOf(schema: z.ZodObject): FieldShape {
  return Object.fromEntries(Object.entries(schema.shape).map(([field, value]) => [field, shapeOf(value)]));
}

function shapeOf(schema: unknown): FieldShape | null {
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional) return shapeOf(schema.unwrap());
  if (schema instanceof z.ZodArray) return shapeOf(schema.element);
  return schema instanceof z.ZodObject ? fieldsOf(schema) : null;
}

const made = new WeakMap<object, z.ZodType>();

/** Schemas of records with selected fields: every field may be absent, at any depth. */
export const selectedRecordSchemas = forKinds((kind) => selected(recordSchemas[kind]));

/** Schemas of records with `fields=brief`: exactly those fields. */
export const briefRecordSchemas = forKinds((kind) =>
  brief(recordSchemas[kind], FIELD_SHAPES[kind], BRIEF_FIELDS[kind]),
);

/** Schema of an abbreviated event with selected fields. */
export const selectedAbbreviatedSchema = selected(abbreviatedEventSchema);

/** Schema of an abbreviated event with `fields=brief`. */
export const briefAbbreviatedSchema = brief(
  abbreviatedEventSchema,
  ABBREVIATED_SHAPES.event,
  BRIEF_ABBREVIATED_FIELDS,
);

/** Schema of a hit of search with selected fields. */
export const selectedEntrySchema = entrySchema(selectedRecordSchemas).meta({
  id: 'SearchEntryFields',
  description: 'One hit of search, with the requested fields.',
});

/** Schema of a hit of search with `fields=brief`. */
export const briefEntrySchema = entrySchema(briefRecordSchemas).meta({
  id: 'SearchEntryBrief',
  description: 'One hit of search, with fields=brief.',
});

/** Schemas of a hit of search with abbreviated events: with all fields, with `fields=brief`, and with selected ones. */
export const abbreviatedEntrySchemas = [
  entrySchema({ ...recordSchemas, event: abbreviatedEventSchema }).meta({
    id: 'SearchEntryAbbreviated',
    description: 'One hit of search, with abbreviated events.',
  }),
  entrySchema({ ...briefRecordSchemas, event: briefAbbreviatedSchema }).meta({
    id: 'SearchEntryAbbreviatedBrief',
    description: 'One hit of search, with abbreviated events and fields=brief.',
  }),
  entrySchema({ ...selectedRecordSchemas, event: selectedAbbreviatedSchema }).meta({
    id: 'SearchEntryAbbreviatedFields',
    description: 'One hit of search, with abbreviated events and the requested fields.',
  }),
] as const;

function brief(schema: z.ZodObject, shape: FieldShape, fields: readonly string[]): z.ZodType {
  const meta = schema.meta();
  return picked(schema, selectFields(shape, fields)).meta({
    id: `${String(meta?.['id'])}Brief`,
    description: `${meta?.description ?? ''} With fields=brief.`.trim(),
  });
}

/** A schema with the selected fields only, each required as it is. */
function picked(schema: unknown, selection: Selection | 'all'): z.ZodType {
  if (!(schema instanceof z.ZodType)) return z.unknown();
  if (selection === 'all') return schema;
  if (schema instanceof z.ZodNullable) return picked(schema.unwrap(), selection).nullable();
  if (!(schema instanceof z.ZodObject)) return schema;
  const shape = Object.entries(selection).map(([field, inner]) => [
    field,
    picked(schema.shape[field], inner),
  ]);
  return z.strictObject(Object.fromEntries(shape));
}

/** A schema with every field optional, at any depth. */
function selected(schema: z.ZodObject): z.ZodType {
  const known = made.get(schema);
  if (known) return known;
  const shape = Object.fromEntries(
    Object.entries(schema.shape).map(([field, value]) => [field, inner(value).optional()]),
  );
  const meta = schema.meta();
  const result = z.strictObject(shape).meta({
    id: `${String(meta?.['id'])}Fields`,
    description: `${meta?.description ?? ''} Only some fields.`.trim(),
  });
  made.set(schema, result);
  return result;
}

function inner(schema: unknown): z.ZodType {
  if (schema instanceof z.ZodNullable) return inner(schema.unwrap()).nullable();
  if (schema instanceof z.ZodArray) return z.array(inner(schema.element));
  if (schema instanceof z.ZodObject) return selected(schema);
  return schema instanceof z.ZodType ? schema : z.unknown();
}
