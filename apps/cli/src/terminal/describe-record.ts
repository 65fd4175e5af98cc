import type { ArchiveRecord } from '@archiefkast/types';

/** Title, date and place of a record, for tables. */
export interface RecordSummary {
  title: string;
  date: string;
  place: string;
}

/** Summarises a record. */
export function summaryOf(record: ArchiveRecord): RecordSummary {
  const title = titleOf(record);
  if ('birth_date' in record) {
    const { birth_date, death_date, birth_place, death_place } = record;
    const place = [...new Set([birth_place, death_place])].filter(Boolean).join(', ');
    return { title, date: span(birth_date, death_date), place };
  }
  if ('latitude' in record) {
    const { street, city, land } = record;
    return { title, date: '', place: [street, city, land].filter(Boolean).join(', ') };
  }
  if ('date_start' in record) {
    const { date, date_start, date_end, location } = record;
    return { title, date: date ?? span(date_start, date_end), place: location?.name ?? '' };
  }
  return { title, date: '', place: '' };
}

/** "1629-04-14 – 1695-07-08"; a missing date is empty, and the result is empty if both are missing. */
function span(from: string | null, to: string | null): string {
  return from === null && to === null ? '' : `${from ?? ''} – ${to ?? ''}`.trim();
}

/** The title or name of a record, in the language of the request. */
export function titleOf(record: ArchiveRecord): string {
  return 'title' in record ? record.title : record.name;
}
