import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { replaceWhole } from '@archiefkast/system';
import { KINDS, type Kind } from '@archiefkast/types/kinds';
import { NumberList } from '../../number-list.ts';
import { createPause, type Pause } from '../../pause.ts';
import { hasCodes } from '../fields/facets.ts';
import { RELATIONS } from '../fields/relations.ts';
import { searchableColumns } from '../fields/search-fields.ts';
import { ArrayWriter } from '../file/arrays.ts';
import { INDEX_TABLES, LENGTHS, PATCHES, ROWIDS, valuesName } from '../file/index-file.ts';
import { CodeWriter, createFieldWriters, type FieldWriter } from './field-writer.ts';
import { fillIndex } from './fill-index.ts';
import { OrderWriter } from './order-writer.ts';
import { columnValue, degreesOf, type IndexedRecord } from './record-values.ts';
import { RelationWriter } from './relation-writer.ts';
import { TextWriter } from './text-writer.ts';

/**
 * Writes the search index of an edition. The file is replaced atomically when it is complete; on failure nothing is
 * left behind.
 *
 * @param file path of the index; a temporary file is written beside it
 * @param records all published records, in the order of `KINDS`, then of position
 * @param signal stops the build
 * @throws RangeError if the records are not in that order; the signal's reason; any error of `records`
 */
export async function buildSearchIndex(
  file: string,
  records: AsyncIterable<IndexedRecord>,
  signal?: AbortSignal,
): Promise<void> {
  const pause = createPause(signal);
  const write = async (database: DatabaseSync) => {
    database.exec(INDEX_TABLES);
    const writer = new IndexWriter(database);
    for await (const record of records) {
      await writer.add(record, pause);
      await pause();
    }
    await writer.finish(pause);
  };
  await replaceWhole(file, (temporary) => fillIndex(temporary, write));
}

/** A field of the current kind. */
interface IndexedField {
  name: string;
  values: FieldWriter;
  /** Present for facets. */
  codes: CodeWriter | undefined;
}

/** Writes records into the tables of an index, kind by kind. */
class IndexWriter {
  readonly #texts: TextWriter;
  readonly #insertKind: StatementSync;
  readonly #fieldWriter: ReturnType<typeof createFieldWriters>;
  readonly #arrays: ArrayWriter;
  readonly #relations = new RelationWriter();
  readonly #orders: OrderWriter;
  readonly #latitudes = new NumberList(Float64Array);
  readonly #longitudes = new NumberList(Float64Array);
  /** The number of words of each record. */
  readonly #lengths = new NumberList(Uint32Array);
  readonly #counts = new Map<Kind, number>();
  #kind: Kind = KINDS[0];
  #fields: IndexedField[];

  constructor(database: DatabaseSync) {
    this.#texts = new TextWriter(database);
    this.#insertKind = database.prepare('INSERT INTO kind (name, records) VALUES (?, ?)');
    this.#fieldWriter = createFieldWriters(database);
    this.#arrays = new ArrayWriter(database);
    this.#orders = new OrderWriter(database);
    this.#fields = this.#fieldsOf(this.#kind);
  }

  /** Adds a record. @throws RangeError if it is not the next one in order */
  async add(indexed: IndexedRecord, pause: Pause): Promise<void> {
    const { kind, position, record } = indexed;
    if (KINDS.indexOf(kind) > KINDS.indexOf(this.#kind)) this.#begin(kind);
    const expected = (this.#counts.get(this.#kind) ?? 0) + 1;
    if (kind !== this.#kind || position !== expected) {
      throw new RangeError(
        `${kind} ${position}: expected ${this.#kind} ${expected}, or the first record of a later kind`,
      );
    }
    this.#counts.set(kind, position);
    for (const { name, values, codes } of this.#fields) {
      const value = columnValue(kind, record, name);
      values.add(value);
      codes?.add(value);
    }
    this.#relations.add(kind, position - 1, record);
    this.#orders.add(kind, record);
    if (kind === 'location') {
      this.#latitudes.push(degreesOf(record['latitude']));
      this.#longitudes.push(degreesOf(record['longitude']));
    }
    this.#lengths.push(await this.#texts.write(this.#lengths.length + 1, indexed, pause));
  }

  /** Writes the buffered data. */
  async finish(pause: Pause): Promise<void> {
    this.#flush(KINDS.length);
    await this.#texts.flush(pause);
    for (const [kind, records] of this.#counts) this.#insertKind.run(kind, records);
    const lengths = this.#lengths.view;
    this.#arrays.write(LENGTHS, lengths);
    for (let doc = 0; doc < lengths.length; doc++) lengths[doc] = doc + 1;
    this.#arrays.write(ROWIDS, lengths);
    this.#arrays.write(PATCHES, Uint32Array.of(0));
    this.#arrays.write('latitude', this.#latitudes.view);
    this.#arrays.write('longitude', this.#longitudes.view);
    await this.#orders.write(this.#arrays, pause);
  }

  #begin(kind: Kind): void {
    this.#flush(KINDS.indexOf(kind));
    this.#kind = kind;
    this.#fields = this.#fieldsOf(kind);
  }

  /** Writes the fields of the current kind, and the relations that are complete with it. @param next index of the next kind */
  #flush(next: number): void {
    for (const { values, codes } of this.#fields) {
      values.flush();
      codes?.finish(this.#arrays);
    }
    for (const relation of RELATIONS) {
      const last = Math.max(KINDS.indexOf(relation.source), KINDS.indexOf(relation.target));
      if (last < KINDS.indexOf(this.#kind) || last >= next) continue;
      this.#arrays.writePairs(relation, this.#relations.takePairs(relation));
      this.#relations.release(relation);
    }
  }

  #fieldsOf(kind: Kind): IndexedField[] {
    return searchableColumns(kind).map((name) => ({
      name,
      values: this.#fieldWriter(kind, name),
      codes: hasCodes(kind, name)
        ? new CodeWriter(kind, name, this.#fieldWriter(kind, valuesName(name)))
        : undefined,
    }));
  }
}
