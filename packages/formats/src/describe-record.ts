import type { ArchiveRecord } from '@archiefkast/types';
import { uuidOfReference } from '@archiefkast/types/links';
import { htmlReading } from './html/html-reading.ts';

const TEXTS = ['summary', 'content', 'description'];

/** Names of records, by uuid in lower case. */
export type NamesOfRecords = ReadonlyMap<string, string>;

/** A labelled value of a record; it may be empty. */
export type Fact = readonly [name: string, value: string];

/** What tables and readable records show of a record besides its title and texts. */
export interface Description {
  date: string;
  place: string;
  facts: Fact[];
}

/** Describes a record. @param names of the records that it refers to; others are described by uuid */
export function describeRecord(record: ArchiveRecord, names: NamesOfRecords = new Map()): Description {
  const named = (references: readonly string[]) =>
    references.map((reference) => {
      const uuid = uuidOfReference(reference) ?? reference;
      return names.get(uuid) ?? uuid;
    });
  if ('birth_date' in record) {
    const { birth_date, birth_place, birth_country, death_date, death_place, death_country } = record;
    return {
      date: span(birth_date, death_date),
      place: listed([...new Set([birth_place, death_place])]),
      facts: [
        ['born', listed([birth_date, birth_place, birth_country])],
        ['died', listed([death_date, death_place, death_country])],
        ['gender', record.gender],
        ['subjects', named(record.subjects).join(', ')],
      ],
    };
  }
  if ('latitude' in record) {
    const { street, zipcode, city, state, land, latitude, longitude } = record;
    return {
      date: '',
      place: listed([street, city, land]),
      facts: [
        ['address', listed([street, `${zipcode} ${city}`.trim(), state, land])],
        ['at', listed([latitude, longitude])],
        ['subjects', listed(record.subjects.map(({ name }) => name))],
        ['events', record.events.map(({ name, date }) => `${date ?? ''} ${name}`.trim()).join('\n')],
        ['see also', named(record.related_locations).join('\n')],
      ],
    };
  }
  if ('date_start' in record) {
    const { location, persons } = record;
    const date = record.date ?? span(record.date_start, record.date_end);
    return {
      date,
      place: location?.name ?? '',
      facts: [
        ['date', date],
        ['place', location ? listed([location.name, location.city]) : ''],
        ['persons', persons.map(({ title }) => title).join('\n')],
      ],
    };
  }
  const { parent, same_as } = record;
  const facts: Fact[] = [
    ['below', parent === null ? '' : `subject ${parent}`],
    ['same as', (same_as ?? []).join('\n')],
  ];
  return { date: '', place: '', facts };
}

/** The texts of a record, each in paragraphs, and the lines of all their footnotes. */
export function readTexts(record: ArchiveRecord): { texts: string[]; footnotes: string[] } {
  const fields = new Map<string, unknown>(Object.entries(record));
  const read = TEXTS.filter((name) => fields.has(name)).map((name) => htmlReading(String(fields.get(name))));
  const footnotes = read.flatMap((text) => text.footnotes.map((note) => ` ${note.number}. ${note.text}`));
  return { texts: read.map(({ text }) => text), footnotes };
}

/** The picture of a record with its credits; empty if it has none. */
export function describePicture(record: ArchiveRecord): string {
  const picture = 'image' in record ? record.image : record.main_image;
  if (!picture) return '';
  const { title, alt, author, copyright, url, path } = picture;
  return [title, alt, author, copyright, url || path].filter(Boolean).join(' · ');
}

/** "1629-04-14 – 1695-07-08"; a missing date is empty, and the result is empty if both are missing. */
function span(from: string | null, to: string | null): string {
  return from === null && to === null ? '' : `${from ?? ''} – ${to ?? ''}`.trim();
}

function listed(values: readonly (string | null)[]): string {
  return values.filter(Boolean).join(', ');
}
