import type { Kind, KnownDates } from '@archiefkast/types';
import type { z } from 'zod';
import { nearestName } from '../../nearest-name.ts';
import { id, type PartialDates, takeFirstDays, uuid } from './field-schemas.ts';
import { MULTILINGUAL } from './multilingual.ts';
import { type BundleRecord, bundleSchemas } from './record-schemas.ts';
import type { SourceRecord } from './record-source.ts';

/** One mistake in a line. */
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

/** The record of a line, or its faults. */
type ParsedLine<K extends Kind> =
  | {
      record: BundleRecord[K];
      /** What is known of the dates that were set to a first day. */
      dates: KnownDates;
    }
  | {
      faults: LineFault[];
      /** The valid parts of the record's identity. */
      known: { id?: number; uuid?: string };
    };

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
): ParsedLine<K> {
  if (reason !== undefined) return { faults: [{ reason }], known: {} };
  if (!isObject(value)) {
    return { faults: [{ reason: `expected a JSON object with the fields of ${A[kind]}` }], known: {} };
  }
  const dates = partialDates === undefined ? {} : takeFirstDays(kind, value);
  const dropped = droppedTexts(kind, value);
  const parsed = bundleSchemas[kind].safeParse(value);
  const issues = parsed.error?.issues.flatMap((issue) => describeIssue(kind, issue)) ?? [];
  const size = parsed.success ? ownSize(length, parsed.data) : 0;
  if (size > LARGEST_RECORD) issues.push({ reason: tooLarge(size) });
  const faults = [...issues, ...dropped];
  if (parsed.success && faults.length === 0) return { record: parsed.data as BundleRecord[K], dates };
  return { faults, known: knownBy(value) };
}

/** Size of a record's own fields in bytes, without embedded records; 0 for short ones, which need no measuring. */
function ownSize(length: number, record: object): number {
  // A character of a string is at most three bytes; what the schema adds is short.
  return length * 3 < LARGEST_RECORD ? 0 : Buffer.byteLength(JSON.stringify(record));
}

function tooLarge(size: number): string {
  const [has, may] = [size, LARGEST_RECORD].map((bytes) => bytes.toLocaleString('en'));
  return `has ${has} bytes, more than the limit of ${may}; put images and the like on the web and link to them`;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The valid parts of a record's identity. */
function knownBy(value: Readonly<Record<string, unknown>>): { id?: number; uuid?: string } {
  const parsed = { id: id.safeParse(value['id']), uuid: uuid.safeParse(value['uuid']) };
  return {
    ...(parsed.id.success ? { id: parsed.id.data } : {}),
    ...(parsed.uuid.success ? { uuid: parsed.uuid.data } : {}),
  };
}

/** Faults for texts without a language: these are derived fields, so a text given only there would be lost. */
function droppedTexts(kind: Kind, value: Readonly<Record<string, unknown>>): LineFault[] {
  const faults: LineFault[] = [];
  for (const { field, nl, en } of MULTILINGUAL[kind].all) {
    const text = value[field];
    if (typeof text !== 'string' || text === '' || value[nl] || value[en]) continue;
    faults.push({
      field,
      reason: `would be lost: expected the Dutch text in ${nl} and the English text in ${en}`,
    });
  }
  return faults;
}

/** Words a schema issue for the author of the bundle. */
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
