import { createHash, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { readTextLines } from '@archiefkast/system';
import type { Kind } from '@archiefkast/types';
import { NumberList } from '../../number-list.ts';
import { UuidTable } from '../../uuid-table.ts';
import { VERSION } from '../../version.ts';
import { describeOrigin, type FaultList, fileOf, type Origins } from './faults.ts';
import { nameOf } from './multilingual.ts';
import { type Bundle, fingerprint, type OpenBundle } from './open-bundle.ts';
import { parseRecord } from './parse-record.ts';
import { RecordIndex } from './record-index.ts';
import type { BundleRecord } from './record-schemas.ts';
import { READING_ORDER } from './record-schemas.ts';
import { SUPPLEMENT_FILE, Supplements } from './supplements.ts';
import { createWarner } from './warnings/create-warner.ts';
import { type MediaFolder, warnOfMedia } from './warnings/media-check.ts';
import { WarningList } from './warnings/warning-list.ts';

/** A valid bundle: every line is a record, and every reference resolves. */
export interface CheckedBundle extends Bundle {
  /** SHA-256 of its content and of the version of the program: what an edition is made of. */
  source: string;
  index: RecordIndex;
  /** Subjects of an event by its uuid, for events without the field `subjects`. */
  subjectsOf(event: string): readonly string[];
  supplements: Supplements;
  /** The published events at a location, by id. */
  eventsAt(location: string): EventsAt;
  /** Number of dates of which less than a day is known. */
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
 * @param media the folder in which to look for the files that records name
 * @throws BundleError with every fault found
 */
export async function checkBundle(
  { faults, unread, ...bundle }: OpenBundle,
  onLine: () => void = () => {},
  media?: MediaFolder,
): Promise<CheckedBundle> {
  const { folder, origins, archive } = bundle;
  const index = new RecordIndex();
  const references = new ReferenceCheck(index, faults, origins);
  const warnings = new WarningList(origins);
  let firstDays = 0;
  const eventSubjects = new EventSubjects(index);
  const source = createHash('sha256').update(JSON.stringify([VERSION, archive ?? null]));
  const supplements = await Supplements.read(folder, faults, ({ bytes }) => source.update(bytes));
  const locationOfEvent = new NumberList(Uint32Array);

  const note: { [K in Kind]: (record: BundleRecord[K], line: number) => void } = {
    subject: (record, line) => references.noteParent(ownerOf('subject', record, line), record.parent),
    person: (record, line) => {
      references.require(ownerOf('person', record, line), 'subjects', 'subject', record.subjects);
    },
    location: (record, line) => {
      const owner = ownerOf('location', record, line);
      references.require(owner, 'subjects', 'subject', record.subjects);
      references.postpone(owner, 'related_locations', record.related_locations);
      for (const event of record.events) {
        eventSubjects.add(event.uuid, event.subjects);
        references.require(owner, 'events[].subjects', 'subject', event.subjects);
      }
    },
    event: (record, line) => {
      const owner = ownerOf('event', record, line);
      references.require(owner, 'subjects', 'subject', record.subjects ?? []);
      references.require(owner, 'persons', 'person', record.persons);
      if (record.location !== null) references.require(owner, 'location', 'location', [record.location]);
      const location = record.location === null ? undefined : index.row('location', record.location);
      locationOfEvent.push(location === undefined ? 0 : location + 1);
      eventSubjects.settle(record.uuid);
    },
  };

  const readKind = async <K extends Kind>(kind: K) => {
    let isFirst = true;
    const warner = createWarner(kind, warnings);
    source.update(`${kind}\n`);
    for await (const line of readTextLines(join(folder, fileOf(kind)))) {
      onLine();
      source.update(line.bytes);
      const reason = isFirst ? otherFormat(line.text) : undefined;
      isFirst = false;
      if (reason) {
        faults.add({ file: origins.fileOf(kind), reason }, 'table');
        references.pass(kind);
        return;
      }
      const parsed = parseRecord(kind, line.text, archive?.partial_dates);
      const record = 'record' in parsed ? parsed.record : standIn(parsed.known, line.number);
      const clash = index.add(kind, record, line.number, fingerprint(line));
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
        const dates = supplements.datesOf(parsed.record, parsed.dates, (field, edtf, day) => {
          const reason = `${day} is not the first day of ${edtf}, which ${SUPPLEMENT_FILE} has; that is not used`;
          warnings.add('supplement-differs', kind, line.number, field, reason);
        });
        firstDays += Object.keys(dates).length;
        note[kind](parsed.record, line.number);
        warner.look(parsed.record, line.number);
        if (media !== undefined) await warnOfMedia(media, kind, parsed.record, line.number, warnings);
      }
    }
    references.finish(kind);
    warner.finish();
  };
  for (const kind of unread) references.pass(kind);
  for (const kind of READING_ORDER) await readKind(kind);
  supplements.check(index, faults);
  faults.throwIfAny();

  index.rank();
  const eventsAt = groupEvents(index, locationOfEvent);
  index.release();
  eventSubjects.release();
  locationOfEvent.clear();
  const subjectsOf = (event: string) => eventSubjects.get(event) ?? supplements.subjectsOf(event) ?? [];
  return {
    ...bundle,
    source: source.digest('hex'),
    index,
    subjectsOf,
    supplements,
    eventsAt,
    firstDays,
    warnings,
  };
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

/** The subjects of events, from the abbreviated events of their locations. */
class EventSubjects {
  readonly #index: RecordIndex;
  /** The rows plus 1 of the subjects of one event after the other, each with a 0 at the end. */
  readonly #rows = new NumberList(Uint32Array);
  /** The abbreviated events, and where the subjects of each start in `#rows`. */
  #events = new UuidTable();
  readonly #starts = new NumberList(Uint32Array);
  /** The same by row of the event in its file; 0 for none. */
  readonly #startsByRow = new NumberList(Uint32Array);

  constructor(index: RecordIndex) {
    this.#index = index;
    this.#rows.push(0);
  }

  /** Adds the subjects of an abbreviated event, if it has any; those that are not in the index are left out. */
  add(event: string, subjects: readonly string[]): void {
    if (subjects.length === 0) return;
    const number = this.#events.numberOf(event);
    if (number === this.#starts.length) this.#starts.push(0);
    this.#starts.set(number, this.#rows.length);
    for (const subject of subjects) {
      const row = this.#index.row('subject', subject);
      if (row !== undefined) this.#rows.push(row + 1);
    }
    this.#rows.push(0);
  }

  /** Adds the next event itself, after all abbreviated ones. */
  settle(event: string): void {
    this.#startsByRow.push(this.#starts.at(this.#events.find(event) ?? -1) ?? 0);
  }

  /** Releases the abbreviated events, once all events have been added. */
  release(): void {
    this.#events = new UuidTable();
    this.#starts.clear();
  }

  /** The subjects of an event; undefined without any. */
  get(event: string): string[] | undefined {
    const start = this.#startsByRow.at(this.#index.row('event', event) ?? -1) ?? 0;
    if (start === 0) return undefined;
    const subjects: string[] = [];
    for (let at = start; this.#rows.at(at); at++) {
      subjects.push(this.#index.uuidAt('subject', (this.#rows.at(at) ?? 0) - 1));
    }
    return subjects;
  }
}

/**
 * Groups the published events by location.
 *
 * @param locationOfEvent row of the location in its file, from 1, by row of the event; 0 for none
 */
function groupEvents(index: RecordIndex, locationOfEvent: NumberList) {
  const { ids, positions } = index.kinds.event;
  const locations = index.kinds.location.rows;
  const locationOf = (event: number) => (positions[event] === 0 ? 0 : (locationOfEvent.at(event) ?? 0));
  // The events of the location at row n are from starts[n] to starts[n + 1].
  const starts = new Uint32Array(locations + 2);
  for (let event = 0; event < locationOfEvent.length; event++) {
    const after = locationOf(event) + 1;
    if (after > 1) starts[after] = (starts[after] ?? 0) + 1;
  }
  for (let at = 1; at < starts.length; at++) starts[at] = (starts[at] ?? 0) + (starts[at - 1] ?? 0);
  const events = new Uint32Array(starts.at(-1) ?? 0);
  const next = starts.slice();
  for (let event = 0; event < locationOfEvent.length; event++) {
    const location = locationOf(event);
    if (location === 0) continue;
    const at = next[location] ?? 0;
    events[at] = event;
    next[location] = at + 1;
  }
  return (location: string): EventsAt => {
    const row = index.row('location', location);
    const group = row === undefined ? [] : [...events.subarray(starts[row + 1], starts[row + 2])];
    group.sort((a, b) => (positions[a] ?? 0) - (positions[b] ?? 0));
    return {
      ids: group.map((event) => ids.at(event) ?? 0),
      uuids: group.map((event) => index.uuidAt('event', event)),
    };
  };
}

/** A record that refers to others. */
interface Owner {
  kind: Kind;
  line: number;
  id: number;
  name: string;
}

function ownerOf<K extends Kind>(kind: K, record: BundleRecord[K], line: number): Owner {
  return { kind, line, id: record.id, name: nameOf(kind, record) };
}

/** Checks that every reference of a bundle resolves to a record. */
class ReferenceCheck {
  readonly #index: RecordIndex;
  readonly #faults: FaultList;
  readonly #origins: Origins;
  /** Kinds whose file could not be read; references to them are not checked. */
  readonly #unread = new Set<Kind>();
  readonly #postponed: { owner: Owner; field: string; uuid: string }[] = [];
  readonly #parents: { owner: Owner; parent: number }[] = [];

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
  require(owner: Owner, field: string, target: Kind, uuids: readonly string[]): void {
    if (this.#unread.has(target)) return;
    for (const [position, uuid] of uuids.entries()) {
      if (this.#index.row(target, uuid) === undefined) {
        const at = uuids.length > 1 ? `${field}[${position}]` : field;
        const where = this.#origins.fileOf(target);
        this.#refuse(owner, at, `refers to the ${target} ${uuid}, which is not in ${where}`);
      }
    }
  }

  /** Defers the check of references among records of one kind until all of it has been read. */
  postpone(owner: Owner, field: string, uuids: readonly string[]): void {
    for (const uuid of uuids) this.#postponed.push({ owner, field, uuid });
  }

  /** Defers the check of a subject's parent until all subjects have been read. */
  noteParent(owner: Owner, parent: number | null): void {
    if (parent !== null) this.#parents.push({ owner, parent });
  }

  /** Runs the deferred checks, once all records of `kind` have been read. */
  finish(kind: Kind): void {
    for (const { owner, field, uuid } of this.#postponed.splice(0)) {
      this.require(owner, field, kind, [uuid]);
    }
    this.#checkParents();
  }

  #checkParents(): void {
    const parents = this.#parents.splice(0);
    if (this.#unread.has('subject')) return;
    const known = new Map(parents.map((each) => [each.owner.id, each]));
    const sound = new Set<number>();
    const told = new Set<number>();
    for (const { owner, parent } of parents) {
      if (!this.#index.kinds.subject.byId.has(parent)) {
        const where = this.#origins.fileOf('subject');
        this.#refuse(owner, 'parent', `refers to the subject with id ${parent}, which is not in ${where}`);
        continue;
      }
      const path: Owner[] = [];
      const seen = new Set<number>();
      for (let at = known.get(owner.id); at && !sound.has(at.owner.id); at = known.get(at.parent)) {
        if (seen.has(at.owner.id)) {
          if (at.owner.id === owner.id && !told.has(owner.id)) {
            for (const { id } of path) told.add(id);
            const place = this.#origins.at('subject', owner.line, 'parent');
            this.#faults.add({ ...place, reason: `is a cycle: ${describeCycle(path)}` }, 'reference');
          }
          break;
        }
        seen.add(at.owner.id);
        path.push(at.owner);
      }
      const last = path.at(-1) ?? owner;
      if (!seen.has(known.get(last.id)?.parent ?? -1)) for (const { id } of path) sound.add(id);
    }
  }

  #refuse({ kind, line, id, name }: Owner, field: string, reason: string): void {
    const record = name === '' ? `${kind} ${id}` : `${kind} ${id}, ${name}`;
    this.#faults.add({ ...this.#origins.at(kind, line, field), reason, record }, 'reference');
  }
}

/** Maximum number of records of a cycle in a message. */
const SHOWN = 10;

/** Describes a cycle of subjects by their names and ids: `Handel (1) → Markt (2) → Handel (1)`. */
function describeCycle(path: readonly Owner[]): string {
  const steps = [...path, ...path.slice(0, 1)].map(({ id, name }) =>
    name === '' ? `${id}` : `${name} (${id})`,
  );
  return (steps.length > SHOWN ? [...steps.slice(0, SHOWN), '…'] : steps).join(' → ');
}
