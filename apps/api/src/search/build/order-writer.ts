import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { type Kind, LANGUAGES, type Language } from '@archiefkast/types/kinds';
import { fold } from '../fields/fold.ts';
import { plainText, type RecordFields } from '../fields/search-fields.ts';
import { type ArrayWriter, Numbers } from '../file/arrays.ts';
import { orderName } from '../file/index-file.ts';

/** Records without a name come after all that have one. */
const NAMED = '1';
const NAMELESS = '2';

/** Names are compared part by part. */
const APART = '\u0001';

/** Later than every date. */
const UNDATED = 9999_99_99;

/** Records that can be told apart in the key of a sort. */
const MOST_DOCS = 2 ** 25;

/** A name that is the same in both languages is inserted once. */
const IN_BOTH = 'both';

/** What a record is sorted by. */
interface SortedName {
  key: string;
  doc: number;
  /** In which language it is sorted by it. */
  used: Language | typeof IN_BOTH;
}

/** Names that are sorted in memory, which take some 2 MB; where there are more, a table sorts them. */
const BATCH_NAMES = 20_000;

/** With these, texts have another order in JavaScript, which compares halves of a character, than in a table. */
const SURROGATES = /[\ud800-\udfff]/;

/** Records between two pauses. */
const PAUSE_RECORDS = 10_000;

/** Sorts the records in every order that can be asked for, while they come one after another. */
export class OrderWriter {
  readonly #database: DatabaseSync;
  readonly #insertName: StatementSync;
  #names: SortedName[] = [];
  #isForTable = false;
  readonly #ids: number[] = [];
  readonly #dates = new Numbers();

  constructor(database: DatabaseSync) {
    this.#database = database;
    database.exec(
      'CREATE TEMP TABLE name (key TEXT, doc INTEGER, used TEXT, PRIMARY KEY (key, doc, used)) WITHOUT ROWID',
    );
    this.#insertName = database.prepare('INSERT INTO name (key, doc, used) VALUES (?, ?, ?)');
  }

  /** Adds the next record: they come by document number, from 0. */
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

  /** In order, names of a batch go into the table several times faster than as they come. */
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

  /**
   * Writes every order: the document numbers of all records, sorted.
   *
   * @param pause waits until other work of the process has had its turn
   */
  async write(arrays: ArrayWriter, pause: () => Promise<void>): Promise<void> {
    const byName = await this.#byName(pause);
    for (const language of LANGUAGES) arrays.write(orderName(`name_${language}`), byName[language]);
    this.#database.exec('DROP TABLE name');
    const days = this.#dates.toArray();
    arrays.write(
      orderName('date'),
      sortedBy(days, (day) => day || UNDATED),
    );
    await pause();
    arrays.write(
      orderName('-date'),
      sortedBy(days, (day) => UNDATED - day),
    );
    await pause();
    const ids = this.#ids;
    arrays.write(
      orderName('id'),
      // An array, whose sort makes use of what is in order: the ids of a kind are.
      Uint32Array.from(Array.from(ids.keys()).sort((a, b) => (ids[a] ?? 0) - (ids[b] ?? 0) || a - b)),
    );
  }

  async #byName(pause: () => Promise<void>): Promise<Record<Language, Uint32Array>> {
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

/** What a record is sorted by: a person by last name, then first; a nameless one last. */
function namesOf(kind: Kind, record: RecordFields, doc: number): SortedName[] {
  const dutch = kind === 'person' ? personKey(record) : fold(plainText(record['name_nl']));
  const english = (kind !== 'person' && fold(plainText(record['name_en']))) || dutch;
  if (english === dutch) return [{ key: sortedKey(dutch), doc, used: IN_BOTH }];
  return [
    { key: sortedKey(english), doc, used: 'en' },
    { key: sortedKey(dutch), doc, used: 'nl' },
  ];
}

function sortedKey(name: string): string {
  return name === '' ? NAMELESS : NAMED + name;
}

function personKey(record: RecordFields): string {
  const [last = '', first = '', title = ''] = ['last_name', 'first_name', 'title_nl'].map((name) =>
    fold(plainText(record[name])),
  );
  return last ? [last, first].join(APART) : first || title;
}

/** The date of a record as the number YYYYMMDD: a person's birth, an event's date or first or last day; 0 without one. */
function dayOf(kind: Kind, record: RecordFields): number {
  const fields = kind === 'person' ? ['birth_date'] : ['date', 'date_start', 'date_end'];
  const date = fields.map((name) => plainText(record[name])).find((text) => text !== '') ?? '';
  return Number(date.replaceAll('-', '')) || 0;
}

/** Document numbers in the order of a key; those of the same key as they are. Key and number sort as one. */
function sortedBy(values: Uint32Array, keyOf: (value: number) => number): Uint32Array {
  const keyed = Float64Array.from(values, (value, doc) => keyOf(value) * MOST_DOCS + doc).sort();
  return Uint32Array.from(keyed, (each) => each % MOST_DOCS);
}
