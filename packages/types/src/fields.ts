import { z } from 'zod';
import { isCalendarDate } from './calendar-date.ts';
import type { Kind } from './kinds.ts';
import { apiReferencePattern, recordPagePattern, UUID_PATTERN } from './links.ts';

/** An identifier: 0 … 2^53−1, unique within its kind. */
export const id = z.int().min(0).meta({ description: 'Number of the record, unique within its kind.' });

/** The key used in link URLs. */
export const uuid = z
  .string()
  .regex(new RegExp(`^${UUID_PATTERN}$`))
  .meta({ description: 'UUID of the record, unique in the archive. It is the key used in link URLs.' });

/** Always `true` on records that are served. */
export const published = z.boolean().meta({ description: 'Always true on records that are served.' });

/** A date as text, or null. No time zone ever touches it. */
export function date(description: string) {
  return z
    .string()
    .regex(/^\d{4}-\d{2}-\d{2}$/)
    .refine(isCalendarDate, { error: 'expected a calendar date written YYYY-MM-DD' })
    .nullable()
    .meta({ description: `${description} ISO 8601, YYYY-MM-DD; null when unknown.` });
}

/** A text that is `""` when absent. */
export function text(description: string) {
  return z.string().meta({ description });
}

/** An absolute web address. */
export const absoluteUrl = z
  .string()
  .regex(/^https?:\/\/\S+$/)
  .meta({ description: 'Absolute URL.' });

/** The address of the record's public page. */
export function pageUrl(kind: Kind) {
  return z
    .string()
    .regex(new RegExp(recordPagePattern(kind)))
    .meta({ description: `Absolute URL of the ${kind}'s public page.` });
}

/** A reference to a record of one kind. */
export function reference(kind: Kind) {
  return z
    .string()
    .regex(new RegExp(apiReferencePattern(kind)))
    .meta({ description: `API reference of a ${kind}: the absolute URL of its record.` });
}

/** `same_as` on kinds that carry no external vocabulary URLs. */
export const noSameAs = z.null().meta({ description: 'Always null: only subjects carry vocabulary URLs.' });

const LANGUAGE_NOTE = 'For the language of the request; the Dutch text where the English one is empty.';

/**
 * The three variants of a multilingual field: `X` for the language of the request, `X_nl` and `X_en`.
 *
 * @param name the field's name, without a language
 * @param description what the field means
 */
export function multilingual<Name extends string>(name: Name, description: string): Multilingual<Name> {
  return {
    [name]: text(`${description} ${LANGUAGE_NOTE}`),
    [`${name}_nl`]: text(`${description} In Dutch.`),
    [`${name}_en`]: text(`${description} In English.`),
  } as Multilingual<Name>;
}

type Multilingual<Name extends string> = Record<Name | `${Name}_nl` | `${Name}_en`, z.ZodString>;
