import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { readTextLines } from '@archiefkast/system';
import type { Kind } from '@archiefkast/types';
import { describeOrigin, type FaultList, fileOf, type Origins } from './faults.ts';
import { type Bundle, fingerprint, type OpenBundle } from './open-bundle.ts';
import { parseRecord } from './parse-record.ts';
import { RecordIndex } from './record-index.ts';
import type { BundleRecord } from './record-schemas.ts';
import { READING_ORDER } from './record-schemas.ts';
import { createWarner } from './warnings/create-warner.ts';
import { WarningList } from './warnings/warning-list.ts';

/** A valid bundle: every line is a record, and every reference resolves. */
export interface CheckedBundle extends Bundle {
  index: RecordIndex;
  /** Subjects of an event by its uuid, for events whose subjects are only in their location's abbreviated event. */
  eventSubjects: Map<string, string[]>;
  /** The published events at a location, by id. */
  eventsAt(location: string): EventsAt;
  /** Number of dates without a day that were set to the first day. */
  firstDays: number;
  /** Possible mistakes that do not stop a publish. */
  warnings: WarningList;
}

/** The events at a location. */
interface EventsAt {
  ids: number[];
  uuids: string[];
}

/**
 * Reads and checks a whole bundle. Only identifiers stay in memory, not records.
 *
 * @param onLine called for every line, for progress
 * @throws BundleError with every fault found
 */
export async function checkBundle(
  { faults, unread, ...bundle }: OpenBundle,
  onLine: () => void = () => {},
): Promise<CheckedBundle> {
  const { folder, origins, archive } = bundle;
  const index = new RecordIndex();
  const references = new ReferenceCheck(index, faults, origins);
  const warnings = new WarningList(origins);
  let firstDays = 0;
  const eventSubjects = new Map<string, string[]>();
  const locationOfEvent: (number | undefined)[] = [];

  const note: { [K in Kind]: (record: BundleRecord[K], line: number) => void } = {
    subject: (record, line) => references.noteParent(record.id, record.parent, line),
    person: (record, line) => references.require('person', line, 'subjects', 'subject', record.subjects),
    location: (record, line) => {
      references.require('location', line, 'subjects', 'subject', record.subjects);
      references.postpone('location', line, 'related_locations', record.related_locations);
      for (const event of record.events) {
        if (event.subjects.length > 0) eventSubjects.set(event.uuid, event.subjects);
        references.require('location', line, 'events[].subjects', 'subject', event.subjects);
      }
    },
    event: (record, line) => {
      references.require('event', line, 'subjects', 'subject', record.subjects ?? []);
      references.require('event', line, 'persons', 'person', record.persons);
      if (record.location !== null) {
        references.require('event', line, 'location', 'location', [record.location]);
      }
      locationOfEvent.push(record.location === null ? undefined : index.row('location', record.location));
    },
  };

  const readKind = async <K extends Kind>(kind: K) => {
    let isFirst = true;
    const warner = createWarner(kind, warnings);
    for await (const line of readTextLines(join(folder, fileOf(kind)))) {
      onLine();
      const reason = isFirst ? otherFormat(line.text) : undefined;
      isFirst = false;
      if (reason) {
        faults.add({ file: origins.fileOf(kind), reason });
        references.pass(kind);
        return;
      }
      const parsed = parseRecord(kind, line.text, archive?.partial_dates);
      const record = 'record' in parsed ? parsed.record : standIn(parsed.known, line.number);
      const clash = index.add(kind, record, line.number, fingerprint(line.text));
      if (clash) {
        const first = describeOrigin(origins.at(clash.kind, clash.line, clash.field));
        const reason = `${record[clash.field]} is already used at ${first}`;
        faults.add({ ...origins.at(kind, line.number, clash.field), reason });
        const known = clash.field === 'id' ? { uuid: record.uuid } : { id: record.id };
        index.add(kind, standIn(known, line.number), line.number, 0);
      }
      if ('faults' in parsed) {
        for (const { field, reason } of parsed.faults) {
          faults.add({ ...origins.at(kind, line.number, field), reason });
        }
      } else if (!clash) {
        firstDays += parsed.firstDays;
        note[kind](parsed.record, line.number);
        warner.look(parsed.record, line.number);
      }
    }
    references.finish(kind);
    warner.finish();
  };
  for (const kind of unread) references.pass(kind);
  for (const kind of READING_ORDER) await readKind(kind);
  faults.throwIfAny();

  index.rank();
  const eventsAt = groupEvents(index, locationOfEvent);
  return { ...bundle, index, eventSubjects, eventsAt, firstDays, warnings };
}

/** Placeholder for a record with a fault, so that references to it are not reported too. */
function standIn({ id, uuid }: { id?: number; uuid?: string }, line: number) {
  return { id: id ?? -line, uuid: uuid ?? randomUUID(), published: true };
}

