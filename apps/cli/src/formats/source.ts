import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Fields, FolderError, type HarvestStore, recordsOf, type Walk } from '@archiefkast/client/node';
import { nameOfRecord, type ReadingContext, type RecordNames } from '@archiefkast/formats/reading';
import type { Kind, Supplement } from '@archiefkast/types';
import { uuidOfReference } from '@archiefkast/types/links';
import { type ArchiveWords, readArchiveWords } from '../proof/archive-words.ts';

/** The records of a harvest, read by formats. */
export interface HarvestSource {
  /** The kinds that were harvested, in the order of `KINDS`. */
  kinds: readonly Kind[];
  /** Address, language and edition of the harvest. */
  walk: Walk;
  /** What the archive says of itself; undefined if it has no description. */
  words: ArchiveWords | undefined;
  /** What the records cannot say, by uuid; empty if the archive does not offer it. */
  supplements: ReadonlyMap<string, Supplement>;
  /** The records of a kind as lines of JSON, a block for each page. */
  blocks(kind: Kind): AsyncGenerator<Buffer, void, void>;
  /** The records of a kind, in batches. */
  records(kind: Kind): AsyncGenerator<Fields[], void, void>;
  /** The same, with the subjects of events: from the abbreviated events of locations, and the supplements. */
  completeRecords(kind: Kind): AsyncGenerator<Fields[], void, void>;
  /** Unknown fields of a kind's records, which a lenient harvest keeps. */
  extraFields(kind: Kind): readonly string[];
  /**
   * The context of a kind's rows: the language and the names of subjects that are not embedded, which are read once.
   *
   * @param warn reports what is missing; without it, the rows show no names
   */
  context(kind: Kind, warn?: (sentence: string) => void): Promise<ReadingContext>;
}

/** Creates the source of a harvest's records. @throws FolderError if it has not begun */
export function createHarvestSource(store: HarvestStore): HarvestSource {
  const { walk } = store;
  if (!walk) throw new FolderError(`${store.path} contains no harvest`);
  const { kinds, language } = walk;
  const supplements = store.supplements();
  let eventSubjects: Promise<ReadonlyMap<unknown, readonly unknown[]>> | undefined;
  let subjectNames: Promise<RecordNames> | undefined;

  async function* blocks(kind: Kind): AsyncGenerator<Buffer, void, void> {
    for (const block of store.blocks(kind)) {
      // Signals arrive between turns.
      await nextTurn();
      yield block;
    }
  }

  async function* records(kind: Kind): AsyncGenerator<Fields[], void, void> {
    for await (const block of blocks(kind)) yield recordsOf(block);
  }

  /** The subjects of events, by uuid of the event. */
  async function readEventSubjects(): Promise<ReadonlyMap<unknown, readonly unknown[]>> {
    const found = new Map<unknown, readonly unknown[]>();
    if (kinds.includes('location'))
      for await (const locations of records('location')) collectSubjects(locations, found);
    for (const { uuid, subjects } of supplements.values()) if (subjects) found.set(uuid, subjects);
    return found;
  }

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
    walk,
    words: readArchiveWords(store),
    supplements,
    blocks,
    records,
    async *completeRecords(kind) {
      if (kind !== 'event') {
        yield* records(kind);
        return;
      }
      eventSubjects ??= readEventSubjects();
      const subjects = await eventSubjects;
      for await (const events of records(kind))
        yield events.map((event) => ({ ...event, subjects: subjects.get(event['uuid']) ?? [] }));
    },
    extraFields: (kind) => [...new Set(store.pages(kind).flatMap(({ extra }) => extra))],
    async context(kind, warn) {
      if (kind === 'event' && warn && !kinds.includes('location'))
        warn('subjects of events at a location are missing: locations were not harvested');
      return { language, names: warn ? await namesFor(kind, warn) : NO_NAMES };
    },
  };
}

/** The column of names of each kind that refers to subjects without embedding them. */
const COLUMNS_OF_NAMES: Partial<Record<Kind, string>> = {
  person: 'subject_names',
  subject: 'parent_name',
  event: 'subject_names',
};

const NO_NAMES: RecordNames = { ofUuid: () => undefined, ofSubject: () => undefined };

async function readSubjectNames(batches: AsyncIterable<readonly Fields[]>): Promise<RecordNames> {
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

/** Adds the subjects of the abbreviated events of locations, by uuid of the event. */
function collectSubjects(locations: readonly Fields[], found: Map<unknown, readonly unknown[]>): void {
  for (const { events } of locations) {
    for (const event of Array.isArray(events) ? events : []) {
      const named: unknown[] = Array.isArray(event.subjects) ? event.subjects : [];
      if (named.length > 0)
        found.set(
          event.uuid,
          named.map((url) => uuidOfReference(String(url)) ?? url),
        );
    }
  }
}
