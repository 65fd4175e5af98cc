import { hintOf } from '@archiefkast/bundle/nearest-name';
import { compileDatePattern } from '@archiefkast/bundle/written-dates';
import {
  ARCHIVE_COLUMNS,
  columnNames,
  DELIMITERS,
  isEncoding,
  QUOTE_MARKS,
  RECORD_COLUMNS,
} from '@archiefkast/formats';
import { COLLECTIONS, isUuid, KINDS, type Kind } from '@archiefkast/types';
import { z } from 'zod';
import { COORDINATES } from './coordinates.ts';
import { NAME_PARTS } from './person-names.ts';

const name = z.string().trim().min(1, { error: 'expected a name' });
const separator = z.string().min(1, { error: 'expected a separator, such as ";"' });

/** One or more texts, as a list. */
function oneOrMore(item: z.ZodType<string>) {
  return z.preprocess((given) => (typeof given === 'string' ? [given] : given), z.array(item).min(1));
}

const datePattern = z.string().superRefine((pattern, context) => {
  const compiled = compileDatePattern(pattern);
  if (typeof compiled !== 'function') context.addIssue({ code: 'custom', message: compiled.fault });
});

/** The steps of a value, in the order in which they are applied. */
const steps = {
  column: name.optional(),
  constant: z.string().optional(),
  /** The columns with the year, month and day of a date. */
  year: name.optional(),
  month: name.optional(),
  day: name.optional(),
  /** Between the joined texts; a space if not given. */
  with: z.string().optional(),
  /** Separator of several texts in one. */
  list: separator.optional(),
  /** Keeps what stands after the first, or last, occurrence; nothing if there is none. */
  after: separator.optional(),
  after_last: separator.optional(),
  /** Keeps what stands before the first, or last, occurrence; everything if there is none. */
  before: separator.optional(),
  before_last: separator.optional(),
  /** Whole texts to replace. */
  replace: z.record(z.string(), z.string()).optional(),
  /** Patterns of dates. */
  date: oneOrMore(datePattern).optional(),
  /** A part of a point in degrees, or on the grid of the Netherlands. */
  degrees: z.enum(COORDINATES).optional(),
  rd: z.enum(COORDINATES).optional(),
  /** A part of the name of a person. */
  name: z.enum(NAME_PARTS).optional(),
  /** Separator of the terms of a path, from the broadest on. */
  path: separator.optional(),
  get join() {
    return z.array(value).min(1).optional();
  },
  /** The first that is not empty. */
  get first() {
    return z.array(value).min(1).optional();
  },
};

/** A text made from a row: of a column, of several joined, the first of several, or constant. */
export interface Value extends z.infer<z.ZodObject<Omit<typeof steps, 'join' | 'first'>>> {
  join?: Value[] | undefined;
  first?: Value[] | undefined;
}

/** A value of a field. */
export interface FieldValue extends Value {
  /** What becomes of a text that is not valid in its field: `keep` moves it to a column with `_`. */
  otherwise?: 'keep' | undefined;
}

/** The short form of a value: the name of a column. */
const fromColumn = (given: unknown) => (typeof given === 'string' ? { column: given } : given);

function checkSource(
  { column, join, first, constant, year, month, day, with: between }: Value,
  context: z.RefinementCtx,
): void {
  const given = [column, join, first, constant, year].filter((source) => source !== undefined);
  if (given.length !== 1) {
    context.addIssue({ code: 'custom', message: 'expected one of column, join, first, constant and year' });
  }
  if (year === undefined && (month ?? day) !== undefined) {
    const path = [month === undefined ? 'day' : 'month'];
    context.addIssue({ code: 'custom', path, message: 'is of use beside year only' });
  }
  if (between !== undefined && !join) {
    context.addIssue({ code: 'custom', path: ['with'], message: 'is of use beside join only' });
  }
}

const value: z.ZodType<Value> = z.preprocess(fromColumn, z.strictObject(steps).superRefine(checkSource));

const fieldValue: z.ZodType<FieldValue> = z.preprocess(
  fromColumn,
  z.strictObject({ ...steps, otherwise: z.literal('keep').optional() }).superRefine(checkSource),
);

/** Rows with one of the texts in each of the columns. */
const rowTest = z.record(name, oneOrMore(z.string()));

const source = z.strictObject({
  file: name,
  sheet: name.optional(),
  header: z
    .string()
    .regex(/^(?:none|[1-9]\d{0,5}(?:-[1-9]\d{0,5})?)$/, {
      error:
        'expected the number of the row with the names of the columns, from 1, or of two such as 1-2, or none',
    })
    .optional(),
  columns: z.array(name).min(1).optional(),
  encoding: z
    .string()
    .refine(isEncoding, {
      error: 'expected an encoding, such as utf-8, windows-1252, cp850, macintosh, iso-8859-2 or utf-16le',
    })
    .optional(),
  delimiter: z.enum(DELIMITERS).optional(),
  quote: z.enum(QUOTE_MARKS).optional(),
  /** Texts of whole cells that stand for nothing. */
  empty: oneOrMore(z.string()).optional(),
  characters: z.record(z.string().min(1), z.string()).optional(),
  fill: oneOrMore(name).optional(),
  drop: oneOrMore(name).optional(),
});

