import { isUuid, isWebAddress, type Kind, kindOfUrl, uuidOfReference } from '@archiefkast/types';
import { isCalendarDate, uuidIn } from '@archiefkast/types/internal';
import { z } from 'zod';
import { isMediaPath, MEDIA_EXTENSIONS } from './media-path.ts';
import { dateAdvice } from './written-dates.ts';

/**
 * Control characters (C0) except tab and line ends: HTML and XML do not allow them, and rendered records use some as
 * marks.
 */
const CONTROL = /[^\P{Cc}\t\n\r\u007f-\u009f]/u;

/** Why a text is invalid: it contains a control character or an unpaired surrogate, which UTF-8 cannot encode. */
function faultInText(value: string): string | undefined {
  const control = CONTROL.exec(value)?.[0];
  if (control === undefined && value.isWellFormed()) return undefined;
  const wrong = control ?? /\p{Surrogate}/u.exec(value)?.[0] ?? '';
  const code = `U+${wrong.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
  return control === undefined
    ? `contains ${code}, an unpaired surrogate, which is not a valid character`
    : `contains the control character ${code}, which is not allowed`;
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
  if (typeof value === 'string') return faultInText(value);
  if (typeof value !== 'object' || value === null) return undefined;
  if (depth === 0) return `is nested deeper than ${DEEPEST} levels`;
  for (const entry of Object.entries(value).flat()) {
    const fault = faultIn(entry, depth - 1);
    if (fault) return fault;
  }
  return undefined;
}

/** A value that may be absent or null, and becomes `otherwise` then. */
export function orElse<Value extends z.ZodType, Otherwise>(value: Value, otherwise: Otherwise) {
  return value.nullish().transform((given) => given ?? otherwise);
}

/** A text; absent and null become `""`. */
export const text = orElse(plainText, '');

/** An identifier: an integer from 0 to 2^53−1, the range that JSON parsers read exactly. */
export const id = z
  .number({
    error: ({ input }) => {
      if (input === undefined) return 'is missing: every record needs an id';
      return typeof input === 'string' ? idAdvice(input) : undefined;
    },
  })
  .refine(Number.isInteger, { error: 'expected a whole number' })
  .refine((value) => value >= 0 && value <= Number.MAX_SAFE_INTEGER, {
    error: 'out of range: an id is from 0 to 9007199254740991 (2^53−1)',
  });

/** Why a text is not an id, and what to do. */
function idAdvice(text: string): string {
  const expected = `expected a whole number, got ${JSON.stringify(text)}`;
  if (/^\s*(sub)?tota+l/i.test(text)) return `${expected}; delete the row if it is a total`;
  const [, whole] = /^\s*(\d+)[.,]0+\s*$/.exec(text) ?? [];
  if (whole !== undefined) return `${expected}; write ${whole}`;
  if (/^\d+$/.test(text)) return `expected a number, got the text ${JSON.stringify(text)}`;
  if (/^[\s\d.,+-]*$/.test(text)) return expected;
  return `${expected}; number the records 1, 2, 3 … and keep other numbers in a column whose name begins with _`;
}

const PIXELS = 'expected a whole number of pixels from 1';

/** A width or height in pixels: a whole number from 1; absent and null become undefined. */
export const pixels = z
  .unknown()
  .transform((value) => value ?? undefined)
  .pipe(z.int({ error: PIXELS }).min(1, { error: PIXELS }).optional())
  .optional();

/** A UUID, converted to lower case. */
export const uuid = z
  .string({
    error: (issue) => (issue.input === undefined ? 'is missing: every record needs a uuid' : undefined),
  })
  .refine(isUuid, { error: 'expected a UUID' })
  .transform((value) => value.toLowerCase());

/** A calendar date; absent and `""` become null. */
export const date = z
  .string({ error: (issue) => dateAdvice(issue.input) })
  .refine((value) => value === '' || isCalendarDate(value), { error: (issue) => dateAdvice(issue.input) })
  .nullish()
  .transform((value) => value || null);

/** An address that `isValid` accepts. */
function address(isValid: (value: string) => boolean, expected: string) {
  return plainText.refine(isValid, {
    error: ({ input }) => `expected ${expected}, got "${String(input)}"${hint(String(input))}`,
  });
}

const URL_EXPECTED = 'an absolute http or https URL';

/** An absolute http or https URL. */
export const absoluteUrl = address(isWebAddress, URL_EXPECTED);

/** Characters that browsers take in an address, and that no IRI has (RFC 3987): linked data writes them with `%`. */
export const NOT_IN_IRI = /[<>"{}|\\^`]/;

