import { type Kind, uuidOfReference } from '@archiefkast/types';
import { type Fields, uuidIn } from '@archiefkast/types/internal';

/** A record of a bundle. */
export interface BundleLine {
  kind: Kind;
  record: Fields;
}

/** The uuids that a value names: uuids, addresses that end in one, or records. */
function uuidsIn(value: unknown): string[] {
  return [value].flat().flatMap((each) => {
    return uuidOfReference(String(uuidIn(each))) ?? [];
  });
}

const uuidOf = ({ record }: BundleLine) => String(record['uuid']).toLowerCase();

/**
 * What a field of `q` that names a record finds, by a look at every record: their uuids.
 *
 * @param records those that are published
 */
export function lookUpReferences(records: readonly BundleLine[], field: string, uuid: string): Set<string> {
  const that = records.find((line) => uuidOf(line) === uuid.toLowerCase());
  if (!that) return new Set();
  /** A harvested bundle has the subjects of events at their locations. */
  const named = (line: BundleLine, field: string): string[] => {
    const own = line.record[field];
    if (line.kind !== 'event' || field !== 'subjects' || own !== undefined) return uuidsIn(own);
    const listed = records.flatMap(({ record }) => (Array.isArray(record['events']) ? record['events'] : []));
    return listed
      .filter((event) => uuidsIn(event).includes(uuidOf(line)))
      .flatMap((event) => uuidsIn(event.subjects));
  };
  const naming = (kind: Kind, name: string) =>
    records.filter((line) => line.kind === kind && named(line, name).includes(uuid.toLowerCase()));
  const namedIn = (kind: Kind, name: string) => {
    const uuids = that.kind === kind ? named(that, name) : [];
    return records.filter((line) => uuids.includes(uuidOf(line)));
  };
  const children = () =>
    records.filter(({ kind, record }) => kind === 'subject' && record['parent'] === that.record['id']);
  const found: Record<string, () => BundleLine[]> = {
    person: () => [...naming('event', 'persons'), ...namedIn('person', 'subjects')],
    subject: () => [
      ...naming('person', 'subjects'),
      ...naming('location', 'subjects'),
      ...naming('event', 'subjects'),
    ],
    location: () => [...naming('event', 'location'), ...namedIn('location', 'subjects')],
    event: () => [
      ...namedIn('event', 'persons'),
      ...namedIn('event', 'subjects'),
      ...namedIn('event', 'location'),
    ],
    parent: children,
    related: () => [...naming('location', 'related_locations'), ...namedIn('location', 'related_locations')],
  };
  if (field === 'under' && that.kind === 'subject') {
    const below = children().flatMap((child) => [...lookUpReferences(records, 'under', uuidOf(child))]);
    return new Set([...lookUpReferences(records, 'subject', uuid), ...below]);
  }
  const isOfKind = field === that.kind || (field === 'related' ? 'location' : 'subject') === that.kind;
  return new Set(isOfKind ? found[field]?.().map(uuidOf) : []);
}
