import type { DatabaseSync } from 'node:sqlite';
import { KINDS } from '@archiefkast/types/kinds';
import type { Pause } from '../../pause.ts';
import { REFERENCE_FIELDS, RELATIONS, relationNamed } from '../fields/relations.ts';

/** Records below a subject: the kind of each slot, and the number of each kind, by index of `KINDS`. */
interface Below {
  kinds: Map<number, number>;
  counts: number[];
}

function add({ kinds, counts }: Below, slot: number, kind: number): void {
  if (kinds.has(slot)) return;
  kinds.set(slot, kind);
  counts[kind] = (counts[kind] ?? 0) + 1;
}

/** Adds the smaller of two to the larger, which it returns. */
function merge(one: Below, other: Below): Below {
  const [small, large] = one.kinds.size < other.kinds.size ? [one, other] : [other, one];
  for (const [slot, kind] of small.kinds) add(large, slot, kind);
  return large;
}

const PARENT = RELATIONS.indexOf(relationNamed('subject.parent'));
const ABOUT = (REFERENCE_FIELDS['under']?.ends ?? []).map(({ relation }) => RELATIONS.indexOf(relation));

/**
 * Writes how many records have each subject or one below it, by kind: as many as `under:` finds. Each set of records is added
 * to a larger one, so that a deep hierarchy takes no longer than a broad one.
 *
 * @param database a filled index, whose table `below` is replaced
 */
export async function countBelow(database: DatabaseSync, pause: Pause): Promise<void> {
  database.exec('DELETE FROM below');
  const insert = database.prepare('INSERT INTO below VALUES (?, ?, ?, ?)');
  const about = database.prepare(
    `SELECT source, kind FROM reference CROSS JOIN record ON slot = source WHERE relation IN (${ABOUT}) AND target = ?`,
  );
  const narrower = database.prepare('SELECT source FROM reference WHERE relation = ? AND target = ?');
  const roots = database.prepare(
    'SELECT slot FROM record WHERE kind = ? AND slot NOT IN (SELECT source FROM reference WHERE relation = ?)',
  );
  const rows = (statement: typeof narrower, ...given: number[]) =>
    statement.all(...given).map((row) => Number(row['source'] ?? row['slot']));

  const found = new Map<number, Below>();
  const open = rows(roots, KINDS.indexOf('subject'), PARENT).map((slot) => ({
    slot,
    parent: 0,
    isDone: false,
  }));
  for (let one = open.at(-1); one; one = open.at(-1)) {
    const { slot, parent } = one;
    if (!one.isDone) {
      one.isDone = true;
      const own: Below = { kinds: new Map(), counts: KINDS.map(() => 0) };
      for (const { source, kind } of about.all(slot)) add(own, Number(source), Number(kind));
      found.set(slot, own);
      for (const child of rows(narrower, PARENT, slot))
        open.push({ slot: child, parent: slot, isDone: false });
      continue;
    }
    open.pop();
    const own = found.get(slot);
    if (own) insert.run(slot, ...own.counts.filter((_, kind) => KINDS[kind] !== 'subject'));
    const above = found.get(parent);
    if (own && above) found.set(parent, merge(own, above));
    found.delete(slot);
    await pause();
  }
}
