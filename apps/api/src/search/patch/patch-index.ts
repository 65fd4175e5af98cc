import { existsSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import type { DatabaseSync } from 'node:sqlite';
import { replaceWhole } from '@archiefkast/system';
import { KINDS, type Kind } from '@archiefkast/types/kinds';
import { freeArray } from '../../number-list.ts';
import { createPause, type Pause } from '../../pause.ts';
import { CodeWriter, createFieldWriters } from '../build/field-writer.ts';
import { fillIndex } from '../build/fill-index.ts';
import { columnValue, degreesOf, type IndexedRecord } from '../build/record-values.ts';
import { RelationWriter, TARGETS } from '../build/relation-writer.ts';
import { TextWriter } from '../build/text-writer.ts';
import { hasCodes } from '../fields/facets.ts';
import { RELATIONS } from '../fields/relations.ts';
import { searchableColumns } from '../fields/search-fields.ts';
import { Arrays, ArrayWriter } from '../file/arrays.ts';
import { Columns } from '../file/columns.ts';
import {
  DocNumbers,
  isDamage,
  LENGTHS,
  openIndexFile,
  PATCHES,
  ROWIDS,
  readDocNumbers,
  SearchIndexFormatError,
  valuesName,
} from '../file/index-file.ts';
import { FieldPatcher, NewValues } from './field-patcher.ts';
import { type KindDifferences, KindEdits, UnpatchableError } from './kind-edits.ts';
import { OrderPatcher } from './order-patcher.ts';
import { patchPairs } from './patch-pairs.ts';
import { removeRecords } from './remove-records.ts';

/** An index is patched so many times, then it is built again. */
const MOST_PATCHES = 10;

/** The largest part of the records that is patched: more are built as fast. */
const MOST_CHANGED = 1 / 5;

/** What differs between the records of two editions. */
export interface IndexChanges {
  /** Number of records of each kind in the new edition. */
  counts: Readonly<Record<Kind, number>>;
  different: Readonly<Record<Kind, KindDifferences>>;
}

/** Whether so few records differ that a patch is faster than building an index. */
export function isWorthPatching({ counts, different }: IndexChanges): boolean {
  const ofAll = (count: (kind: Kind) => number) => KINDS.reduce((sum, kind) => sum + count(kind), 0);
  const changed = ofAll((kind) => {
    const { added, changed, removed } = different[kind];
    return added.length + changed.length + removed.length;
  });
  return changed <= MOST_CHANGED * ofAll((kind) => counts[kind]);
}

/**
 * Whether an index file can be patched at all.
 *
 * @throws any error on opening, which may be temporary
 */
export function isPatchable(file: string): boolean {
  try {
    using database = openIndexFile(file);
    return (new Arrays(database, 0).words(PATCHES)[0] ?? MOST_PATCHES) < MOST_PATCHES;
  } catch (error) {
    if (error instanceof SearchIndexFormatError) return false;
    throw error;
  }
}

/**
 * Writes the search index of an edition as a copy of the index of an earlier one with what changed. It gives the same
 * answers as a built one, and has nothing of the removed and earlier values, not even in free pages. The file is replaced
 * atomically when it is complete; on failure nothing is left behind.
 *
 * @param file path of the index; a temporary file is written beside it
 * @param base the index of the earlier edition, which is not changed
 * @param records the changed and added records, in the order of `KINDS`, then of position
 * @param signal stops the work
 * @throws UnpatchableError if the index has to be built; the signal's reason; any error on reading records
 */
export async function patchSearchIndex(
  file: string,
  base: string,
  changes: IndexChanges,
  records: AsyncIterable<IndexedRecord>,
  signal?: AbortSignal,
): Promise<void> {
  try {
    await replaceWhole(file, async (temporary) => {
      await copyFile(base, temporary).catch((error: unknown) => {
        throw existsSync(base) ? error : new UnpatchableError('the index to patch was deleted');
      });
      const pause = createPause(signal);
      await fillIndex(temporary, (database) => patchIndex(database, changes, records, pause));
    });
  } catch (error) {
    throw isDamage(error) ? new UnpatchableError('the index to patch is damaged', { cause: error }) : error;
  }
}

async function patchIndex(
  database: DatabaseSync,
  { counts, different }: IndexChanges,
  records: AsyncIterable<IndexedRecord>,
  pause: Pause,
): Promise<void> {
  const before = readDocNumbers(database);
  const edits = {} as Record<Kind, KindEdits>;
  for (const kind of KINDS)
    edits[kind] = new KindEdits(before.spanOf(kind).records, counts[kind], different[kind]);
  const patcher = new IndexPatcher(database, before, new DocNumbers(new Map(Object.entries(counts))), edits);
  await removeRecords(database, patcher.removed, pause);
  for await (const record of records) {
    await patcher.put(record, pause);
    await pause();
  }
  await patcher.finish(pause);
}

/** The new values of a kind. */
interface KindValues {
  fields: ReadonlyMap<string, NewValues>;
  latitudes: number[];
  longitudes: number[];
}

/** Changes the tables of an index. */
class IndexPatcher {
  readonly #database: DatabaseSync;
  readonly #after: DocNumbers;
  readonly #edits: Readonly<Record<Kind, KindEdits>>;
  readonly #arrays: Arrays;
  readonly #arrayWriter: ArrayWriter;
  readonly #texts: TextWriter;
  readonly #relations = new RelationWriter();
  readonly #values: Readonly<Record<Kind, KindValues>>;
  /** The new document number of each earlier one, plus 1; 0 if the record was removed. */
  readonly #newDocs: Uint32Array;
  /** The new document numbers that were changed or added, ascending. */
  readonly #written: Uint32Array;
  /** The rowids of the records that were removed or changed, ascending. */
  readonly removed: Uint32Array;
  /** The rowid of each new document number; 0 while it has none. */
  readonly #rowids: Uint32Array<ArrayBuffer>;
  /** The number of words of each new document number. */
  readonly #lengths: Uint32Array<ArrayBuffer>;
  #freeRowid = 1;

  constructor(
    database: DatabaseSync,
    before: DocNumbers,
    after: DocNumbers,
    edits: Readonly<Record<Kind, KindEdits>>,
  ) {
    this.#database = database;
    this.#after = after;
    this.#edits = edits;
    this.#arrays = new Arrays(database, 0);
    this.#arrayWriter = new ArrayWriter(database);
    this.#texts = new TextWriter(database);
    this.#values = {
      person: emptyValues('person'),
      subject: emptyValues('subject'),
      location: emptyValues('location'),
      event: emptyValues('event'),
    };
    this.#newDocs = new Uint32Array(before.total);
    for (const { kind, start } of before.spans) {
      for (const [at, row] of edits[kind].newRows.entries())
        this.#newDocs[start + at] = row && after.spanOf(kind).start + row;
    }
    this.#written = Uint32Array.from(
      after.spans.flatMap(({ kind, start }) => Array.from(edits[kind].written, (row) => start + row)),
    );
    const isWritten = new Set(this.#written);
    const [rowids, lengths] = [this.#arrays.words(ROWIDS), this.#arrays.words(LENGTHS)];
    const removed: number[] = [];
    this.#rowids = new Uint32Array(after.total);
    this.#lengths = new Uint32Array(after.total);
    for (const [doc, rowid] of rowids.entries()) {
      const next = (this.#newDocs[doc] ?? 0) - 1;
      this.#freeRowid = Math.max(this.#freeRowid, rowid + 1);
      if (next < 0 || isWritten.has(next)) {
        removed.push(rowid);
      } else {
        this.#rowids[next] = rowid;
        this.#lengths[next] = lengths[doc] ?? 0;
      }
    }
    for (const array of [rowids, lengths]) freeArray(array);
    this.removed = Uint32Array.from(removed).sort();
  }

  /** Puts the next changed or added record in its place. */
  async put(indexed: IndexedRecord, pause: Pause): Promise<void> {
    const { kind, position, record } = indexed;
    const { fields, latitudes, longitudes } = this.#values[kind];
    for (const [name, values] of fields) values.add(columnValue(kind, record, name));
    if (kind === 'location') {
      latitudes.push(degreesOf(record['latitude']));
      longitudes.push(degreesOf(record['longitude']));
    }
    this.#relations.add(kind, position - 1, record);
    const doc = this.#after.docOf(kind, position - 1);
    const rowid = this.#freeRowid++;
    this.#rowids[doc] = rowid;
    this.#lengths[doc] = await this.#texts.write(rowid, indexed, pause);
  }

  /** Patches what is stored by position. */
  async finish(pause: Pause): Promise<void> {
    await this.#texts.flush(pause);
    const insertKind = this.#database.prepare('INSERT OR REPLACE INTO kind (name, records) VALUES (?, ?)');
    for (const { kind, records } of this.#after.spans) {
      insertKind.run(kind, records);
      await this.#patchFields(kind, pause);
    }
    await this.#patchRelations(pause);
    const { location } = this.#edits;
    for (const [name, put] of [
      ['latitude', this.#values.location.latitudes],
      ['longitude', this.#values.location.longitudes],
    ] as const) {
      this.#arrayWriter.write(name, location.spliceNumbers(this.#arrays.doubles(name), put));
    }
    for (const [name, numbers] of [
      [ROWIDS, this.#rowids],
      [LENGTHS, this.#lengths],
    ] as const) {
      this.#arrayWriter.write(name, numbers);
      freeArray(numbers);
    }
    const renumbering = { newDocs: this.#newDocs, written: this.#written, docs: this.#after };
    const columns = new Columns(this.#database, 0);
    await new OrderPatcher(renumbering, columns).write(this.#arrays, this.#arrayWriter, pause);
    this.#arrayWriter.write(PATCHES, Uint32Array.of((this.#arrays.words(PATCHES)[0] ?? 0) + 1));
  }

  async #patchFields(kind: Kind, pause: Pause): Promise<void> {
    const { edits } = this.#edits[kind];
    if (edits.length === 0) return;
    const patcher = new FieldPatcher(this.#database);
    for (const [name, values] of this.#values[kind].fields) {
      const isPatched = patcher.patch(kind, name, edits, values.take());
      if (isPatched && hasCodes(kind, name)) this.#writeCodes(kind, name);
      await pause();
    }
  }

  /** Assigns codes to the values of a patched field. */
  #writeCodes(kind: Kind, name: string): void {
    const values = valuesName(name);
    this.#database.prepare('DELETE FROM field WHERE kind = ? AND name = ?').run(kind, values);
    const writer = new CodeWriter(kind, name, createFieldWriters(this.#database)(kind, values));
    const column = new Columns(this.#database, 0).shown(kind, name);
    for (let row = 0; row < column.length; row++) writer.add(column.valueAt(row));
    writer.finish(this.#arrayWriter);
  }

  async #patchRelations(pause: Pause): Promise<void> {
    const columns = new Columns(this.#database, 0);
    for (const kind of TARGETS) {
      let row = 0;
      for (const uuid of columns.values(kind, 'uuid')) {
        this.#relations.resolve(uuid, row++);
        await pause();
      }
    }
    let subject = 0;
    for (const id of columns.values('subject', 'id')) {
      this.#relations.resolveSubject(Number(id), subject++);
      await pause();
    }
    for (const relation of RELATIONS) {
      const earlier = this.#arrays.pairs(relation);
      const put = this.#relations.takePairs(relation);
      const { [relation.source]: sources, [relation.target]: targets } = this.#edits;
      const patched = patchPairs(earlier, sources, targets, put);
      this.#arrayWriter.writePairs(relation, patched);
      for (const pairs of [earlier, patched]) {
        freeArray(pairs.sources);
        freeArray(pairs.targets);
      }
      await pause();
    }
  }
}

function emptyValues(kind: Kind): KindValues {
  const fields = new Map(searchableColumns(kind).map((name) => [name, new NewValues()]));
  return { fields, latitudes: [], longitudes: [] };
}
