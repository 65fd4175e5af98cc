import { setImmediate as nextTurn } from 'node:timers/promises';
import { type ArchiveWords, readArchiveWords, recordsOf } from '@archiefkast/client/internal/node';
import { FolderError, type HarvestStore, type Walk } from '@archiefkast/client/node';
import {
  type ReadingContext,
  type ReadingTable,
  type RecordNames,
  withKnownDates,
} from '@archiefkast/formats/reading';
import type { Kind, Supplement } from '@archiefkast/types';
import { type Fields, nameOfRecord } from '@archiefkast/types/internal/fields';
import { uuidOfReference } from '@archiefkast/types/links';

/** A table for reading, and the function that adds a row of a record to its file. */
export type OpenTable = ReadingTable & { add(row: readonly string[], record: Fields): void };

export class HarvestSource {
  readonly walk: Walk;
  /** The kinds that were harvested, in the order of `KINDS`. */
  readonly kinds: readonly Kind[];
  /** What the archive says of itself; undefined if it has no description. */
  readonly words: ArchiveWords | undefined;
  /** What the records cannot say, by uuid; empty if the archive does not offer it. */
  readonly supplements: ReadonlyMap<string, Supplement>;
  readonly #store: HarvestStore;
  #eventSubjects: Promise<ReadonlyMap<unknown, readonly unknown[]>> | undefined;
  #subjectNames: Promise<RecordNames> | undefined;

  /** @throws FolderError if the harvest has not begun */
  constructor(store: HarvestStore) {
    const { walk } = store;
    if (!walk) throw new FolderError(`${store.path} contains no harvest`);
    this.walk = walk;
    this.kinds = walk.kinds;
    this.words = readArchiveWords(store);
    this.supplements = store.supplements();
    this.#store = store;
  }

  /** The records of a kind as lines of JSON, a block for each page. */
  async *blocks(kind: Kind): AsyncGenerator<Buffer, void, void> {
    for (const block of this.#store.blocks(kind)) {
      // Signals arrive between turns.
      await nextTurn();
      yield block;
    }
  }

  /** The records of a kind, in batches, with what is known of their dates. */
  async *records(kind: Kind): AsyncGenerator<Fields[], void, void> {
    for await (const block of this.blocks(kind)) {
      yield recordsOf(block).map((record) =>
        withKnownDates(record, this.supplements.get(String(record['uuid']).toLowerCase())?.dates),
      );
    }
  }

  /** The same, with the subjects of events: from the abbreviated events of locations, and the supplements. */
  async *completeRecords(kind: Kind): AsyncGenerator<Fields[], void, void> {
    if (kind !== 'event') {
      yield* this.records(kind);
      return;
    }
    this.#eventSubjects ??= this.#readEventSubjects();
    const subjects = await this.#eventSubjects;
    for await (const events of this.records(kind))
      yield events.map((event) => ({ ...event, subjects: subjects.get(event['uuid']) ?? [] }));
  }

  /** Unknown fields of a kind's records, which a lenient harvest keeps. */
  extraFields(kind: Kind): readonly string[] {
    return [...new Set(this.#store.listed(kind, 'extra'))];
  }

  /**
   * The context of a kind's rows: the language and the names of subjects that are not embedded, which are read once.
   *
   * @param warn reports what is missing; without it, the rows show no names
   */
  async context(kind: Kind, warn?: (sentence: string) => void): Promise<ReadingContext> {
    const { language } = this.walk;
    if (!warn) return { language, names: NO_NAMES };
    if (kind === 'event' && !this.kinds.includes('location'))
      warn('subjects of events at a location are missing: locations were not harvested');
    const column = COLUMNS_OF_NAMES[kind];
    if (column === undefined) return { language, names: NO_NAMES };
    if (!this.kinds.includes('subject')) {
      warn(`${column} of ${kind}s is empty: subjects were not harvested`);
      return { language, names: NO_NAMES };
    }
    this.#subjectNames ??= readSubjectNames(this.records('subject'));
    return { language, names: await this.#subjectNames };
  }

  /** Adds the rows of tables. The records of a kind are read once for all of them. @param warn reports what is missing */
  async addRows(tables: readonly OpenTable[], warn: (sentence: string) => void): Promise<void> {
    for (const kind of this.kinds) {
      const ofKind = tables.filter((table) => table.kind === undefined || table.kind === kind);
      if (ofKind.length === 0) continue;
      const showsNames = ofKind.some((table) => table.kind === kind);
      const context = await this.context(kind, showsNames ? warn : undefined);
      for await (const records of this.completeRecords(kind)) {
        for (const record of records) {
          for (const table of ofKind)
            for (const row of table.rows(kind, record, context)) table.add(row, record);
        }
      }
    }
  }

  async #readEventSubjects(): Promise<ReadonlyMap<unknown, readonly unknown[]>> {
    const found = new Map<unknown, readonly unknown[]>();
    if (this.kinds.includes('location'))
      for await (const locations of this.records('location')) collectSubjects(locations, found);
    for (const { uuid, subjects } of this.supplements.values()) if (subjects) found.set(uuid, subjects);
    return found;
  }
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
export function collectSubjects(locations: Iterable<Fields>, found: Map<unknown, readonly unknown[]>): void {
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
