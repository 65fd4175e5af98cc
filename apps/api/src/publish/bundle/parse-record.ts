import type { Kind, KnownDates } from '@archiefkast/types';
import type { z } from 'zod';
import { nearestName } from '../../nearest-name.ts';
import { type PartialDates, takeFirstDays } from './dates.ts';
import { id, reasonOf, uuid } from './field-schemas.ts';
import { type BundleRecord, bundleSchemas, MULTILINGUAL } from './record-schemas.ts';
import type { SourceRecord } from './record-source.ts';

/** One mistake in a line. */
interface LineFault {
  field?: string;
  reason: string;
}

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
      known: { id?: number | undefined; uuid?: string | undefined };
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
  const refuse = (why: string) => ({ faults: [{ reason: why }], known: {} });
  if (reason !== undefined) return refuse(reason);
  if (!isObject(value)) return refuse(`expected a JSON object with the fields of ${withArticle(kind)}`);
  const dates = partialDates === undefined ? {} : takeFirstDays(kind, value);
  const parsed = bundleSchemas[kind].safeParse(value);
  const faults = parsed.error?.issues.flatMap((issue) => describeIssue(kind, issue)) ?? [];
  const size = parsed.success ? ownSize(length, parsed.data) : 0;
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
  if (parsed.success && faults.length === 0) return { record: parsed.data as BundleRecord[K], dates };
  const known = { id: id.safeParse(value['id']).data, uuid: uuid.safeParse(value['uuid']).data };
  return { faults, known };
}

/** Size of a record's own fields in bytes, without embedded records; 0 for short ones, which need no measuring. */
function ownSize(length: number, record: object): number {
  // A character of a string is at most three bytes; what the schema adds is short.
  return length * 3 < LARGEST_RECORD ? 0 : Buffer.byteLength(JSON.stringify(record));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Words a schema issue for the author of the bundle. */
function describeIssue(kind: Kind, issue: z.core.$ZodIssue): LineFault[] {
  if (issue.code !== 'unrecognized_keys') return [{ field: fieldName(issue.path), reason: reasonOf(issue) }];
  return issue.keys.map((key) => {
    const isOfRecord = issue.path.length === 0;
    const near = isOfRecord ? nearestName(key, Object.keys(bundleSchemas[kind].shape)) : undefined;
    const hint = near ? `; did you mean ${near}?` : '';
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
