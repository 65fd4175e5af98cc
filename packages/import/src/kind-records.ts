import { createHash } from 'node:crypto';
import { describeOrigin } from '@archiefkast/bundle';
import { isUsableName } from '@archiefkast/formats';
import { COLLECTIONS, type Kind } from '@archiefkast/types';
import { referenceNames } from '@archiefkast/types/internal';
import type { Source } from './source.ts';

/** Where the texts of a field come from. */
export interface FieldOrigin {
  source: Source;
  /** The column, if it is one only. */
  column: number | undefined;
  /** The field in the map; undefined for a column that is kept without being in the map. */
  map?: { path: readonly PropertyKey[]; keeps: boolean; isName: boolean; isMonth: boolean };
}

/** The texts of a field, and the row of the first of them. */
export interface FieldTexts {
  texts: string[];
  from: FieldOrigin;
  row: number;
}

export interface MadeRecord {
  kind: Kind;
  /** The text that identifies it in the source. */
  key: string;
  id: number;
  /** The row that it was first made from. */
  source: Source;
  row: number;
  fields: Map<string, FieldTexts>;
}

/**
 * The id for a text that identifies a record: a whole number stays as it is, anything else gets the first 48 bits of
 * its SHA-256, which spreadsheets store exactly.
 */
export function idOfKey(key: string): number {
  const number = /^\d{1,16}$/.test(key) ? Number(key) : undefined;
  if (number !== undefined && Number.isSafeInteger(number)) return number;
  return createHash('sha256').update(folded(key)).digest().readUIntBE(0, 6);
}

/** The form in which keys and names are compared: composed characters, and single spaces. */
function folded(text: string): string {
  // Most texts are in this form, and stay the same string.
  return text.normalize('NFC').replaceAll(/\s{2,}|[^\S ]/g, ' ');
}

/** The records of a kind: by id in order, by key and by name. */
export class KindRecords {
  readonly byId = new Map<number, MadeRecord>();
  readonly #byKey = new Map<string, MadeRecord>();
  /** The record with a name, or that several have it. */
  #byName = new Map<string, MadeRecord | 'several'>();

  add(record: MadeRecord): void {
    this.byId.set(record.id, record);
    this.#byKey.set(folded(record.key), record);
  }

  /** Reads the names of the records, by which texts can refer to them from now on. */
  readNames(): void {
    this.#byName = new Map();
    for (const record of this.byId.values()) {
      for (const name of new Set([...namesOf(record)].map(folded))) {
        this.#byName.set(name, this.#byName.has(name) ? 'several' : record);
      }
    }
  }

  /** The record that a text refers to: the one with this key, otherwise that with this name. */
  find(text: string): MadeRecord | 'several' | undefined {
    const key = folded(text);
    return this.#byKey.get(key) ?? this.#byName.get(key);
  }

  /** The text by which tables refer to the record that a text means: a name that no other has, or else its id. */
  labelOf(text: string): string {
    const record = this.find(text);
    if (typeof record !== 'object') return text;
    const isItsOwn = (name: string) => isUsableName(name) && this.#byName.get(folded(name)) === record;
    return [...namesOf(record)].find(isItsOwn) ?? String(record.id);
  }
}

/** The names of a record, the usual one first. */
export function namesOf({
  kind,
  fields,
}: {
  kind: Kind;
  fields: ReadonlyMap<string, Pick<FieldTexts, 'texts'>>;
}): Set<string> {
  return referenceNames(kind, (field) => fields.get(field)?.texts[0] ?? '');
}

/** What was met in fields: by field, such as `persons.birth_date`, how often, and the first example. */
export class Tally extends Map<string, { count: number; example: string }> {
  add(kind: Kind, field: string, count: number, example: () => string): void {
    const name = `${COLLECTIONS[kind]}.${field}`;
    const known = this.get(name) ?? { count: 0, example: example() };
    this.set(name, { ...known, count: known.count + count });
  }
}

/** A text as an example, with its place. */
export function quoted(text: string, source: Source, row: number): string {
  return `"${text}" (${describeOrigin(source.place(row))})`;
}
