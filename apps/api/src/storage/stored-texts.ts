import type { Kind, Language } from '@archiefkast/types';
import type { Database } from './connect.ts';

/** Kind of a stored text: a record of a kind, or an event as its location lists it. The column is `form`. */
export type TextKind = Kind | 'abbreviated_event';

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
