import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Kind } from '@archive/types';
import { type ArchiveDescription, readArchiveDescription } from './archive-description.ts';
import { fileOf, missingFiles, READING_ORDER } from './bundle.ts';
import { FaultList } from './faults.ts';
import { parseRecord } from './parse-record.ts';
import { readLines } from './read-lines.ts';
import { RecordIndex } from './record-index.ts';
import type { BundleRecord } from './record-schemas.ts';
import { ReferenceCheck } from './reference-check.ts';

/** A bundle that holds: every line is a record, every reference resolves. */
export interface CheckedBundle {
  folder: string;
  index: RecordIndex;
  /** Subjects of an event by its uuid, where only its location's abbreviated event has them. */
  eventSubjects: Map<string, string[]>;
  /** The published events at a location, by id. */
  eventsAt(location: string): EventsAt;
  archive: ArchiveDescription | undefined;
}

/** The events at a location. */
export interface EventsAt {
  ids: number[];
  uuids: string[];
}

/**
 * Reads a whole bundle and checks it. Keeps identifiers in memory, not records.
 *
 * @param onLine called after every line, for progress
 * @throws BundleError with every fault found
 */
export async function checkBundle(folder: string, onLine: () => void = () => {}): Promise<CheckedBundle> {
  const faults = new FaultList();
  if (!(await stat(folder).catch(() => undefined))?.isDirectory()) {
    faults.add({ file: folder, reason: 'is not a folder; expected a bundle' });
    faults.throwIfAny();
  }
  for (const file of await missingFiles(folder)) {
    faults.add({ file, reason: `is missing in ${folder}; a kind without records has an empty file` });
  }
  faults.throwIfAny();

  const index = new RecordIndex();
  const references = new ReferenceCheck(index, faults);
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
      locationOfEvent.push(record.location === null ? undefined : index.place('location', record.location));
    },
  };

  const readKind = async <K extends Kind>(kind: K) => {
    const file = fileOf(kind);
    for await (const line of readLines(join(folder, file))) {
      onLine();
      const parsed = parseRecord(kind, line.text);
      if ('faults' in parsed) {
        for (const fault of parsed.faults) faults.add({ file, line: line.number, ...fault });
        continue;
      }
      const clash = index.add(kind, parsed.record, line.number);
      if (clash) {
        const value = parsed.record[clash.field];
        const first = `${fileOf(clash.kind)}:${clash.line}`;
        faults.add({
          file,
          line: line.number,
          field: clash.field,
          reason: `${value} is already used at ${first}`,
        });
        continue;
      }
      note[kind](parsed.record, line.number);
    }
    references.finish(kind);
  };
  for (const kind of READING_ORDER) await readKind(kind);
  const archive = await readArchiveDescription(folder, faults);
  faults.throwIfAny();

  index.rank();
  return { folder, index, eventSubjects, eventsAt: groupEvents(index, locationOfEvent), archive };
}

/**
 * Groups the published events by location.
 *
 * @param locationOfEvent the location's place in its file, by the event's
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
    const group = groups.get(index.place('location', location) ?? -1) ?? [];
    return {
      ids: group.map((event) => ids[event] ?? 0),
      uuids: group.map((event) => index.uuidAt('event', event)),
    };
  };
}
