import type { Kind } from '@archiefkast/types';
import { referenceNames } from '@archiefkast/types/internal';
import { uuidOfReference } from '@archiefkast/types/links';

/** Whether a reference is a name, not an id, a uuid or a URL. */
export function isReferenceName(reference: string): boolean {
  return !/^\d+$/.test(reference) && uuidOfReference(reference) === undefined;
}

/** Maximum length of a name by which tables refer to a record. */
const LONGEST_NAME = 200;

/** Whether tables refer to a record by a name: in a cell of a name, a leading backslash is escaped. */
export function isUsableName(name: string): boolean {
  return isReferenceName(name) && !name.startsWith('\\') && name.length <= LONGEST_NAME;
}

/** The texts by which tables refer to records: a name that no other record of the kind has, or else the id. */
export class ReferenceTexts {
  /** Number of records with a name, by kind and name. */
  readonly #names = new Map<string, number>();
  /** The id of each record, and its names, by kind and uuid; subjects also by id. */
  readonly #records = new Map<string, { id: string; names: readonly string[] }>();

  add(kind: Kind, record: Readonly<Record<string, unknown>>): void {
    const names = referenceNames(kind, (field) => String(record[field] ?? ''));
    for (const name of names) {
      const key = `${kind} ${name}`;
      this.#names.set(key, (this.#names.get(key) ?? 0) + 1);
    }
    const id = String(record['id']);
    const known = { id, names: [...names] };
    this.#records.set(`${kind} ${String(record['uuid'])}`, known);
    if (kind === 'subject') this.#records.set(`${kind} ${id}`, known);
  }

  /** The text for a reference, given as uuid, or as id of a subject. */
  of(kind: Kind, reference: string): string {
    const record = this.#records.get(`${kind} ${reference}`);
    if (!record) return reference;
    const isItsOwn = (name: string) => this.#names.get(`${kind} ${name}`) === 1;
    const name = record.names.find((each) => isUsableName(each) && isItsOwn(each));
    return name ?? record.id;
  }
}
