import { randomUUID } from 'node:crypto';
import { deriveUuid, type RowTexts } from '@archiefkast/formats';
import { forKinds, isUuid, type Kind, uuidOfReference } from '@archiefkast/types';
import { referenceNames } from '@archiefkast/types/internal';
import { describeOrigin, type FaultList } from '../faults.ts';
import { type KnownRecord, Records } from '../records.ts';
import { readSoundly } from './open-tables.ts';
import type { ReadTable } from './read-table.ts';

/** Maximum number of records listed for an ambiguous name. */
const SHOWN = 5;

/** The records of all tables, by id, uuid and name. Of records with the same id or uuid, the first has it. */
export class KnownRecords {
  readonly #tables: ReadonlyMap<Kind, ReadTable>;
  readonly #archive: string | undefined;
  readonly #records = new Records();
  readonly #byName = forKinds(() => new Map<string, KnownRecord[]>());
  /** Number of records and files without a uuid, in an archive without a uuid to derive it from. */
  withoutUuid = 0;

  /** @param archive the uuid of the archive, from which those of records without one are derived */
  constructor(tables: ReadonlyMap<Kind, ReadTable>, archive: string | undefined) {
    this.#tables = tables;
    this.#archive = archive;
  }

  add(kind: Kind, { texts }: RowTexts, at: number): void {
    const [number = '', given = ''] = ['id', 'uuid'].map((name) => texts.get(name)?.trim());
    // Those without an id have the negative number of their row, so that references to their names are valid.
    const id = /^\d+$/.test(number) ? Number(number) : -at;
    const uuid = given.toLowerCase() || this.newUuid(`${kind}/${id}`);
    if (!isUuid(uuid)) return;
    this.#records.add(kind, { id, uuid, published: true }, at);
    const known = this.#records.byId[kind].get(id);
    for (const name of referenceNames(kind, (field) => texts.get(field) ?? '')) {
      const records = this.#byName[kind].get(name) ?? [];
      this.#byName[kind].set(name, records);
      if (known) records.push({ ...known, at });
    }
  }

  /** A uuid for a record or file without one: derived from that of the archive, or random. */
  newUuid(name: string): string {
    if (this.#archive !== undefined) return deriveUuid(this.#archive, name);
    this.withoutUuid += 1;
    return randomUUID();
  }

  /** The uuid of a record whose row has none. */
  uuidOf(kind: Kind, id: unknown, at: number): string | undefined {
    const { [kind]: records } = this.#records.byId;
    return (records.get(-at) ?? records.get(Number(id)))?.uuid;
  }

  /**
   * Resolves a reference: an id, a uuid, an API URL that ends in a uuid, or an exact name.
   *
   * @param refuse called with the reason if it refers to nothing, unless the table of the kind cannot be read
   */
  resolve(kind: Kind, reference: string, refuse: (reason: string) => void): KnownRecord | undefined {
    const table = this.#tables.get(kind);
    if (!table) return undefined;
    const nothing = (what: string, advice = '') => {
      refuse(`refers to the ${kind} ${what}, which is not in ${table.title}${advice}`);
      return undefined;
    };
    const uuid = uuidOfReference(reference);
    if (uuid) return this.#records.find(kind, uuid) ?? nothing(uuid);
    if (/^\d+$/.test(reference))
      return this.#records.byId[kind].get(Number(reference)) ?? nothing(`with id ${reference}`);
    const candidates = this.#byName[kind].get(reference) ?? [];
    const [first, ...more] = candidates;
    if (!first) {
      const advice = /[;,\n]/.test(reference) ? '; if these are several, put | between them' : '';
      return nothing(`"${reference}"`, advice);
    }
    if (more.length === 0) return first;
    const shown = candidates
      .slice(0, SHOWN)
      .map(({ id, at }) => `${id} (${describeOrigin(table.place(at))})`);
    const rest = candidates.length > SHOWN ? ' …' : '';
    refuse(
      `"${reference}" is the name of ${candidates.length} records: ${shown.join(', ')}${rest}; use the id`,
    );
    return undefined;
  }
}

/**
 * Reads the ids, uuids and names of all records.
 *
 * @param tables unreadable tables are removed from it
 * @param archive the uuid of the archive
 * @param onRow called for every row
 */
export async function identifyRecords(
  tables: Map<Kind, ReadTable>,
  archive: string | undefined,
  faults: FaultList,
  onRow: () => void,
): Promise<KnownRecords> {
  const records = new KnownRecords(tables, archive);
  for (const [kind, table] of tables) {
    const isSound = await readSoundly(table.place, faults, async () => {
      for await (const { at, row } of table.rows((place, reason) => faults.add({ ...place, reason }))) {
        onRow();
        records.add(kind, row, at);
      }
      return true;
    });
    if (!isSound) tables.delete(kind);
  }
  return records;
}
