import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { type Kind, LANGUAGES, type Language } from '@archiefkast/types/kinds';
import { NumberList } from '../../number-list.ts';
import type { Pause } from '../../pause.ts';
import { fold } from '../fields/fold.ts';
import { plainText, type RecordFields } from '../fields/search-fields.ts';
import type { ArrayWriter } from '../file/arrays.ts';
import { orderName } from '../file/index-file.ts';

/** Sorts records without a name last. */
const NAMED = '1';
const NAMELESS = '2';

/** Separates the parts of a name, which are compared in order. */
const APART = '\u0001';

/** A number later than any date. */
const UNDATED = 9999_99_99;

/** Maximum number of records in a sort key. */
const MOST_DOCS = 2 ** 25;

/** A name that is the same in both languages is inserted once. */
const IN_BOTH = 'both';

/** The name key of a record. */
interface SortedName {
  key: string;
  doc: number;
  /** The languages in which it is sorted by this name. */
  used: Language | typeof IN_BOTH;
}

/** Maximum number of names sorted in memory, in about 2 MB; more are sorted by a table. */
const BATCH_NAMES = 20_000;

/** Surrogates, which make JavaScript's order by code unit differ from SQLite's by code point. */
const SURROGATES = /[\ud800-\udfff]/;

/** Records between two yields. */
const PAUSE_RECORDS = 10_000;

/** Collects the records, and sorts them in every order of search. */
export class OrderWriter {
  readonly #database: DatabaseSync;
  readonly #insertName: StatementSync;
  #names: SortedName[] = [];
  #isForTable = false;
  readonly #ids = new NumberList(Float64Array);
  /** Where the ids begin to ascend anew: at the first record of each kind. */
  readonly #runs: number[] = [];
  readonly #dates = new NumberList(Uint32Array);

  constructor(database: DatabaseSync) {
    this.#database = database;
    database.exec(
      'CREATE TEMP TABLE name (key TEXT, doc INTEGER, used TEXT, PRIMARY KEY (key, doc, used)) WITHOUT ROWID',
    );
    this.#insertName = database.prepare('INSERT INTO name (key, doc, used) VALUES (?, ?, ?)');
  }

