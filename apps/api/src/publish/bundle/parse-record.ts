import type { Kind } from '@archiefkast/types';
import type { z } from 'zod';
import { nearestName } from '../../nearest-name.ts';
import { id, type PartialDates, takeFirstDays, uuid } from './field-schemas.ts';
import { MULTILINGUAL } from './multilingual.ts';
import { type BundleRecord, bundleSchemas } from './record-schemas.ts';

/** What is wrong in one line. */
interface LineFault {
  field?: string;
  reason: string;
}

const A: Record<Kind, string> = {
  person: 'a person',
  subject: 'a subject',
  location: 'a location',
  event: 'an event',
};

/** A line's record, or what is wrong with the line. */
type ParsedLine<K extends Kind> =
  | {
      record: BundleRecord[K];
      /** How many dates without a day became the first day. */
      firstDays: number;
    }
  | {
      faults: LineFault[];
      /** What the record is known by all the same. */
      known: { id?: number; uuid?: string };
    };

/**
 * Bytes that a record's own fields may have as JSON. Rendered, a text stands twice where one language is missing, and
 * SQL doubles its quotes: so this is what the default packet of MariaDB (16 MB) holds for certain.
 */
const LARGEST_RECORD = 2 * 2 ** 20;

/**
 * Parses and validates one line of a bundle file.
 *
 * @param text JSON text, or undefined when its bytes are not UTF-8
 * @param partialDates what becomes of dates without a day
 */
export function parseRecord<K extends Kind>(
  kind: K,
  text: string | undefined,
  partialDates?: PartialDates,
): ParsedLine<K> {
  if (text === undefined) return { faults: [{ reason: 'is not UTF-8 text' }], known: {} };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const reason = `is not JSON: ${error instanceof Error ? error.message : String(error)}`;
    return { faults: [{ reason }], known: {} };
  }
  if (!isObject(value)) {
    return { faults: [{ reason: `expected a JSON object with the fields of ${A[kind]}` }], known: {} };
  }
  const firstDays = partialDates === undefined ? 0 : takeFirstDays(kind, value);
  const dropped = droppedTexts(kind, value);
  const schema: z.ZodType<BundleRecord[Kind]> = bundleSchemas[kind];
  const parsed = schema.safeParse(value);
  const issues = parsed.error?.issues.flatMap((issue) => describeIssue(kind, issue)) ?? [];
  const size = parsed.success ? ownSize(text, parsed.data) : 0;
  if (size > LARGEST_RECORD) issues.push({ reason: tooLarge(size) });
  const faults = [...issues, ...dropped];
  if (parsed.success && faults.length === 0) return { record: parsed.data as BundleRecord[K], firstDays };
  return { faults, known: knownBy(value) };
}

/** The bytes of a record's own fields: a line may well be longer, by what it embeds. Short lines are not measured. */
function ownSize(line: string, record: BundleRecord[Kind]): number {
  // A character of a string is three bytes at most; what a schema adds is short.
  return line.length * 3 < LARGEST_RECORD ? 0 : Buffer.byteLength(JSON.stringify(record));
}

function tooLarge(size: number): string {
  const [has, may] = [size, LARGEST_RECORD].map((bytes) => bytes.toLocaleString('en'));
  return `has ${has} bytes, where a record may have ${may}; put what is no text, such as images, on the web and link to it`;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The parts of a record's identity that hold. */
function knownBy(value: Readonly<Record<string, unknown>>): { id?: number; uuid?: string } {
  const parsed = { id: id.safeParse(value['id']), uuid: uuid.safeParse(value['uuid']) };
  return {
    ...(parsed.id.success ? { id: parsed.id.data } : {}),
    ...(parsed.uuid.success ? { uuid: parsed.uuid.data } : {}),
  };
}

/** Texts without a language are derived, and left out: a fault where no text with a language is beside one. */
function droppedTexts(kind: Kind, value: Readonly<Record<string, unknown>>): LineFault[] {
  const faults: LineFault[] = [];
  for (const { field, nl, en } of MULTILINGUAL[kind].all) {
    const text = value[field];
    if (typeof text !== 'string' || text === '' || value[nl] || value[en]) continue;
    faults.push({
      field,
      reason: `is not kept: expected its Dutch text in ${nl}, its English text in ${en}`,
    });
  }
  return faults;
}

/** What an issue of the schema says to whoever wrote the line. */
function describeIssue(kind: Kind, issue: z.core.$ZodIssue): LineFault[] {
  const path = fieldName(issue.path);
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => {
      const near =
        issue.path.length === 0 ? nearestName(key, Object.keys(bundleSchemas[kind].shape)) : undefined;
      const hint = near ? `; did you mean ${near}?` : '';
      const owner = issue.path.length === 0 ? A[kind] : 'a file';
      return { field: fieldName([...issue.path, key]), reason: `is not a field of ${owner}${hint}` };
    });
  }
  if (issue.code === 'invalid_union') {
    const first = issue.errors[0]?.[0];
    return [{ field: path, reason: first ? tidy(first.message) : tidy(issue.message) }];
  }
  return [{ field: path, reason: tidy(issue.message) }];
}

function tidy(message: string): string {
  return message.replace(/^Invalid input: /, '').replace(', received', ', got');
}

/** `files[0].url` for the path `['files', 0, 'url']`. */
function fieldName(path: readonly PropertyKey[]): string {
  return path
    .map((step, index) =>
      typeof step === 'number' ? `[${step}]` : index === 0 ? String(step) : `.${String(step)}`,
    )
    .join('');
}
