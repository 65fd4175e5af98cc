import { createHash } from 'node:crypto';
import { referenceNames } from '@archiefkast/formats';
import type { Kind } from '@archiefkast/types';
import type { Source } from './open-sources.ts';

/** Where the texts of a field come from. */
export interface FieldOrigin {
  source: Source;
  /** The column, if it is one only. */
  column: number | undefined;
  /** Path of the field in the map; undefined for a column that is kept without being in the map. */
  path: readonly PropertyKey[] | undefined;
}

/** The texts of a field, and the row of the first of them. */
export interface FieldTexts {
  texts: string[];
  from: FieldOrigin;
  row: number;
}

/** The texts of a record by field. */
export type RecordFields = Map<string, FieldTexts>;

/** A record made by an import. */
export class MadeRecord {
  readonly kind: Kind;
  readonly key: string;
  readonly id: number;
  readonly source: Source;
  readonly row: number;
  readonly #read: () => RecordFields;
  #own: RecordFields | undefined;

  /**
   * @param key the text that identifies it in the source
   * @param read reads its fields from its row: most records are never in memory with them
   */
  constructor(kind: Kind, key: string, source: Source, row: number, read: () => RecordFields) {
    this.kind = kind;
    this.key = key;
    this.source = source;
    this.row = row;
    this.id = idOfKey(key);
    this.#read = read;
  }

  get fields(): ReadonlyMap<string, FieldTexts> {
    return this.#own ?? this.#read();
  }

  /** The fields, to be added to. */
  own(): RecordFields {
    this.#own ??= this.#read();
    return this.#own;
  }
}

/**
 * The id for a text that identifies a record: a whole number stays as it is, anything else gets the first 48 bits of
 * its SHA-256, which spreadsheets store exactly.
 */
export function idOfKey(key: string): number {
  const number = /^\d{1,16}$/.test(key) ? Number(key) : undefined;
  if (number !== undefined && Number.isSafeInteger(number)) return number;
  return createHash('sha256').update(keyOf(key)).digest().readUIntBE(0, 6);
}

/** The names by which a reference may name a record; see docs/bundle.md. */
export function namesOfRecord({ kind, fields }: Pick<MadeRecord, 'kind' | 'fields'>): string[] {
  return [...referenceNames(kind, (field) => fields.get(field)?.texts[0] ?? '')];
}

/** The records of a kind: in order, by key, by id and by name. */
export class KindRecords {
  readonly all: MadeRecord[] = [];
  readonly #byKey = new Map<string, MadeRecord>();
  readonly #byId = new Map<number, MadeRecord>();
  #byName: Map<string, Set<MadeRecord>> | undefined;

  /** The record with a key. */
  withKey(key: string): MadeRecord | undefined {
    return this.#byKey.get(keyOf(key));
  }

  /** Adds a record; returns the one with the same id, if there is one: then it is not added. */
  add(record: MadeRecord): MadeRecord | undefined {
    const other = this.#byId.get(record.id);
    if (other) return other;
    this.all.push(record);
    this.#byId.set(record.id, record);
    this.#byKey.set(keyOf(record.key), record);
    return undefined;
  }

  /** Forgets the names of records, which are read again when they are needed: called when records were added or changed. */
  forgetNames(): void {
    this.#byName = undefined;
  }

  /** The records with a name, as of when names were last forgotten. */
  named(name: string): ReadonlySet<MadeRecord> {
    this.#byName ??= this.#readNames();
    return this.#byName.get(keyOf(name)) ?? new Set();
  }

  #readNames(): Map<string, Set<MadeRecord>> {
    const byName = new Map<string, Set<MadeRecord>>();
    for (const record of this.all) {
      for (const name of namesOfRecord(record)) {
        const same = byName.get(keyOf(name)) ?? new Set();
        byName.set(keyOf(name), same.add(record));
      }
    }
    return byName;
  }

  /** The records that a text refers to: the one with this key, otherwise those with this name. */
  referredTo(text: string): MadeRecord[] {
    const record = this.withKey(text);
    return record ? [record] : [...this.named(text)];
  }
}

/** The form in which keys and names are compared: composed characters, and single spaces. */
function keyOf(text: string): string {
  return text.normalize('NFC').replaceAll(/\s+/g, ' ');
}
