import type { Event, Kind, Location, Person, Subject } from '@archiefkast/types';
import type { EditionReader } from '../../../edition/edition-reader.ts';
import type { Edition } from '../../../storage/edition.ts';

/** Records of a kind that are looked at for one that shows what the kind has. */
const LOOKED_AT = 10;

/** A record of each kind that has one. */
export interface Examples {
  person: Person | undefined;
  subject: Subject | undefined;
  location: Location | undefined;
  event: Event | undefined;
}

/** A record of each kind that shows most of what the kind has: among the first ten, the one with most fields filled. */
export async function chooseExamples(reader: EditionReader, edition: Edition): Promise<Examples> {
  const choose = async <OneKind extends Kind>(kind: OneKind) => {
    const positions = Array.from(
      { length: Math.min(LOOKED_AT, edition.counts[kind]) },
      (_, index) => index + 1,
    );
    const records = await reader.readValid(edition, 'en', kind, positions);
    return records.toSorted((a, b) => filledFields(b) - filledFields(a))[0];
  };
  return {
    person: await choose('person'),
    subject: await choose('subject'),
    location: await choose('location'),
    event: await choose('event'),
  };
}

/** Fields that hold something. */
function filledFields(record: object): number {
  const isEmpty = (value: unknown) =>
    value === null || value === '' || (Array.isArray(value) && value.length === 0);
  return Object.values(record).filter((value) => !isEmpty(value)).length;
}

/** Queries that find these records, and what each means. */
export function exampleQueries({
  person,
  subject,
  location,
  event,
}: Examples): { q: string; meaning: string }[] {
  const year = Number(person?.birth_date?.slice(0, 4));
  const queries: [value: string | undefined, q: string, meaning: string][] = [
    [person?.last_name, `last_name:${person?.last_name}`, 'Persons whose last name contains it.'],
    [person?.last_name, `${person?.last_name}`, 'Records with the word in any text.'],
    [
      person?.birth_date ?? undefined,
      `birth_date:${year - 10}..${year + 10}`,
      'Persons who were born in a range of years.',
    ],
    [person?.birth_place, `kind:person birth_place:"${person?.birth_place}"`, 'Two clauses: both must hold.'],
    [location?.city, `city:"${location?.city}"`, 'Locations in a city.'],
    [subject?.name, `"${subject?.name}"`, 'Words that stand together, in any text.'],
    [event?.date ?? undefined, `kind:event date:${event?.date?.slice(0, 4)}`, 'Events of a year.'],
  ];
  return queries.flatMap(([value, q, meaning]) => (value ? [{ q, meaning }] : []));
}
