import { randomUUID } from 'node:crypto';
import {
  deriveUuid,
  isReferenceName,
  RECORD_COLUMNS,
  type RowTexts,
  referenceNames,
  splitList,
} from '@archiefkast/formats';
import { isUuid, type Kind, uuidOfReference } from '@archiefkast/types';
import { describeOrigin, type FaultList } from '../faults.ts';
import { RecordIndex } from '../record-index.ts';
import { isRead, type ReadTable } from './read-table.ts';

/** A resolved reference: the record, or the fault of the reference. */
export type Resolved = { id: number; uuid: string } | { fault: string };

/** Maximum number of records listed for an ambiguous name. */
const SHOWN = 5;

/** The records of all tables, by id, uuid and name. */
export class KnownRecords {
  readonly #index = new RecordIndex();
  readonly #tables: ReadonlyMap<Kind, ReadTable>;
  /** Rows of the records with a name, for names that references use. */
  readonly #names = new Map<string, number[]>();
  /** Names of records that differ only in their spelling from one that a reference uses, by that one folded. */
  readonly #spellings = new Map<string, Set<string>>();
  /** Number of records and files without a uuid, in an archive without a uuid to derive it from. */
  withoutUuid = 0;

  constructor(tables: ReadonlyMap<Kind, ReadTable>) {
    this.#tables = tables;
  }

  /** Placeholder uuids for records without id and uuid, by kind and row; references to them are valid. */
  readonly #standIns = new Map<string, string>();

  /** Records with a duplicate id or uuid, by kind and id and by kind and row; references to them are valid. */
  readonly #clashing = new Map<string, { id: number; uuid: string }>();

