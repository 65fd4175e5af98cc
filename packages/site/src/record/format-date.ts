import type { Language } from '@archiefkast/types';

const MONTHS: Readonly<Record<Language, readonly string[]>> = {
  en: 'January February March April May June July August September October November December'.split(' '),
  nl: 'januari februari maart april mei juni juli augustus september oktober november december'.split(' '),
};

/** `1588-12-10` as `10 December 1588`. Dates of archives are of the calendar of their day: no `Date` touches them. */
export function formatDate(date: string, language: Language): string {
  const [year = '', month = '', day = ''] = date.split('-');
  return `${Number(day)} ${MONTHS[language][Number(month) - 1]} ${Number(year)}`;
}

/** `1588-12-10` as `1588`. */
export function yearOf(date: string): string {
  return String(Number(date.slice(0, 4)));
}

/** What has the dates of an event. */
export interface Dated {
  date?: string | null | undefined;
  date_start?: string | null | undefined;
  date_end?: string | null | undefined;
}

/** When an event was: a day, or from one to another; undefined where nothing is known. */
export function formatPeriod(
  { date, date_start: start, date_end: end }: Dated,
  language: Language,
): string | undefined {
  if (date) return formatDate(date, language);
  if (start && end) return `${formatDate(start, language)} – ${formatDate(end, language)}`;
  if (start) return `${formatDate(start, language)} –`;
  return end ? `– ${formatDate(end, language)}` : undefined;
}

/** The day by which an event is sorted; those without come last. */
export function sortDate(event: Dated): string {
  return event.date || event.date_start || event.date_end || '9999';
}
