import { setImmediate as nextTurn } from 'node:timers/promises';
import { dumpOf } from '@archiefkast/client/internal';
import { type ArchiveWords, readArchiveWords, recordsOf } from '@archiefkast/client/internal/node';
import { FolderError, type HarvestStore, type Walk } from '@archiefkast/client/node';
import {
  listOf,
  type ReadingContext,
  type ReadingTable,
  type RecordNames,
  uuidOf,
  withKnownDates,
} from '@archiefkast/formats/reading';
import type { Kind, Supplement } from '@archiefkast/types';
import { type Fields, nameOfRecord } from '@archiefkast/types/internal/fields';
import { uuidOfReference } from '@archiefkast/types/links';
import { fullEventLines } from './full-events.ts';

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
  readonly #shown = new Map<Kind, Promise<ShownRecords>>();

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

  /** The lines of events with all that these embed, in parts. */
  fullEvents(): AsyncGenerator<string | Buffer, void, void> {
    return this.walk.events === 'full' ? this.blocks('event') : fullEventLines(this.#store);
  }

  /** The size of these lines in bytes, by the manifest; undefined if the archive has none. */
  fullEventBytes(): number | undefined {
    const manifest = this.#store.text('manifest');
    return manifest === undefined ? undefined : dumpOf(JSON.parse(manifest), 'event')?.bytes;
  }

  /** The same as `records`, with the subjects of events: full ones have them in their locations and the supplements. */
  async *completeRecords(kind: Kind): AsyncGenerator<Fields[], void, void> {
    if (kind !== 'event' || this.walk.events === 'abbreviated') {
      yield* this.records(kind);
      return;
    }
    this.#eventSubjects ??= this.#readEventSubjects();
    const subjects = await this.#eventSubjects;
    for await (const events of this.records(kind))
      yield events.map((event) => ({ ...event, subjects: subjects.get(event['uuid']) ?? [] }));
  }

  /** The same as `records`, where events have what files show of their persons and location. */
  async *shownRecords(kind: Kind): AsyncGenerator<Fields[], void, void> {
    if (kind !== 'event' || this.walk.events === 'full') {
      yield* this.records(kind);
      return;
    }
    const [persons, locations] = [await this.#show('person'), await this.#show('location')];
    for await (const events of this.records(kind))
      yield events.map((event) => ({
        ...event,
        persons: listOf(event['persons']).map((person) => persons.byUuid.get(uuidOf(person))),
        location: locations.byUuid.get(uuidOf(event['location'])) ?? null,
      }));
  }

  /** Unknown fields of a kind's records, which a lenient harvest keeps. */
  extraFields(kind: Kind): readonly string[] {
    return [...new Set(this.#store.listed(kind, 'extra'))];
  }

  /**
   * The context of a kind's rows: the language and the names of records that are not embedded, which are read once.
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
    if (!this.kinds.includes('subject')) warn(`${column} of ${kind}s is empty: subjects were not harvested`);
    const isAbbreviated = kind === 'event' && this.walk.events === 'abbreviated';
    const named: readonly Kind[] = isAbbreviated ? ['subject', 'person', 'location'] : ['subject'];
    const shown = new Map<Kind, ShownRecords>();
    for (const each of named) if (this.kinds.includes(each)) shown.set(each, await this.#show(each));
    const nameOf = (record: Fields | undefined) => record && nameOfRecord(record);
    const names: RecordNames = {
      ofUuid: (of, uuid) => nameOf(shown.get(of)?.byUuid.get(uuid)),
      ofSubject: (id) => nameOf(shown.get('subject')?.byId.get(id)),
    };
    return { language, names };
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

  /** What files show of the records of a kind, which are read once. */
  #show(kind: Kind): Promise<ShownRecords> {
    const shown = this.#shown.get(kind) ?? readShown(this.records(kind));
    this.#shown.set(kind, shown);
    return shown;
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

/** What files show of the records that others refer to. */
interface ShownRecords {
  byUuid: ReadonlyMap<string, Fields>;
  byId: ReadonlyMap<unknown, Fields>;
}

async function readShown(batches: AsyncIterable<readonly Fields[]>): Promise<ShownRecords> {
  const byUuid = new Map<string, Fields>();
  const byId = new Map<unknown, Fields>();
  for await (const records of batches) {
    for (const { id, uuid, title, name, city, latitude, longitude } of records) {
      const shown = { uuid, title, name, city, latitude, longitude };
      byUuid.set(String(uuid).toLowerCase(), shown);
      byId.set(id, shown);
    }
  }
  return { byUuid, byId };
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
