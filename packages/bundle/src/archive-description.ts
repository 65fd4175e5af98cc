import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isMissing } from '@archiefkast/system';
import { originSchema } from '@archiefkast/types';
import { isCalendarDate } from '@archiefkast/types/internal';
import { z } from 'zod';
import { type FaultList, type Origin, parseJson } from './faults.ts';
import { hostedFile, iri, plainText, reasonOf, reference, uuid } from './field-schemas.ts';
import { ownPagesSchema, pageFileAt, refuseOneLanguage, withPagesOf } from './own-pages.ts';

const bilingual = z.strictObject({ nl: plainText, en: plainText });
const bilingualAddress = z.strictObject({ nl: iri, en: iri });

/** A text of this form. */
function code(form: RegExp, what: string) {
  const error = ({ input }: { input: unknown }) => `expected ${what}, got ${JSON.stringify(input)}`;
  return z.string().regex(form, { error, abort: true });
}

/** A colour scheme of pages. */
export type Scheme = 'light' | 'dark';

/** The backgrounds of links: `--paper`, `--card` and `--code` of packages/site/assets/site.css. */
export const GROUNDS: Readonly<Record<Scheme, readonly string[]>> = {
  light: ['#fbf8f2', '#fffdf9', '#f2ebdf'],
  dark: ['#1a1714', '#221f1b', '#2b2621'],
};

/** The minimum contrast of a link (WCAG 2.2, 1.4.3). */
export const LEAST_CONTRAST = 4.5;

/** The background of a scheme with the least contrast to a colour, and that contrast (WCAG 2.2). */
export function weakestContrast(colour: string, scheme: Scheme): { ground: string; contrast: number } {
  const contrasts = GROUNDS[scheme].map((ground) => ({ ground, contrast: contrastOf(colour, ground) }));
  return contrasts.reduce((weakest, one) => (one.contrast < weakest.contrast ? one : weakest));
}

