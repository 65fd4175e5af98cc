import type { DatabaseSync } from 'node:sqlite';
import { KINDS, type Kind } from '@archiefkast/types/kinds';
import { byteLengthOf, Cache, TOO_LARGE } from '../../cache.ts';
import { RELATIONS, type Relation } from '../fields/relations.ts';
import type { Order } from '../query/query.ts';
import { fieldNumber, UNDATED } from './index-file.ts';

/** The range of document numbers of a kind. */
interface DocSpan {
  kind: Kind;
  /** The document number of the first record. */
  start: number;
  records: number;
}

/** The records of an index: plain data, which can be sent to another thread. */
export interface RecordSlots {
  counts: ReadonlyMap<Kind, number>;
  /** The slot of each record, by document number. */
  slots: Uint32Array<ArrayBuffer>;
}

/** Reads the records of an index. */
export function readSlots(database: DatabaseSync): RecordSlots {
  const counts = database.prepare('SELECT kind, count(*) AS records FROM record GROUP BY kind').all();
  const countOf = (number: number) => Number(counts.find(({ kind }) => kind === number)?.['records'] ?? 0);
  return {
    counts: new Map(KINDS.map((kind, number) => [kind, countOf(number)])),
    slots: readNumbers(database, 'SELECT slot AS number FROM record ORDER BY kind, id'),
  };
}

/**
 * Maps records to document numbers, from 0: by kind in the order of `KINDS`, then by position. Hits of equal score are
 * in this order.
 */
export class Records {
  readonly spans: readonly DocSpan[];
  /** Number of records of all kinds. */
  readonly total: number;
  /** The slot of each record, by document number. */
  readonly slots: Uint32Array;
  /** The document number of each slot; 0 for unused ones. */
  readonly docs: Uint32Array;

  constructor({ counts, slots }: RecordSlots) {
    let start = 0;
    this.spans = KINDS.map((kind) => {
      const records = counts.get(kind) ?? 0;
      start += records;
      return { kind, start: start - records, records };
    });
    this.total = start;
    this.slots = slots;
    this.docs = new Uint32Array(slots.reduce((most, slot) => Math.max(most, slot), 0) + 1);
    for (let doc = 0; doc < slots.length; doc++) this.docs[slots[doc] ?? 0] = doc;
  }

  /** Where the records of a kind are. */
  spanOf(kind: Kind): DocSpan {
    return this.spans[KINDS.indexOf(kind)] ?? { kind, start: 0, records: 0 };
  }

  /** The record with a document number. */
  recordOf(doc: number): { kind: Kind; position: number } {
    const span = this.spans.find(({ start, records }) => doc >= start && doc < start + records);
    if (!span) throw new RangeError(`document number ${doc}: expected one below ${this.total}`);
    return { kind: span.kind, position: doc - span.start + 1 };
  }

  /** The document number of a slot. */
  docAt(slot: unknown): number {
    return this.docs[Number(slot)] ?? 0;
  }
}

/** References between records: parallel arrays of document numbers. */
export interface Pairs {
  sources: Uint32Array;
  targets: Uint32Array;
}

/** Coordinates of locations in degrees, by row; NaN if unknown. */
export interface Coordinates {
  latitudes: Float64Array<ArrayBuffer>;
  longitudes: Float64Array<ArrayBuffer>;
}

/** The sort keys of each order; each ends with a unique one. */
const SORT_KEYS: Readonly<Record<Order, string>> = {
  name_nl: 'name_nl, kind, id',
  name_en: 'name_en, kind, id',
  date: 'day, kind, id',
  '-date': `day = ${UNDATED}, day DESC, kind, id`,
  id: 'id, kind',
};

/** What is read of all records at once, on first use, and then kept. */
export class RecordTables {
  readonly #database: DatabaseSync;
  readonly #records: Records;
  readonly #docs = new Cache<Uint32Array<ArrayBuffer>>(TOO_LARGE, byteLengthOf);
  readonly #degrees = new Cache<Float64Array<ArrayBuffer>>(TOO_LARGE, byteLengthOf);

  constructor(database: DatabaseSync, records: Records) {
    this.#database = database;
    this.#records = records;
  }

  /** Size of what is kept, in bytes. */
  get byteLength(): number {
    return this.#docs.byteLength + this.#degrees.byteLength;
  }

  /** The document numbers of all records in an order. */
  ordered(order: Order): Uint32Array<ArrayBuffer> {
    return this.#readDocs(`SELECT slot AS number FROM record ORDER BY ${SORT_KEYS[order]}`);
  }

  /** The references of a relation. */
  pairs(relation: Relation): Pairs {
    const number = RELATIONS.indexOf(relation);
    const read = (end: 'source' | 'target') =>
      this.#readDocs(
        `SELECT ${end} AS number FROM reference WHERE relation = ${number} ORDER BY source, target`,
      );
    return { sources: read('source'), targets: read('target') };
  }

  /** The coordinates of all locations. */
  coordinates(): Coordinates {
    return { latitudes: this.#readDegrees('latitude'), longitudes: this.#readDegrees('longitude') };
  }

  /** The slot of the first location of each name that is also its city, in the order of ids. @returns by folded name */
  towns(): Map<string, number> {
    const [city, ...names] = ['city', 'name_nl', 'name_en'].map((name) => fieldNumber('location', name));
    const rows = this.#database
      .prepare(
        `SELECT city.folded AS name, city.slot AS slot FROM value AS city
         CROSS JOIN value AS own ON own.field IN (${names}) AND own.slot = city.slot AND own.folded = city.folded
         WHERE city.field = ${city}`,
      )
      .all();
    const ofId = rows.toSorted((a, b) => this.#records.docAt(b['slot']) - this.#records.docAt(a['slot']));
    return new Map(ofId.map(({ name, slot }) => [String(name), Number(slot)]));
  }

  #readDocs(select: string): Uint32Array<ArrayBuffer> {
    const docAt = (slot: number) => this.#records.docAt(slot);
    return this.#docs.get(select, () => readNumbers(this.#database, select).map(docAt));
  }

  #readDegrees(column: 'latitude' | 'longitude'): Float64Array<ArrayBuffer> {
    const select = `SELECT ${column} AS number FROM record WHERE kind = ${KINDS.indexOf('location')} ORDER BY id`;
    const read = () => new Float64Array(readAll(this.#database, select).map((each) => each ?? Number.NaN));
    return this.#degrees.get(select, read);
  }
}

/** Reads the column `number` of all rows. */
function readNumbers(database: DatabaseSync, select: string): Uint32Array<ArrayBuffer> {
  return new Uint32Array(readAll(database, select).map(Number));
}

/** Reads the column `number` of all rows in one text: separate rows would take several times as long. */
function readAll(database: DatabaseSync, select: string): (number | null)[] {
  const row = database.prepare(`SELECT json_group_array(number) AS numbers FROM (${select})`).get();
  return JSON.parse(String(row?.['numbers']));
}
