import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { type Kind, LANGUAGES, type Language } from '@archiefkast/types/kinds';
import { NumberList } from '../../number-list.ts';
import { fold } from '../fields/fold.ts';
import { plainText, type RecordFields } from '../fields/search-fields.ts';
import type { ArrayWriter } from '../file/arrays.ts';
import { orderName } from '../file/index-file.ts';
import type { Pause } from './pause.ts';

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
  readonly #ids: number[] = [];
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
    this.#ids.push(Number(record['id'] ?? 0));
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
    const byName = await this.#byName(pause);
    for (const language of LANGUAGES) arrays.write(orderName(`name_${language}`), byName[language]);
    this.#database.exec('DROP TABLE name');
    const days = this.#dates.toArray();
    for (const order of DATE_ORDERS) {
      arrays.write(
        orderName(order),
        sortedBy(days, (day) => dateKey(order, day)),
      );
      await pause();
    }
    const ids = this.#ids;
    arrays.write(
      orderName('id'),
      // A plain array, whose sort is fast for sorted runs, as the ids of a kind are.
      Uint32Array.from(Array.from(ids.keys()).sort((a, b) => (ids[a] ?? 0) - (ids[b] ?? 0) || a - b)),
    );
  }

  async #byName(pause: Pause): Promise<Record<Language, Uint32Array>> {
    const orders = { en: new Uint32Array(this.#dates.length), nl: new Uint32Array(this.#dates.length) };
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
    return orders;
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

/** Sorts document numbers by key, then number, by combining both into one sort key. `from` would make a list of all of them first. */
function sortedBy(values: Uint32Array, keyOf: (value: number) => number): Uint32Array {
  const keyed = new Float64Array(values.length);
  for (let doc = 0; doc < keyed.length; doc++) keyed[doc] = keyOf(values[doc] ?? 0) * MOST_DOCS + doc;
  keyed.sort();
  const docs = new Uint32Array(keyed.length);
  for (let at = 0; at < docs.length; at++) docs[at] = (keyed[at] ?? 0) % MOST_DOCS;
  return docs;
}
