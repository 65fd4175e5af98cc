import {
  FolderError,
  journalPath,
  readJournal,
  readWalkFile,
  recordFields,
  supplementPath,
  type WalkFile,
} from '@archiefkast/client/node';
import { nameOfRecord, type ReadingContext, type RecordNames } from '@archiefkast/formats/reading';
import { isMissing, readTextLines } from '@archiefkast/system';
import type { Kind, Supplement } from '@archiefkast/types';
import { uuidOfReference } from '@archiefkast/types/links';
import type { KindContent } from '../proof/kind-content.ts';
import { type ArchiveWords, readArchiveWords } from '../records/archive-words.ts';
import type { LooseRecord } from '../records/record-lines.ts';

/** The records of a harvest, read by formats. */
export interface HarvestSource {
  /** The kinds that were harvested, in the order of `KINDS`. */
  kinds: readonly Kind[];
  /** The records of a kind as lines of JSON, a block for each page; valid until the next block is requested. */
  blocks(kind: Kind): AsyncGenerator<Buffer, void, void>;
  /** The records of a kind, in batches. */
  records(kind: Kind): AsyncGenerator<LooseRecord[], void, void>;
  /** The same, with the subjects of events: from the abbreviated events of locations, and the supplements. */
  completeRecords(kind: Kind): AsyncGenerator<LooseRecord[], void, void>;
  /** Unknown fields of a kind's records, which a lenient harvest keeps. */
  extraFields(kind: Kind): Promise<readonly string[]>;
  /**
   * The context of a kind's rows: the language and the names of subjects that are not embedded, which are read once.
   *
   * @param warn reports what is missing; without it, the rows show no names
   */
  context(kind: Kind, warn?: (sentence: string) => void): Promise<ReadingContext>;
  /** What the records cannot say, by uuid; empty if the archive does not offer it. Read once. */
  supplements(): Promise<ReadonlyMap<string, Supplement>>;
  /** What the archive says of itself; undefined if it has no description. */
  words(): Promise<ArchiveWords | undefined>;
  /** Address, language and edition of the harvest. */
  walk(): Promise<WalkFile>;
}

/**
 * Creates the source of a harvest's records.
 *
 * @param known content of the records, if it was collected during the walk
 */
export function createHarvestSource(
  journalFolder: string,
  kinds: readonly Kind[],
  known: ReadonlyMap<Kind, Pick<KindContent, 'extraFields'>> = new Map(),
): HarvestSource {
  /** The subjects that locations have of their events; known once all locations have been read. */
  let locatedSubjects: Map<unknown, unknown[]> | undefined;

  async function* blocks(kind: Kind): AsyncGenerator<Buffer, void, void> {
    const path = journalPath(journalFolder, kind);
    for await (const { block } of readJournal(path, 0, true)) yield block;
  }

  async function* records(kind: Kind): AsyncGenerator<LooseRecord[], void, void> {
    const path = journalPath(journalFolder, kind);
    const found = kind === 'location' && !locatedSubjects ? new Map<unknown, unknown[]>() : undefined;
    for await (const { lines } of readJournal(path, 0, true)) {
      const some: LooseRecord[] = lines.map((line) => JSON.parse(line.toString()));
      if (found) collectSubjects(some, found);
      yield some;
    }
    locatedSubjects ??= found;
  }

  async function findExtraFields(kind: Kind): Promise<ReadonlySet<string>> {
    const contract = new Set(recordFields(kind));
    const extra = new Set<string>();
    for await (const some of records(kind)) {
      for (const field of some.flatMap(Object.keys)) if (!contract.has(field)) extra.add(field);
    }
    return extra;
  }

  /** The subjects of events, by uuid of the event. */
  async function readEventSubjects(): Promise<Map<unknown, readonly unknown[]>> {
    if (!locatedSubjects && kinds.includes('location')) {
      for await (const _ of records('location'));
    }
    const subjects = new Map<unknown, readonly unknown[]>(locatedSubjects);
    for (const { uuid, subjects: named } of (await readOnce()).values()) if (named) subjects.set(uuid, named);
    return subjects;
  }

  let eventSubjects: ReturnType<typeof readEventSubjects> | undefined;

  async function* completeRecords(kind: Kind): AsyncGenerator<LooseRecord[], void, void> {
    if (kind !== 'event') {
      yield* records(kind);
      return;
    }
    eventSubjects ??= readEventSubjects();
    const subjects = await eventSubjects;
    for await (const events of records(kind))
      yield events.map((event) => ({ ...event, subjects: subjects.get(event['uuid']) ?? [] }));
  }

  let supplements: Promise<Map<string, Supplement>> | undefined;

  const readOnce = () => {
    supplements ??= readSupplements(journalFolder);
    return supplements;
  };

  async function walk(): Promise<WalkFile> {
    const found = await readWalkFile(journalFolder);
    if (!found) throw new FolderError(`${journalFolder} contains no walk file`);
    return found;
  }

  let subjectNames: Promise<RecordNames> | undefined;

  async function namesFor(kind: Kind, warn: (sentence: string) => void): Promise<RecordNames> {
    const column = COLUMNS_OF_NAMES[kind];
    if (column === undefined) return NO_NAMES;
    if (!kinds.includes('subject')) {
      warn(`${column} of ${kind}s is empty: subjects were not harvested`);
      return NO_NAMES;
    }
    subjectNames ??= readSubjectNames(records('subject'));
    return subjectNames;
  }

  return {
    kinds,
    blocks,
    records,
    extraFields: async (kind) => [...(known.get(kind)?.extraFields ?? (await findExtraFields(kind)))],
    completeRecords,
    async context(kind, warn) {
      if (kind === 'event' && warn && !kinds.includes('location'))
        warn('subjects of events at a location are missing: locations were not harvested');
      const { language } = await walk();
      return { language, names: warn ? await namesFor(kind, warn) : NO_NAMES };
    },
    supplements: readOnce,
    words: () => readArchiveWords(journalFolder),
    walk,
  };
}

/** The column of names of each kind that refers to subjects without embedding them. */
const COLUMNS_OF_NAMES: Partial<Record<Kind, string>> = {
  person: 'subject_names',
  subject: 'parent_name',
  event: 'subject_names',
};

const NO_NAMES: RecordNames = { ofUuid: () => undefined, ofSubject: () => undefined };

async function readSubjectNames(batches: AsyncIterable<readonly LooseRecord[]>): Promise<RecordNames> {
  const byUuid = new Map<string, string>();
  const byId = new Map<number, string>();
  for await (const subjects of batches) {
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

/** Reads the supplements in a folder of journals, which were checked when they were received, by uuid. */
export async function readSupplements(journalFolder: string): Promise<Map<string, Supplement>> {
  const supplements = new Map<string, Supplement>();
  try {
    for await (const { text = '' } of readTextLines(supplementPath(journalFolder))) {
      const supplement: Supplement = JSON.parse(text);
      supplements.set(supplement.uuid, supplement);
    }
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
  return supplements;
}

/** Adds the subjects of the abbreviated events of locations, by uuid of the event. */
function collectSubjects(locations: readonly LooseRecord[], found: Map<unknown, unknown[]>): void {
  for (const { events } of locations) {
    for (const event of Array.isArray(events) ? events : []) {
      const named: unknown[] = Array.isArray(event.subjects) ? event.subjects : [];
      if (named.length === 0) continue;
      found.set(
        event.uuid,
        named.map((url) => uuidOfReference(String(url)) ?? url),
      );
    }
  }
}
