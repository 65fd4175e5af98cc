import { nameOfRecord, type RecordNames } from '@archiefkast/formats/csv';
import type { Kind } from '@archiefkast/types';
import type { FormatOptions } from './format.ts';
import type { HarvestSource } from './harvest-source.ts';

/** The kinds whose records name subjects that they do not hold. Other records hold what they refer to. */
const REFERS: Partial<Record<Kind, string>> = { person: 'subject_names', subject: 'parent_name' };

/** The names that the rows of a kind show and its records do not hold: those of subjects. */
export async function readSubjectNames(
  kind: Kind,
  source: HarvestSource,
  { warn }: Pick<FormatOptions, 'warn'>,
): Promise<RecordNames> {
  const byUuid = new Map<string, string>();
  const byId = new Map<number, string>();
  const names: RecordNames = {
    ofUuid: (of, uuid) => (of === 'subject' ? byUuid.get(uuid) : undefined),
    ofSubject: (id) => byId.get(id),
  };
  const column = REFERS[kind];
  if (column === undefined) return names;
  if (!source.kinds.includes('subject')) {
    warn(`${column} of ${kind}s is empty: subjects were not harvested`);
    return names;
  }
  for await (const subjects of source.records('subject')) {
    for (const subject of subjects) {
      byUuid.set(String(subject['uuid']).toLowerCase(), nameOfRecord(subject));
      if (typeof subject['id'] === 'number') byId.set(subject['id'], nameOfRecord(subject));
    }
  }
  return names;
}