/** An absolute http or https URL that is an IRI as it stands. */
export const iri = absoluteUrl.refine((value) => !NOT_IN_IRI.test(value), {
  error: ({ input }) =>
    `expected an address without ${NOT_IN_IRI.exec(String(input))?.[0]}, got "${String(input)}"`,
});

/** An absolute http or https URL; absent and null become `""`. */
export const optionalUrl = orElse(
  address((value) => value === '' || isWebAddress(value), URL_EXPECTED),
  '',
);

/** The location of a media file: an absolute http or https URL, or a path below MEDIA_DIR. */
export const hostedFile = address(
  (value) => isWebAddress(value) || isMediaPath(value),
  `${URL_EXPECTED}, or a path in MEDIA_DIR such as portraits/vos.jpg (${MEDIA_EXTENSIONS})`,
);

/** Hint for an address that is no URL: a valid form with an invalid host or port, or a path of a computer. */
function hint(address: string): string {
  if (/^https?:\/\/\S+$/.test(address)) {
    return '; a host consists of letters, digits, ".", "-" and "_", or is an IPv6 address, and a port is a number';
  }
  if (/^www\./i.test(address)) return `; did you mean https://${address}?`;
  const name = address.split(/[\\/]/).at(-1) ?? '';
  if (/^([a-z]:[\\/]|\\\\|file:|~\/|\/(users|home)\/)/i.test(address)) {
    return `, which is a path on one computer; copy the file into MEDIA_DIR and write its path there, such as ${name}`;
  }
  if (address.includes('\\')) return `; write it with /: ${address.replaceAll('\\', '/')}`;
  const unshown = whyUnshown(name);
  return unshown ? `; ${unshown}` : '';
}

/** Why browsers do not show a picture, by the end of its address. */
export function whyUnshown(address: string): string | undefined {
  const [ending] = /\.(?:tiff?|heic|psd)$/i.exec(address) ?? [];
  return ending && `browsers do not show ${ending.toLowerCase()}: save it as .jpg or .png`;
}

const DEGREES = /^-?\d+(\.\d+)?$/;

/** Decimal degrees as text, from `-limit` to `limit`; absent becomes `""`. */
export function degrees(limit: number) {
  const isWithin = (value: string, most: number) => DEGREES.test(value) && Math.abs(Number(value)) <= most;
  const advice = (value: string) =>
    /^-?\d+,\d+$/.test(value)
      ? `; use a decimal point: ${value.replace(',', '.')}`
      : isWithin(value, 180)
        ? '; are latitude and longitude swapped?'
        : '';
  const text = z.string().refine((value) => value === '' || isWithin(value, limit), {
    error: ({ input }) =>
      `expected decimal degrees from -${limit} to ${limit} as text, got "${String(input)}"${advice(String(input))}`,
  });
  return orElse(text, '');
}

/** A list; absent and null become `[]`. */
export function list<Item extends z.ZodType>(item: Item) {
  return orElse(z.array(item), []);
}

/** A derived field: its value is ignored, because it is computed again. */
export const derived = z
  .unknown()
  .transform(() => undefined)
  .optional();

/** A reference to a record of `kind`, or of any, converted to its uuid: the uuid, a URL that ends in it, or the record. */
export function reference(kind?: Kind) {
  return z.unknown().transform((value, context) => {
    const name = uuidIn(value);
    const got = typeof name === 'string' ? `; got "${name}"` : '';
    const found = typeof name === 'string' ? uuidOfReference(name) : undefined;
    const named = typeof name === 'string' ? kindOfUrl(name) : undefined;
    if (found && (named === undefined || kind === undefined || named === kind)) return found;
    context.addIssue({
      code: 'custom',
      message:
        named && kind
          ? `expected a reference to a ${kind}, but the URL belongs to another kind (${named})${got}`
          : `expected a reference: a uuid, an API URL that ends in one, or a record with a uuid${got}`,
    });
    return z.NEVER;
  });
}

/** The message of a schema for the author of a bundle. */
export function reasonOf({ message }: { message: string }): string {
  if (message.endsWith('received undefined')) return 'is missing';
  return message.replace(/^Invalid (?:input|option): /, '').replace(', received', ', got');
}