function contrastOf(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminanceOf(one), luminanceOf(other)].toSorted((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

function luminanceOf(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** A colour with enough contrast on pages. */
function accent(scheme: Scheme) {
  return code(/^#[0-9a-f]{6}$/i, 'a colour such as #7a2e1d').refine(
    (value) => weakestContrast(value, scheme).contrast >= LEAST_CONTRAST,
    {
      error: ({ input }) => {
        const { ground, contrast } = weakestContrast(String(input), scheme);
        const measured = (Math.floor(contrast * 100) / 100).toFixed(2);
        return `${input} has a contrast of ${measured}:1 with the page (${ground}); expected ${LEAST_CONTRAST}:1`;
      },
    },
  );
}

/** Pairs in a cell of the table `archive`, `old new|old new`, as an object; any other value as it is. */
function pairsOf(value: unknown): unknown {
  return typeof value === 'string'
    ? Object.fromEntries(value.split('|').map((pair) => /^(\S*)\s*(.*)$/s.exec(pair.trim())?.slice(1) ?? []))
    : value;
}

const email = code(/^[^\s@\p{Other}]+@(?:[^\s@.\p{Other}]+\.)+[^\s@.\p{Other}]+$/u, 'an e-mail address');

/** Notes by the UUID of the subject; in tables, pairs of both, which are joined by `|`. */
const notesOfSubjects = z.preprocess(
  pairsOf,
  z.record(
    uuid,
    plainText.refine((text) => text !== '' && text === text.trim() && !text.includes('|'), {
      error: 'expected a text without "|", and without spaces around it',
    }),
    { error: ({ code }) => (code === 'invalid_key' ? 'expected the UUID of a subject' : undefined) },
  ),
);

/** What the archive says of a use: `unsaid` is the same as nothing. */
const allowed = z.enum(['yes', 'no', 'unsaid'], { error: 'expected yes, no or unsaid' }).optional();

/** The most highlights of an archive. */
const MOST_HIGHLIGHTS = 12;

/** Schema of `archive.json`, the description of the archive. `ARCHIVE_COLUMNS` say what its fields are. */
export const archiveDescriptionSchema = z
  .strictObject({
    uuid: uuid.optional(),
    /** A copy is called what its original is called, which may be nothing. */
    title: bilingual.optional(),
    description: bilingual.optional(),
    publisher: bilingual.optional(),
    creator: bilingual.optional(),
    organisation: z
      .strictObject({
        url: iri,
        isil: code(/^[A-Z]{1,4}-[A-Za-z0-9:/-]{1,11}$/, 'an ISIL such as NL-HaNA'),
        kvk: code(/^\d{8}$/, 'a number of eight digits'),
        ...{ street: plainText, zipcode: plainText, city: plainText, country: plainText },
      })
      .partial()
      .optional(),
    contact: bilingual.optional(),
    email: email.optional(),
    corrections: email.optional(),
    removal: email.optional(),
    policy: bilingualAddress.optional(),
    accessibility: bilingualAddress.optional(),
    note: bilingual.optional(),
    notes: z
      .strictObject({ nl: notesOfSubjects, en: notesOfSubjects })
      .superRefine((notes, { addIssue }) => refuseOneLanguage(notes, 'note of a subject', addIssue))
      .optional(),
    reuse: z.strictObject({ mining: allowed, training: allowed }).optional(),
    pages: ownPagesSchema.optional(),
    licence: z.strictObject({ name: plainText, url: iri }).optional(),
    homepage: iri.optional(),
    created: plainText
      .refine(isCalendarDate, {
        error: ({ input }) => `expected a day such as 2024-05-31, got ${JSON.stringify(input)}`,
      })
      .optional(),
    about: z.array(iri).optional(),
    coverage: z
      .strictObject({
        place: iri,
        period: code(
          /^(?:\d{4}(?:-\d\d){0,2}|\.\.)(?:\/(?:\d{4}(?:-\d\d){0,2}|\.\.))?$/,
          'years or days such as 1575/1795',
        ),
      })
      .partial()
      .optional(),
    logo: hostedFile.optional(),
    colours: z.strictObject({ light: accent('light'), dark: accent('dark') }).optional(),
    highlights: z
      .array(reference())
      .max(MOST_HIGHLIGHTS, { error: `expected at most ${MOST_HIGHLIGHTS} records` })
      .optional(),
    partial_dates: z.enum(['first-day']).optional(),
    replaced: z
      .preprocess(
        pairsOf,
        z.record(uuid, uuid, {
          error: ({ code }) => (code === 'invalid_key' ? 'expected a UUID' : undefined),
        }),
      )
      .optional(),
    mirror_of: z
      .preprocess(
        pairsOf,
        z.strictObject({
          ...originSchema.required().shape,
          address: iri,
          edition: z.coerce.number().int().min(1),
        }),
      )
      .optional(),
    derived_from: iri.transform((address) => address.replace(/\/+$/, '')).optional(),
  })
  .refine(({ title, mirror_of }) => title || mirror_of, {
    path: ['title'],
    error: 'is missing',
    when: ({ value }) => typeof value === 'object',
  });

/** The description of the archive. */
export type ArchiveDescription = z.infer<typeof archiveDescriptionSchema>;

/** How dates of which less than a day is known are handled; undefined makes them faults. */
export type PartialDates = ArchiveDescription['partial_dates'];

/** Name of the file that describes the archive. */
export const ARCHIVE_FILE = 'archive.json';

/** Reads a bundle's `archive.json`, without byte order mark; undefined if missing or invalid. Adds its faults to `faults`. */
export async function readArchiveDescription(
  folder: string,
  faults: FaultList,
): Promise<ArchiveDescription | undefined> {
  const text = await readFile(join(folder, ARCHIVE_FILE), 'utf8').catch((error: unknown) => {
    if (!isMissing(error)) throw error;
  });
  const { value, reason } = text === undefined ? {} : parseJson(text.replace(/^\ufeff/, ''));
  if (reason !== undefined) {
    faults.add({ file: ARCHIVE_FILE, reason });
    return undefined;
  }
  const described = await withPagesOf(folder, value, faults);
  if (described === undefined) return undefined;
  return parseArchiveDescription(described, faults, (path) => {
    const file = pageFileAt(value, path);
    return file ? { file } : { file: ARCHIVE_FILE, field: path.join('.') || '(the whole file)' };
  });
}

/**
 * Checks the description of the archive. Adds its faults to `faults`; the check of the records goes on.
 *
 * @param at origin of the value at a path
 */
export function parseArchiveDescription(
  value: unknown,
  faults: FaultList,
  at: (path: readonly PropertyKey[]) => Origin,
): ArchiveDescription | undefined {
  const parsed = archiveDescriptionSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  for (const issue of parsed.error.issues) faults.add({ ...at(issue.path), reason: reasonOf(issue) });
  const known = knownSchema.safeParse(value).data;
  return known && { title: { nl: '', en: '' }, ...known };
}

/** The part of an invalid description that the check of the records needs. */
const knownSchema = z.object({
  uuid: archiveDescriptionSchema.shape.uuid.catch(undefined),
  partial_dates: archiveDescriptionSchema.shape.partial_dates.catch(undefined),
});
