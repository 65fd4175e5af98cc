import type { ArchiveRecord, Kind, RecordOfKind, SearchEntry } from '@archiefkast/types';

/** Title, date and place of a record, for tables. */
export interface RecordSummary {
  title: string;
  date: string;
  place: string;
}

/** Summarises a record. */
export function summarise<K extends Kind>(kind: K, record: RecordOfKind[K]): RecordSummary {
  return describers[kind](record);
}

/** Summarises a hit of a search. */
export function summaryOfHit(hit: SearchEntry): RecordSummary {
  switch (hit.type) {
    case 'person':
      return summarise('person', hit.instance);
    case 'subject':
      return summarise('subject', hit.instance);
    case 'location':
      return summarise('location', hit.instance);
    case 'event':
      return summarise('event', hit.instance);
  }
}

const describers: { [K in Kind]: (record: RecordOfKind[K]) => RecordSummary } = {
  person: ({ title, birth_date, death_date, birth_place, death_place }) => ({
    title,
    date: span(birth_date, death_date),
    place: [...new Set([birth_place, death_place])].filter(Boolean).join(', '),
  }),
  subject: ({ name }) => ({ title: name, date: '', place: '' }),
  location: ({ name, street, city, land }) => ({
    title: name,
    date: '',
    place: [street, city, land].filter(Boolean).join(', '),
  }),
  event: ({ name, date, date_start, date_end, location }) => ({
    title: name,
    date: date ?? span(date_start, date_end),
    place: location ? location.name : '',
  }),
};

/** "1629-04-14 – 1695-07-08"; a missing date is empty, and the result is empty if both are missing. */
function span(from: string | null, to: string | null): string {
  return from === null && to === null ? '' : `${from ?? ''} – ${to ?? ''}`.trim();
}

/** The title or name of a record, in the language of the request. */
export function titleOf(record: ArchiveRecord): string {
  return 'title' in record ? record.title : record.name;
}