  /** Adds the record of a row. */
  add(kind: Kind, row: RowTexts, at: number, archive: string | undefined): void {
    const id = /^\s*\d+\s*$/.test(textOf(row, 'id')) ? Number(textOf(row, 'id')) : undefined;
    let uuid = textOf(row, 'uuid').trim().toLowerCase();
    if (uuid === '') {
      const isDerived = archive !== undefined && id !== undefined;
      uuid = isDerived ? deriveUuid(archive, `${kind}/${id}`) : randomUUID();
      if (id === undefined) this.#standIns.set(`${kind} ${at}`, uuid);
      else if (!isDerived) this.withoutUuid += 1;
    }
    if (!isUuid(uuid)) return;
    const record = { id: id ?? -at, uuid, published: true };
    if (!this.#index.add(kind, record, at, 0)) return;
    this.#clashing.set(`${kind} at ${at}`, record);
    if (!this.#index.kinds[kind].byId.has(record.id)) this.#clashing.set(`${kind} ${record.id}`, record);
  }

  /** The uuid of a record without one: derived from the archive's, or random. */
  uuidOf(kind: Kind, id: unknown, at: number): string | undefined {
    const standIn = this.#standIns.get(`${kind} ${at}`);
    if (standIn !== undefined) return standIn;
    const row = typeof id === 'number' ? this.#index.kinds[kind].byId.get(id) : undefined;
    return row === undefined ? undefined : this.#index.uuidAt(kind, row);
  }

  /** Whether the table of a kind cannot be read; references to it are not checked. */
  isUnread(kind: Kind): boolean {
    return !this.#tables.has(kind);
  }

  /** Registers a name that a reference uses, and those that it may have been meant as. */
  want(kind: Kind, reference: string): void {
    for (const name of [reference, ...partsOf(reference), turned(reference)]) {
      if (!isReferenceName(name)) continue;
      this.#names.set(`${kind} ${name}`, []);
      this.#spellings.set(`${kind} ${foldSpelling(name)}`, new Set());
    }
  }

  get wantsNames(): boolean {
    return this.#names.size > 0;
  }

  /** Registers the row of a record whose name is used by a reference. */
  addNames(kind: Kind, row: RowTexts, at: number): void {
    for (const name of referenceNames(kind, (field) => textOf(row, field))) {
      const rows = this.#names.get(`${kind} ${name}`);
      if (rows && !rows.includes(at)) rows.push(at);
      this.#spellings.get(`${kind} ${foldSpelling(name)}`)?.add(name);
    }
  }

  /** What may be meant by a reference to nothing, as the end of a message; empty if unknown. */
  #advice(kind: Kind, reference: string): string {
    const [near] = [reference, turned(reference)].flatMap((name) => [
      ...(this.#spellings.get(`${kind} ${foldSpelling(name)}`) ?? []),
    ]);
    if (near !== undefined) return `; did you mean "${near}"${differenceOf(reference, near)}?`;
    const parts = partsOf(reference);
    if (parts.length === 0) return '';
    const isList = parts.every((part) => 'uuid' in this.resolve(kind, part));
    return isList
      ? `; put | between records: ${parts.join('|')}`
      : '; if these are several, put | between them';
  }

  /** Resolves a reference: an id, a uuid, an API URL that ends in a uuid, or an exact name. */
  resolve(kind: Kind, reference: string): Resolved {
    const { byId, ids, lines } = this.#index.kinds[kind];
    const recordAt = (row: number) => ({ id: ids.at(row) ?? 0, uuid: this.#index.uuidAt(kind, row) });
    const table = this.#tables.get(kind);
    const nothing = (what: string) => ({
      fault: `refers to the ${kind} ${what}, which is not in ${table?.title ?? 'the bundle'}`,
    });
    const uuid = uuidOfReference(reference);
    if (uuid) {
      const row = this.#index.row(kind, uuid);
      return row === undefined ? nothing(uuid) : recordAt(row);
    }
    if (/^\d+$/.test(reference)) {
      const row = byId.get(Number(reference));
      if (row !== undefined) return recordAt(row);
      return this.#clashing.get(`${kind} ${Number(reference)}`) ?? nothing(`with id ${reference}`);
    }
    const candidates = (this.#names.get(`${kind} ${reference}`) ?? []).flatMap((at) => {
      const row = lines.indexOf(at);
      const record = row === -1 ? this.#clashing.get(`${kind} at ${at}`) : recordAt(row);
      return record ? [{ ...record, at }] : [];
    });
    const [first, ...more] = candidates;
    if (first === undefined) {
      return { fault: nothing(`"${reference}"`).fault + this.#advice(kind, reference) };
    }
    if (more.length === 0) return first;
    const shown = candidates.slice(0, SHOWN).map(({ id, at }) => {
      return `${id} (${table ? describeOrigin(table.place(at)) : kind})`;
    });
    const rest = candidates.length > SHOWN ? ' …' : '';
    return {
      fault: `"${reference}" is the name of ${candidates.length} records: ${shown.join(', ')}${rest}; use the id`,
    };
  }
}

/**
 * Reads the ids and uuids of all records, and the names that references use.
 *
 * @param tables unreadable tables are removed from it
 */
export async function identifyRecords(
  tables: Map<Kind, ReadTable>,
  files: ReadTable | undefined,
  archive: string | undefined,
  faults: FaultList,
): Promise<KnownRecords> {
  const records = new KnownRecords(tables);
  for (const [kind, table] of tables) {
    const references = RECORD_COLUMNS[kind].filter(
      ({ type }) => type === 'reference' || type === 'references',
    );
    const isSound = await isRead(table, faults, async () => {
      for await (const { at, row } of table.rows((place, reason) => faults.add({ ...place, reason }))) {
        records.add(kind, row, at, archive);
        for (const { name, target } of references) {
          if (target) for (const reference of splitList(textOf(row, name))) records.want(target, reference);
        }
      }
    });
    if (!isSound) tables.delete(kind);
  }
  if (files) {
    const isSound = await isRead(files, faults, async () => {
      for await (const { row } of files.rows()) {
        for (const kind of tables.keys()) {
          if (textOf(row, 'owner_kind').trim() !== kind) continue;
          for (const owner of splitList(textOf(row, 'owner'))) records.want(kind, owner);
        }
      }
    });
    if (!isSound) faults.throwIfAny();
  }
  if (records.wantsNames) {
    for (const [kind, table] of tables) {
      for await (const { at, row } of table.rows()) records.addNames(kind, row, at);
    }
  }
  return records;
}

/** The parts of a reference that may be several, joined by something else than `|`; empty if it is one. */
function partsOf(reference: string): string[] {
  const parts = reference
    .split(reference.includes(';') ? ';' : /[,\n]/)
    .map((part) => part.trim())
    .filter(Boolean);
  return parts.length > 1 ? parts : [];
}

/** `Anna Vos` for `Vos, Anna`. */
function turned(reference: string): string {
  return reference.replace(/^([^,]+),\s*([^,]+)$/, '$2 $1');
}

/** A name without case, and with plain spaces, quotes and hyphens. */
function foldSpelling(name: string): string {
  return name
    .normalize('NFC')
    .replaceAll(/[\u2018\u2019\u201a\u201b\u2032`\u00b4]/g, "'")
    .replaceAll(/[\u201c-\u201f\u2033]/g, '"')
    .replaceAll(/[\u2010-\u2015\u2212]/g, '-')
    .replaceAll(/[\s\u200b\ufeff]+/g, ' ')
    .trim()
    .toLowerCase();
}

/** Characters that look like others. */
const LOOKALIKES: readonly (readonly [RegExp, string])[] = [
  [/[\u00a0\u202f\u2007]/, 'a no-break space'],
  [/[\u200b\ufeff]/, 'an invisible character'],
  [/[\u2018-\u201f]/, 'curly quotes'],
  [/ {2}/, 'two spaces'],
];

/** The character by which two spellings differ and look alike, for a message; empty if there is none. */
function differenceOf(reference: string, name: string): string {
  const found = LOOKALIKES.find(([pattern]) => pattern.test(reference) !== pattern.test(name));
  if (!found) return '';
  const [pattern, what] = found;
  return pattern.test(reference) ? `, without ${what}` : `, with ${what}`;
}

function textOf({ texts }: RowTexts, name: string): string {
  return texts.get(name)?.text ?? '';
}
