import { isCalendarDate, isWebAddress, type Kind, kindOfUrl, uuidOfReference } from '@archiefkast/types';
import { z } from 'zod';
import { isMediaPath, MEDIA_EXTENSIONS } from '../../media-path.ts';

/**
 * Control characters (C0) except tab and line ends: HTML and XML do not allow them, and rendered records use some as
 * marks.
 */
const CONTROL = /[^\P{Cc}\t\n\r\u007f-\u009f]/u;

/** Why a text is invalid: it contains a control character or an unpaired surrogate, which UTF-8 cannot encode. */
function faultInText(value: string): string | undefined {
  const control = CONTROL.exec(value);
  if (control) return `contains the control character ${codeOf(control[0])}, which is not allowed`;
  if (value.isWellFormed()) return undefined;
  const half = /\p{Surrogate}/u.exec(value)?.[0] ?? '';
  return `contains ${codeOf(half)}, an unpaired surrogate, which is not a valid character`;
}

function codeOf(character: string): string {
  return `U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
}

/** A text without characters that are not allowed. */
export const plainText = z.string().refine((value) => faultInText(value) === undefined, {
  error: (issue) => faultInText(String(issue.input)),
  abort: true,
});

/** Maximum nesting of a value without a schema. */
const DEEPEST = 100;

/** Any JSON value with valid texts, nested at most 100 levels. */
export const anything = z.unknown().superRefine((value, context) => {
  const fault = faultIn(value, DEEPEST);
  if (fault) context.addIssue({ code: 'custom', message: fault });
});

function faultIn(value: unknown, depth: number): string | undefined {
  if (typeof value === 'string') {
    return CONTROL.test(value) ? 'contains a control character, which is not allowed' : faultInText(value);
  }
  if (typeof value !== 'object' || value === null) return undefined;
  if (depth === 0) return `is nested deeper than ${DEEPEST} levels`;
  for (const entry of Object.entries(value).flat()) {
    const fault = faultIn(entry, depth - 1);
    if (fault) return fault;
  }
  return undefined;
}

/** A text; absent and null become `""`. */
export const text = plainText.nullish().transform((value) => value ?? '');

/** A text that may be null; absent becomes null. */
export const nullableText = plainText.nullish().transform((value) => value ?? null);

/** An identifier: an integer from 0 to 2^53−1, the range that JSON parsers read exactly. */
export const id = z
  .number({
    error: (issue) => (issue.input === undefined ? 'is missing: every record needs an id' : undefined),
  })
  .refine(Number.isInteger, { error: 'expected a whole number' })
  .refine((value) => value >= 0 && value <= Number.MAX_SAFE_INTEGER, {
    error: 'out of range: an id is from 0 to 9007199254740991 (2^53−1)',
  });

/** A UUID, converted to lower case. */
export const uuid = z
  .string({
    error: (issue) => (issue.input === undefined ? 'is missing: every record needs a uuid' : undefined),
  })
  .regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i, { error: 'expected a UUID' })
  .transform((value) => value.toLowerCase());

/** A calendar date; absent and `""` become null. */
export const date = z
  .string({ error: (issue) => dateAdvice(issue.input) })
  .refine((value) => value === '' || isCalendarDate(value), { error: (issue) => dateAdvice(issue.input) })
  .nullish()
  .transform((value) => value || null);

/** An absolute http or https URL. */
export const absoluteUrl = plainText.refine(isWebAddress, {
  error: (issue) =>
    `expected an absolute http or https URL, got "${String(issue.input)}"${hostHint(issue.input)}`,
});

/** The location of a media file: an absolute http or https URL, or a path below MEDIA_DIR. */
export const hostedFile = plainText.refine((value) => isWebAddress(value) || isMediaPath(value), {
  error: (issue) =>
    `expected an absolute http or https URL, or a path in MEDIA_DIR such as portraits/vos.jpg (${MEDIA_EXTENSIONS}), got "${String(issue.input)}"${hostHint(issue.input)}`,
});

/** Hint for a URL that has the right form but an invalid host or port. */
function hostHint(address: unknown): string {
  return /^https?:\/\/\S+$/.test(String(address))
    ? '; a host consists of letters, digits, ".", "-" and "_", or is an IPv6 address, and a port is a number'
    : '';
}

/** Decimal degrees as text, from `-limit` to `limit`; absent becomes `""`. */
export function degrees(limit: number) {
  return z
    .string()
    .refine((value) => value === '' || (DEGREES.test(value) && Math.abs(Number(value)) <= limit), {
      error: (issue) => {
        const value = String(issue.input);
        const hint = /^-?\d+,\d+$/.test(value)
          ? `; use a decimal point: ${value.replace(',', '.')}`
          : DEGREES.test(value) && Math.abs(Number(value)) <= 180
            ? '; are latitude and longitude swapped?'
            : '';
        return `expected decimal degrees from -${limit} to ${limit} as text, got "${value}"${hint}`;
      },
    })
    .nullish()
    .transform((value) => value ?? '');
}

const DEGREES = /^-?\d+(\.\d+)?$/;

/** A list; absent and null become `[]`. */
export function list<Item extends z.ZodType>(item: Item) {
  return z
    .array(item)
    .nullish()
    .transform((value) => value ?? []);
}

/** A single value; absent becomes null. */
export function optional<Value extends z.ZodType>(value: Value) {
  return value.nullish().transform((given) => given ?? null);
}

/** A derived field: its value is ignored, because it is computed again. */
export const derived = z
  .unknown()
  .transform(() => undefined)
  .optional();

/** A reference to a record of `kind`, converted to its uuid: the uuid, an API URL that ends in it, or the record. */
export function reference(kind: Kind) {
  return z.unknown().transform((value, context) => {
    const name = typeof value === 'object' && value !== null && 'uuid' in value ? value.uuid : value;
    const got = typeof name === 'string' ? `; got "${name}"` : '';
    const found = typeof name === 'string' ? uuidOfReference(name) : undefined;
    const named = typeof name === 'string' ? kindOfUrl(name) : undefined;
    if (found && (named === undefined || named === kind)) return found;
    context.addIssue({
      code: 'custom',
      message: named
        ? `expected a reference to a ${kind}, but the URL belongs to another kind (${named})${got}`
        : `expected a reference: a uuid, an API URL that ends in one, or a record with a uuid${got}`,
    });
    return z.NEVER;
  });
}

/** Ways to handle dates without a day. */
export const PARTIAL_DATES = ['first-day'] as const;

/** How dates without a day are handled; undefined makes them faults. */
export type PartialDates = (typeof PARTIAL_DATES)[number] | undefined;

const DATE_FIELDS: Readonly<Record<Kind, readonly string[]>> = {
  person: ['birth_date', 'death_date'],
  subject: [],
  location: [],
  event: ['date', 'date_start', 'date_end'],
};

const PARTIAL = /^\d{4}(-\d{2})?$/;

/** Sets every date of a record without a day to the first day; returns their number. */
export function takeFirstDays(kind: Kind, record: Record<string, unknown>): number {
  let taken = 0;
  for (const field of DATE_FIELDS[kind]) {
    const date = record[field];
    if (typeof date !== 'string' || !PARTIAL.test(date)) continue;
    record[field] = date + '-01-01'.slice(date.length - '1850'.length);
    taken += 1;
  }
  return taken;
}

const SERIAL = /^\d{5}$/;
const DAY_FIRST = /^(\d{1,2})[-/. ](\d{1,2})[-/. ](\d{4})$/;

/** Why a date is invalid, and how to correct it. */
export function dateAdvice(input: unknown): string {
  const date = String(input);
  const expected = `expected a calendar date written YYYY-MM-DD, got "${date}"`;
  if (PARTIAL.test(date)) {
    const what = date.length === 4 ? 'a year' : 'a month';
    const first = date + '-01-01'.slice(date.length - '1850'.length);
    return (
      `"${date}" is ${what}, but dates need a day: leave it empty and mention it in the text, write ` +
      `${first}, or set partial_dates to first-day in the description of the archive`
    );
  }
  if (SERIAL.test(date)) {
    const day = new Date(Date.UTC(1899, 11, 30) + Number(date) * 86_400_000).toISOString().slice(0, 10);
    return `${expected}, which may be the spreadsheet number for ${day}; format the column as text and write that date`;
  }
  const [, day = '', month = '', year] = DAY_FIRST.exec(date) ?? [];
  if (!year) return expected;
  return `${expected}; if the day comes first, write ${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
}
