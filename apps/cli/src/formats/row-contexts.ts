import { type CsvContext, nameOfRecord, type RecordNames } from '@archiefkast/formats/csv';
import type { Kind } from '@archiefkast/types';
import type { FormatOptions } from './format.ts';
import type { HarvestSource } from './harvest-source.ts';

/** Kinds that refer to subjects without embedding them, with the column of their names. */
const REFERS: Partial<Record<Kind, string>> = {
  person: 'subject_names',
  subject: 'parent_name',
  event: 'subject_names',
};

const NO_NAMES: RecordNames = { ofUuid: () => undefined, ofSubject: () => undefined };

/**
 * Creates the function that returns the context of a kind's rows: the language and, if the rows show names, the names of
 * subjects that are not embedded. The names are read once.
 */
export function createRowContexts(
  source: HarvestSource,
  { warn }: Pick<FormatOptions, 'warn'>,
): (kind: Kind, showsNames: boolean) => Promise<CsvContext> {
  let subjectNames: Promise<RecordNames> | undefined;

  async function namesFor(kind: Kind): Promise<RecordNames> {
    const column = REFERS[kind];
    if (column === undefined) return NO_NAMES;
    if (!source.kinds.includes('subject')) {
      warn(`${column} of ${kind}s is empty: subjects were not harvested`);
      return NO_NAMES;
    }
    subjectNames ??= readSubjectNames(source);
    return subjectNames;
  }

  return async (kind, showsNames) => {
    if (kind === 'event' && showsNames && !source.kinds.includes('location'))
      warn('subjects of events at a location are missing: locations were not harvested');
    const { language } = await source.walk();
    return { language, names: showsNames ? await namesFor(kind) : NO_NAMES };
  };
}

async function readSubjectNames(source: HarvestSource): Promise<RecordNames> {
  const byUuid = new Map<string, string>();
  const byId = new Map<number, string>();
  for await (const subjects of source.records('subject')) {
    for (const subject of subjects) {
      byUuid.set(String(subject['uuid']).toLowerCase(), nameOfRecord(subject));
      if (typeof subject['id'] === 'number') byId.set(subject['id'], nameOfRecord(subject));
    }
  }
  return {
    ofUuid: (of, uuid) => (of === 'subject' ? byUuid.get(uuid) : undefined),
    ofSubject: (id) => byId.get(id),
  };
}
