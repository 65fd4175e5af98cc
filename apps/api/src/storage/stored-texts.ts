import { type Kind, LANGUAGES, type Language, type Supplement, supplementSchema } from '@archiefkast/types';
import type { Database } from './connect.ts';

/**
 * Kind of a stored text: a record of a kind, an event as its location lists it, or the supplement of a record, which
 * few records have. The column is `form`.
 */
export type TextKind = Kind | 'abbreviated_event' | SupplementKind;

/** Kind of a stored supplement. */
export type SupplementKind = (typeof SUPPLEMENTS)[Supplement['kind']];

/** The text kind of the supplements of a kind, for kinds that have some. */
export const SUPPLEMENTS = { person: 'person_supplement', event: 'event_supplement' } as const;

/** Whether records of a kind may have a supplement. */
export function hasSupplements(kind: Kind): kind is Supplement['kind'] {
  return kind in SUPPLEMENTS;
}

/** Whether a text kind is one of supplements. */
export function isSupplementKind(textKind: TextKind): textKind is SupplementKind {
  return Object.values<string>(SUPPLEMENTS).includes(textKind);
}

/** Parses a stored supplement. @throws SyntaxError or ZodError if it is invalid */
export function parseSupplement(text: string): Supplement {
  return supplementSchema.parse(JSON.parse(text));
}

/** A rendered record as stored. */
export interface StoredText {
  form: TextKind;
  position: number;
  text: string;
}

/** A range of positions, from `first` to `last` inclusive. */
export interface Run {
  first: number;
  last: number;
}

/** A text of an edition is missing, because the edition was deleted while it was being read. */
export class MissingTextError extends Error {
  override name = 'MissingTextError';

  constructor(edition: number, what: string) {
    super(`edition ${edition} does not have ${what}`);
  }
}

/**
 * Fetches the texts of one kind at positions, in the order given, with one statement.
 *
 * @throws MissingTextError if the edition does not have all of them
 */
export async function fetchAt(
  database: Database,
  edition: number,
  language: Language,
  textKind: TextKind,
  positions: readonly number[],
): Promise<StoredText[]> {
  const rows: StoredText[] = await database('texts')
    .select('form', 'position', 'text')
    .where({ edition, language, form: textKind })
    .whereIn('position', positions);
  const texts = new Map(rows.map((row) => [row.position, row]));
  return positions.map((position) => {
    const text = texts.get(position);
    if (!text) throw new MissingTextError(edition, `the ${textKind} at position ${position}`);
    return text;
  });
}

/**
 * Fetches the texts of one kind at a range of positions, in order, with one statement.
 *
 * @throws MissingTextError if the edition does not have all of them
 */
export async function fetchRun(
  database: Database,
  edition: number,
  language: Language,
  textKind: TextKind,
  { first, last }: Run,
): Promise<StoredText[]> {
  const rows: StoredText[] = await database('texts')
    .select('form', 'position', 'text')
    .where({ edition, language, form: textKind })
    .whereBetween('position', [first, last])
    .orderBy('position');
  if (rows.length <= last - first) {
    throw new MissingTextError(edition, `every ${textKind} from position ${first} to ${last}`);
  }
  return rows;
}

/** Fetches the supplements of the records at a range of positions, in order, with one statement. */
export async function fetchSupplementTexts(
  database: Database,
  edition: number,
  kind: Supplement['kind'],
  { first, last }: Run,
): Promise<StoredText[]> {
  return await database('texts')
    .select('form', 'position', 'text')
    .where({ edition, language: LANGUAGES[0], form: SUPPLEMENTS[kind] })
    .whereBetween('position', [first, last])
    .orderBy('position');
}

/** Fetches the supplements of the records at a range of positions, by position, with one statement. */
export async function fetchSupplements(
  database: Database,
  edition: number,
  kind: Supplement['kind'],
  run: Run,
): Promise<Map<number, Supplement>> {
  const texts = await fetchSupplementTexts(database, edition, kind, run);
  return new Map(texts.map(({ position, text }) => [position, parseSupplement(text)]));
}

/** Fetches the uuids of the `target` records embedded at a range of positions, by position, with one statement. */
export async function fetchEmbeddedUuids(
  database: Database,
  edition: number,
  kind: Kind,
  target: Kind,
  { first, last }: Run,
): Promise<Map<number, string[]>> {
  const rows: { source: number; uuid: string }[] = await database('links')
    .join('records', (join) => {
      join
        .on('records.edition', 'links.edition')
        .andOnVal('records.kind', target)
        .andOn('records.position', 'links.target');
    })
    .select('links.source', 'records.uuid')
    .where({ 'links.edition': edition, 'links.source_form': kind, 'links.target_form': target })
    .whereBetween('links.source', [first, last])
    .orderBy(['links.source', 'links.ordinal']);
  const uuids = new Map<number, string[]>();
  for (const { source, uuid } of rows) {
    const known = uuids.get(source);
    if (known) known.push(uuid);
    else uuids.set(source, [uuid]);
  }
  return uuids;
}
