import { randomUUID } from 'node:crypto';
import { deriveUuid, type RowTexts, referenceNames } from '@archiefkast/formats';
import { forKinds, isUuid, type Kind, uuidOfReference } from '@archiefkast/types';
import { describeOrigin, type FaultList } from '../faults.ts';
import type { ReadTable } from './read-table.ts';
import { readSoundly } from './table-source.ts';

/** A record of a table. */
interface TableRecord {
  id: number;
  uuid: string;
  /** The row of its table. */
  at: number;
}

/** A resolved reference: the record, or the fault of the reference. */
export type Resolved = { id: number; uuid: string } | { fault: string };

/** Maximum number of records listed for an ambiguous name. */
const SHOWN = 5;

/** The records of all tables, by id, uuid and name. Of records with the same id or uuid, the first has it. */
export class KnownRecords {
  readonly #tables: ReadonlyMap<Kind, ReadTable>;
  readonly #byId = forKinds(() => new Map<number, TableRecord>());
  readonly #byUuid = forKinds(() => new Map<string, TableRecord>());
  readonly #byName = forKinds(() => new Map<string, TableRecord[]>());
  /** Number of records and files without a uuid, in an archive without a uuid to derive it from. */
  withoutUuid = 0;

  constructor(tables: ReadonlyMap<Kind, ReadTable>) {
    this.#tables = tables;
  }

  /** Adds the record of a row. */
  add(kind: Kind, row: RowTexts, at: number, archive: string | undefined): void {
    const id = idIn(row);
    let uuid = textOf(row, 'uuid').trim().toLowerCase();
    if (uuid === '') {
      const isDerived = archive !== undefined && id !== undefined;
      uuid = isDerived ? deriveUuid(archive, `${kind}/${id}`) : randomUUID();
      if (id !== undefined && !isDerived) this.withoutUuid += 1;
    }
    if (isUuid(uuid)) {
      // Those without an id have the negative number of their row, so that references to their names are valid.
      const record = { id: id ?? -at, uuid, at };
      if (!this.#byId[kind].has(record.id)) this.#byId[kind].set(record.id, record);
      if (!this.#byUuid[kind].has(uuid)) this.#byUuid[kind].set(uuid, record);
    }
    const known = this.#byId[kind].get(id ?? -at) ?? this.#byUuid[kind].get(uuid);
    for (const name of known ? referenceNames(kind, (field) => textOf(row, field)) : []) {
      const records = this.#byName[kind].get(name) ?? [];
      this.#byName[kind].set(name, records);
      if (known) records.push({ ...known, at });
    }
  }

  /** The uuid of a record without one: derived from the archive's, or random. */
  uuidOf(kind: Kind, id: unknown, at: number): string | undefined {
    return (this.#byId[kind].get(-at) ?? this.#byId[kind].get(Number(id)))?.uuid;
  }

  /** Whether the table of a kind cannot be read; references to it are not checked. */
  isUnread(kind: Kind): boolean {
    return !this.#tables.has(kind);
  }

  /** Resolves a reference: an id, a uuid, an API URL that ends in a uuid, or an exact name. */
  resolve(kind: Kind, reference: string): Resolved {
    const table = this.#tables.get(kind);
    const nothing = (what: string) => ({
      fault: `refers to the ${kind} ${what}, which is not in ${table?.title ?? 'the bundle'}`,
    });
    const uuid = uuidOfReference(reference);
    if (uuid) return this.#byUuid[kind].get(uuid) ?? nothing(uuid);
    if (/^\d+$/.test(reference)) {
      return this.#byId[kind].get(Number(reference)) ?? nothing(`with id ${reference}`);
    }
    const candidates = this.#byName[kind].get(reference) ?? [];
    const [first, ...more] = candidates;
    if (first === undefined) {
      const advice = /[;,\n]/.test(reference) ? '; if these are several, put | between them' : '';
      return { fault: nothing(`"${reference}"`).fault + advice };
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
 * Reads the ids, uuids and names of all records.
 *
 * @param tables unreadable tables are removed from it
 * @param onRow called for every row
 */
export async function identifyRecords(
  tables: Map<Kind, ReadTable>,
  archive: string | undefined,
  faults: FaultList,
  onRow: () => void,
): Promise<KnownRecords> {
  const records = new KnownRecords(tables);
  for (const [kind, table] of tables) {
    const isSound = await readSoundly(table.place, faults, async () => {
      for await (const { at, row } of table.rows((place, reason) => faults.add({ ...place, reason }))) {
        onRow();
        records.add(kind, row, at, archive);
      }
      return true;
    });
    if (!isSound) tables.delete(kind);
  }
  return records;
}

/** The id in a row; undefined if it is not a number. */
function idIn(row: RowTexts): number | undefined {
  const text = textOf(row, 'id').trim();
  return /^\d+$/.test(text) ? Number(text) : undefined;
}

function textOf({ texts }: RowTexts, name: string): string {
  return texts.get(name) ?? '';
}
