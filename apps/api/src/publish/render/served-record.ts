import type { Kind } from '@archiefkast/types';
import type { BundleRecord } from '../bundle/record-schemas.ts';
import type { Records } from '../bundle/records.ts';

/**
 * A record of a bundle as it is served: all that its texts are rendered from. References to records that are not served are
 * left out, and what others say of a record is filled in.
 */
export interface ServedRecord {
  person: BundleRecord['person'];
  subject: BundleRecord['subject'];
  location: Omit<BundleRecord['location'], 'events'> & {
    /** Its events, by id. */
    events: { id: number; uuid: string }[];
  };
  event: BundleRecord['event'] & { subjects: string[] };
}

/** Creates the function that makes a record of a checked bundle as it is served. */
export function createServing(records: Records) {
  const served = (kind: Kind, uuids: readonly string[]) =>
    uuids.filter((uuid) => records.isServed(kind, uuid));
  const serving: { [K in Kind]: (record: BundleRecord[K]) => ServedRecord[K] } = {
    person: (person) => ({ ...person, subjects: served('subject', person.subjects) }),
    subject: (subject) => ({
      ...subject,
      parent:
        subject.parent !== null && records.byId.subject.get(subject.parent)?.position ? subject.parent : null,
    }),
    location: (location) => {
      const known = records.find('location', location.uuid);
      const events = (known && records.eventsAt.get(known)) ?? [];
      return {
        ...location,
        subjects: served('subject', location.subjects),
        related_locations: served('location', location.related_locations),
        events: events.map(({ id, uuid }) => ({ id, uuid })),
      };
    },
    event: (event) => ({
      ...event,
      subjects: served('subject', event.subjects ?? records.subjectsOf.get(event.uuid) ?? []),
      persons: served('person', event.persons),
      location:
        event.location !== null && records.isServed('location', event.location) ? event.location : null,
    }),
  };
  return <K extends Kind>(kind: K, record: BundleRecord[K]): ServedRecord[K] => serving[kind](record);
}
