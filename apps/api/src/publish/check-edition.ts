import { KINDS, type Kind, LANGUAGES } from '@archiefkast/types';
import type { Database } from '../storage/connect.ts';
import type { TextKind } from '../storage/stored-texts.ts';

/** The written edition is incomplete, and is not served. */
export class EditionError extends Error {
  override name = 'EditionError';
}

/**
 * Checks a written edition before it is served: no position of any list is missing in any language, and every link
 * leads to a text. As positions are dense, comparing a link with their number is enough; joining links with texts took
 * half the time of a publish if the database did not fit in memory.
 *
 * @param counts expected number of records of each kind
 * @throws EditionError naming the first mistake
 */
export async function checkEdition(
  database: Database,
  edition: number,
  counts: Readonly<Record<Kind, number>>,
): Promise<void> {
  const expected: { form: TextKind; count: number }[] = KINDS.map((kind) => ({
    form: kind,
    count: counts[kind],
  }));
  expected.push({ form: 'abbreviated_event', count: counts.event });
  for (const language of LANGUAGES) {
    for (const { form, count } of expected) {
      await requireDense(database, 'texts', { edition, language, form }, count);
    }
  }
  for (const kind of KINDS) {
    await requireDense(database, 'records', { edition, kind }, counts[kind]);
  }
  for (const { form, count } of expected) {
    const dangling = await database('links')
      .where({ edition, target_form: form })
      .whereNotBetween('target', [1, count])
      .first('source_form', 'source');
    if (!dangling) continue;
    throw new EditionError(
      `the ${dangling.source_form} at position ${dangling.source} embeds a missing record`,
    );
  }
}

async function requireDense(
  database: Database,
  table: 'texts' | 'records',
  rows: Record<string, string | number>,
  expected: number,
): Promise<void> {
  const found: { count: number; first: number | null; last: number | null } | undefined = await database(
    table,
  )
    .where(rows)
    .first(database.raw('count(*) as count, min(position) as first, max(position) as last'));
  const isDense = found?.count === expected && (found.last ?? 0) === expected && (found.first ?? 1) === 1;
  if (!isDense) {
    const where = Object.entries(rows).map(([column, value]) => `${column} ${value}`);
    throw new EditionError(
      `${table} of ${where.join(', ')}: expected positions 1 to ${expected}, found ${found?.count} from ${found?.first} to ${found?.last}`,
    );
  }
}