/** A source of rows, as the map describes it. */
export type SourceDescription = z.infer<typeof source>;

const recordRule = (kind: Kind) =>
  z
    .strictObject({
      from: name,
      only: rowTest.optional(),
      skip: rowTest.optional(),
      id: value.optional(),
      each: value.optional(),
      repeated: z.literal('numbered').optional(),
      fields: z.record(name, fieldValue),
    })
    .superRefine(({ id, each, repeated, fields }, context) => {
      if (repeated && !id) {
        context.addIssue({ code: 'custom', path: ['repeated'], message: 'is of use beside id only' });
      }
      if (each?.path !== undefined && kind !== 'subject') {
        const message = 'makes a record of every term of a path, which only subjects have';
        context.addIssue({ code: 'custom', path: ['each', 'path'], message });
      }
      if ((id === undefined) === (each === undefined)) {
        const message = 'expected id (a record of every row) or each (a record of every distinct value)';
        context.addIssue({ code: 'custom', message });
      }
      for (const [field, { list }] of Object.entries(fields)) {
        const fault = faultOfField(kind, field);
        if (fault) context.addIssue({ code: 'custom', path: ['fields', field], message: fault });
        else if (list !== undefined && !isListField(kind, field)) {
          const message = `${field} has one value; list is for ${listFields(kind).join(', ')}`;
          context.addIssue({ code: 'custom', path: ['fields', field, 'list'], message });
        }
      }
    });

/** How records of a kind are made from a source. */
export type RecordRule = z.infer<ReturnType<typeof recordRule>>;

const ARCHIVE_NAMES = ARCHIVE_COLUMNS.map((column) => column.name);

const archive = z.record(z.string(), z.string()).superRefine((given, context) => {
  if (!isUuid(given['uuid'] ?? '')) {
    const message = 'expected a UUID, from which those of the records are derived; import --draft makes one';
    context.addIssue({ code: 'custom', path: ['uuid'], message });
  }
  for (const field of Object.keys(given)) {
    if (ARCHIVE_NAMES.includes(field)) continue;
    const message = `is not a field of the archive${hintOf(field, ARCHIVE_NAMES)}`;
    context.addIssue({ code: 'custom', path: [field], message });
  }
});

/** The schema of a map. */
export const mapSchema = z
  .strictObject({
    archive,
    sources: z.record(name, source),
    persons: z.array(recordRule('person')).optional(),
    subjects: z.array(recordRule('subject')).optional(),
    locations: z.array(recordRule('location')).optional(),
    events: z.array(recordRule('event')).optional(),
  })
  .superRefine((map, context) => {
    const names = Object.keys(map.sources);
    if (KINDS.every((kind) => !map[COLLECTIONS[kind]]?.length)) {
      const message = 'makes no records; expected persons, subjects, locations or events';
      context.addIssue({ code: 'custom', message });
    }
    for (const kind of KINDS) {
      for (const [index, { from }] of (map[COLLECTIONS[kind]] ?? []).entries()) {
        if (names.includes(from)) continue;
        const message = `"${from}" is not one of the sources${hintOf(from, names)}`;
        context.addIssue({ code: 'custom', path: [COLLECTIONS[kind], index, 'from'], message });
      }
    }
  });

/** A map: what tables are made of which columns of which sources. */
export type ImportMap = z.infer<typeof mapSchema>;

/** The fields of a kind that a map fills. */
export function fieldNames(kind: Kind): string[] {
  return columnNames(COLLECTIONS[kind]).filter((field) => field !== 'id' && field !== 'uuid');
}

/** Whether a field has several values in a cell. */
export function isListField(kind: Kind, field: string): boolean {
  return listFields(kind).includes(field);
}

function listFields(kind: Kind): string[] {
  const isList = (type: string) => type === 'references' || type === 'urls';
  return RECORD_COLUMNS[kind].filter(({ type }) => isList(type)).map((column) => column.name);
}

/** The field to which texts that are not valid in a field are moved: `_date`, or `_date (2)` if the map has that. */
export function movedField(kind: Kind, field: string, map: ImportMap): string {
  const isTaken = (map[COLLECTIONS[kind]] ?? []).some((rule) => `_${field}` in rule.fields);
  return isTaken ? `_${field} (2)` : `_${field}`;
}

function faultOfField(kind: Kind, field: string): string | undefined {
  const names = fieldNames(kind);
  if (field.startsWith('_') || names.includes(field)) return undefined;
  if (field === 'id') return 'stands beside fields, not in it';
  if (field === 'uuid') return 'is derived from the uuid of the archive and the id';
  const inLanguages = names.filter((each) => each === `${field}_nl` || each === `${field}_en`);
  const hint = inLanguages.length > 0 ? `; did you mean ${inLanguages.join(' or ')}?` : hintOf(field, names);
  return `is not a field of ${COLLECTIONS[kind]}${hint || '; a name that begins with _ keeps a column for you'}`;
}