/** Why a file is not JSON lines, judging by its first line; undefined if it may be. */
function otherFormat(line = ''): string | undefined {
  const start = line.trim();
  if (start.startsWith('['))
    return 'is a JSON array; expected one record per line, without brackets and commas';
  if (start === '{') return 'is JSON spread over several lines; expected one record per line';
  if (/^"?\w+"?[,;\t]/.test(start)) return 'is a CSV file; its name should end in .csv';
  return undefined;
}

/**
 * Groups the published events by location.
 *
 * @param locationOfEvent row of the location in its file, by row of the event
 */
function groupEvents(index: RecordIndex, locationOfEvent: readonly (number | undefined)[]) {
  const { ids, positions } = index.kinds.event;
  const groups = new Map<number, number[]>();
  for (const [event, location] of locationOfEvent.entries()) {
    if (location === undefined || positions[event] === 0) continue;
    const group = groups.get(location);
    if (group) group.push(event);
    else groups.set(location, [event]);
  }
  for (const group of groups.values()) group.sort((a, b) => (positions[a] ?? 0) - (positions[b] ?? 0));
  return (location: string): EventsAt => {
    const group = groups.get(index.row('location', location) ?? -1) ?? [];
    return {
      ids: group.map((event) => ids[event] ?? 0),
      uuids: group.map((event) => index.uuidAt('event', event)),
    };
  };
}

/** Checks that every reference of a bundle resolves to a record. */
class ReferenceCheck {
  readonly #index: RecordIndex;
  readonly #faults: FaultList;
  readonly #origins: Origins;
  /** Kinds whose file could not be read; references to them are not checked. */
  readonly #unread = new Set<Kind>();
  readonly #postponed: { kind: Kind; line: number; field: string; uuid: string }[] = [];
  readonly #parents: { id: number; parent: number; line: number }[] = [];

  constructor(index: RecordIndex, faults: FaultList, origins: Origins) {
    this.#index = index;
    this.#faults = faults;
    this.#origins = origins;
  }

  /** Skips the check of references to a kind, because its records are unknown. */
  pass(kind: Kind): void {
    this.#unread.add(kind);
  }

  /** Checks references to records of a kind that has been read already. */
  require(kind: Kind, line: number, field: string, target: Kind, uuids: readonly string[]): void {
    if (this.#unread.has(target)) return;
    for (const [position, uuid] of uuids.entries()) {
      if (this.#index.row(target, uuid) === undefined) {
        const at = uuids.length > 1 ? `${field}[${position}]` : field;
        this.#refuse(
          kind,
          line,
          at,
          `refers to the ${target} ${uuid}, which is not in ${this.#origins.fileOf(target)}`,
        );
      }
    }
  }

  /** Defers the check of references among records of one kind until all of it has been read. */
  postpone(kind: Kind, line: number, field: string, uuids: readonly string[]): void {
    for (const uuid of uuids) this.#postponed.push({ kind, line, field, uuid });
  }

  /** Defers the check of a subject's parent until all subjects have been read. */
  noteParent(id: number, parent: number | null, line: number): void {
    if (parent !== null) this.#parents.push({ id, parent, line });
  }

  /** Runs the deferred checks, once all records of `kind` have been read. */
  finish(kind: Kind): void {
    for (const { line, field, uuid } of this.#postponed.splice(0)) {
      this.require(kind, line, field, kind, [uuid]);
    }
    this.#checkParents();
  }

  #checkParents(): void {
    const parents = this.#parents.splice(0);
    if (this.#unread.has('subject')) return;
    const parentOf = new Map(parents.map(({ id, parent }) => [id, parent]));
    const sound = new Set<number>();
    for (const { id, parent, line } of parents) {
      if (!this.#index.kinds.subject.byId.has(parent)) {
        this.#refuse(
          'subject',
          line,
          'parent',
          `refers to the subject with id ${parent}, which is not in ${this.#origins.fileOf('subject')}`,
        );
        continue;
      }
      const path: number[] = [];
      const seen = new Set<number>();
      for (let at: number | undefined = id; at !== undefined && !sound.has(at); at = parentOf.get(at)) {
        if (seen.has(at)) {
          if (at === id)
            this.#refuse('subject', line, 'parent', `is a cycle: ${describeCycle([...path, id])}`);
          break;
        }
        seen.add(at);
        path.push(at);
      }
      if (!seen.has(parentOf.get(path.at(-1) ?? id) ?? -1)) for (const each of path) sound.add(each);
    }
  }

  #refuse(kind: Kind, line: number, field: string, reason: string): void {
    this.#faults.add({ ...this.#origins.at(kind, line, field), reason });
  }
}

/** Maximum number of ids of a cycle in a message. */
const SHOWN = 10;

function describeCycle(ids: readonly number[]): string {
  return ids.length > SHOWN ? `${ids.slice(0, SHOWN).join(' → ')} → …` : ids.join(' → ');
}
