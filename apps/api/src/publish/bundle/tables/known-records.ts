import { randomUUID } from 'node:crypto';
import { deriveUuid, RECORD_COLUMNS, type RowTexts, splitList } from '@archiefkast/formats';
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
  /** Random uuids of records without a uuid, in an archive without a uuid to derive it from. */
  readonly #fresh = new Set<string>();

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
      else if (!isDerived) this.#fresh.add(uuid);
    }
    if (!isUuid(uuid)) return;
    const record = { id: id ?? -at, uuid, published: true };
    if (!this.#index.add(kind, record, at, 0)) return;
    this.#clashing.set(`${kind} at ${at}`, record);
    if (!this.#index.kinds[kind].byId.has(record.id)) this.#clashing.set(`${kind} ${record.id}`, record);
  }

  /** The uuid of a record without one: derived from the archive's, or random. */
  uuidOf(kind: Kind, id: unknown, at: number): { uuid: string; isFresh: boolean } | undefined {
    const standIn = this.#standIns.get(`${kind} ${at}`);
    if (standIn !== undefined) return { uuid: standIn, isFresh: false };
    const row = typeof id === 'number' ? this.#index.kinds[kind].byId.get(id) : undefined;
    if (row === undefined) return undefined;
    const uuid = this.#index.uuidAt(kind, row);
    return { uuid, isFresh: this.#fresh.has(uuid) };
  }

  /** Whether the table of a kind cannot be read; references to it are not checked. */
  isUnread(kind: Kind): boolean {
    return !this.#tables.has(kind);
  }

  /** Registers a name that a reference uses. */
  want(kind: Kind, reference: string): void {
    if (isName(reference)) this.#names.set(`${kind} ${reference}`, []);
  }

  get wantsNames(): boolean {
    return this.#names.size > 0;
  }

  /** Registers the row of a record whose name is used by a reference. */
  addNames(kind: Kind, row: RowTexts, at: number): void {
    for (const name of namesOf(kind, row)) {
      const rows = this.#names.get(`${kind} ${name}`);
      if (rows && !rows.includes(at)) rows.push(at);
    }
  }

  /** Resolves a reference: an id, a uuid, an API URL that ends in a uuid, or an exact name. */
  resolve(kind: Kind, reference: string): Resolved {
    const { byId, ids, lines } = this.#index.kinds[kind];
    const recordAt = (row: number) => ({ id: ids[row] ?? 0, uuid: this.#index.uuidAt(kind, row) });
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
    if (first === undefined) return nothing(`"${reference}"`);
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
          if (textOf(row, 'owner_kind').trim() === kind) records.want(kind, textOf(row, 'owner').trim());
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

function isName(reference: string): boolean {
  return !/^\d+$/.test(reference) && uuidOfReference(reference) === undefined;
}

/** The names by which a record can be referred to. */
function namesOf(kind: Kind, row: RowTexts): Set<string> {
  const names =
    kind === 'person'
      ? [
          textOf(row, 'title_nl'),
          textOf(row, 'title_en'),
          ['first_name', 'infix', 'last_name']
            .map((name) => textOf(row, name).trim())
            .filter(Boolean)
            .join(' '),
        ]
      : [textOf(row, 'name_nl'), textOf(row, 'name_en')];
  return new Set(names.map((name) => name.trim()).filter(Boolean));
}

function textOf({ texts }: RowTexts, name: string): string {
  return texts.get(name)?.text ?? '';
}