  /** Adds the next record, by document number from 0. */
  add(kind: Kind, record: RecordFields): void {
    const doc = this.#dates.length;
    for (const name of namesOf(kind, record, doc)) {
      this.#isForTable ||= SURROGATES.test(name.key);
      this.#names.push(name);
    }
    if (this.#names.length >= BATCH_NAMES) this.#insertNames();
    this.#dates.push(dayOf(kind, record));
    const id = Number(record['id'] ?? 0);
    if (doc === 0 || id < (this.#ids.at(doc - 1) ?? 0)) this.#runs.push(doc);
    this.#ids.push(id);
  }

  /** Inserts a batch of names in sorted order, which is several times faster. */
  #insertNames(): void {
    this.#sortNames();
    for (const { key, doc, used } of this.#names) this.#insertName.run(key, doc, used);
    this.#names = [];
    this.#isForTable = true;
  }

  #sortNames(): void {
    this.#names.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : a.doc - b.doc));
  }

  /** All names, in order. */
  *#sortedNames(): Generator<Pick<SortedName, 'doc' | 'used'>> {
    if (!this.#isForTable) {
      this.#sortNames();
      yield* this.#names;
      return;
    }
    this.#insertNames();
    const select = this.#database.prepare('SELECT doc, used FROM name ORDER BY key, doc');
    for (const { doc, used } of select.iterate())
      yield { doc: Number(doc), used: used as SortedName['used'] };
  }

  /** Writes every order: the sorted document numbers of all records. */
  async write(arrays: ArrayWriter, pause: Pause): Promise<void> {
    const { length } = this.#dates;
    // The memory of all orders in turn: of the keys of one, or of two orders.
    const keys = new Float64Array(length);
    const docs = new Uint32Array(keys.buffer, 0, length);
    const byName = { en: docs, nl: new Uint32Array(keys.buffer, docs.byteLength) };
    await this.#sortByName(byName, pause);
    for (const language of LANGUAGES) arrays.write(orderName(`name_${language}`), byName[language]);
    this.#database.exec('DROP TABLE name');
    for (const order of DATE_ORDERS) {
      for (let doc = 0; doc < length; doc++)
        keys[doc] = dateKey(order, this.#dates.at(doc) ?? 0) * MOST_DOCS + doc;
      keys.sort();
      // A number is written where the keys have been read already.
      for (let at = 0; at < length; at++) docs[at] = (keys[at] ?? 0) % MOST_DOCS;
      arrays.write(orderName(order), docs);
      await pause();
    }
    mergeRuns(this.#ids, this.#runs, docs);
    arrays.write(orderName('id'), docs);
  }

  async #sortByName(orders: Record<Language, Uint32Array>, pause: Pause): Promise<void> {
    const places = { en: 0, nl: 0 };
    let rows = 0;
    for (const { doc, used } of this.#sortedNames()) {
      for (const language of LANGUAGES) {
        if (used !== language && used !== IN_BOTH) continue;
        orders[language][places[language]] = doc;
        places[language] += 1;
      }
      rows += 1;
      if (rows % PAUSE_RECORDS === 0) await pause();
    }
  }
}

/** The key by which a record is sorted by name; keys are compared by code point. */
export function nameKey(kind: Kind, record: RecordFields, language: Language): string {
  const names = namesOf(kind, record, 0);
  return names.find(({ used }) => used === language)?.key ?? names[0]?.key ?? NAMELESS;
}

/** The orders by date. */
export const DATE_ORDERS = ['date', '-date'] as const;

/** The number by which a record with a day is sorted in an order by date: one without a day (0) is last. */
export function dateKey(order: (typeof DATE_ORDERS)[number], day: number): number {
  return order === 'date' ? day || UNDATED : UNDATED - day;
}

/**
 * Sorts the indexes of numbers by number, then index, by merging few runs in which they ascend.
 *
 * @param starts where the runs start
 */
function mergeRuns(numbers: NumberList, starts: readonly number[], sorted: Uint32Array): void {
  const runs = starts.map((start, run) => ({ next: start, end: starts[run + 1] ?? numbers.length }));
  for (let at = 0; at < sorted.length; at++) {
    let least = Number.POSITIVE_INFINITY;
    let first = runs[0];
    for (const run of runs) {
      const number = numbers.at(run.next) ?? 0;
      if (run.next === run.end || number >= least) continue;
      least = number;
      first = run;
    }
    if (first) sorted[at] = first.next++;
  }
}

/** The name by which a record is sorted: for a person last name, then first name; nameless ones are last. */
function namesOf(kind: Kind, record: RecordFields, doc: number): SortedName[] {
  const dutch = kind === 'person' ? personKey(record) : fold(plainText(record['name_nl']));
  const english = (kind !== 'person' && fold(plainText(record['name_en']))) || dutch;
  if (english === dutch) return [{ key: sortedKey(dutch), doc, used: IN_BOTH }];
  return [
    { key: sortedKey(english), doc, used: 'en' },
    { key: sortedKey(dutch), doc, used: 'nl' },
  ];
}

/** Numbers of up to this many digits are sorted by value. */
const DIGITS = 8;

function sortedKey(name: string): string {
  return name === '' ? NAMELESS : NAMED + name.replace(/\d+/g, (digits) => digits.padStart(DIGITS, '0'));
}

function personKey(record: RecordFields): string {
  const [last = '', first = '', title = ''] = ['last_name', 'first_name', 'title_nl'].map((name) =>
    fold(plainText(record[name])),
  );
  return last ? [last, first].join(APART) : first || title;
}

/** The date of a record as a number YYYYMMDD: a person's birth, an event's date, first or last day; 0 if unknown. */
export function dayOf(kind: Kind, record: RecordFields): number {
  const fields = kind === 'person' ? ['birth_date'] : ['date', 'date_start', 'date_end'];
  const date = fields.map((name) => plainText(record[name])).find((text) => text !== '') ?? '';
  return Number(date.replaceAll('-', '')) || 0;
}
