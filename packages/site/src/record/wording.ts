import { type Kind, type Language, PAGE_SEGMENTS } from '@archiefkast/types';
import type { ListedRecord, PageRecord } from './page-record.ts';

/** A text and its language: Dutch if the archive has no English. */
export interface Wording {
  text: string;
  language: Language;
}

/** The fields in both languages, by their common name. */
const FIELDS = {
  title: { en: 'title_en', nl: 'title_nl' },
  name: { en: 'name_en', nl: 'name_nl' },
  summary: { en: 'summary_en', nl: 'summary_nl' },
  content: { en: 'content_en', nl: 'content_nl' },
  description: { en: 'description_en', nl: 'description_nl' },
} as const;

type Field = keyof typeof FIELDS;

/** A field of a record in the language of the page, or in Dutch if that is empty. */
export function wordingOf(
  record: Readonly<Partial<Record<`${Field}_${Language}`, string | null | undefined>>>,
  field: Field,
  language: Language,
): Wording {
  const names = FIELDS[field];
  const english = record[names.en] ?? '';
  return language === 'en' && english !== ''
    ? { text: english, language: 'en' }
    : { text: record[names.nl] || english, language: 'nl' };
}

/** The name of a record. */
export function nameOf(record: ListedRecord, language: Language): Wording {
  const { text, language: written } = wordingOf(
    record,
    record.kind === 'person' ? 'title' : 'name',
    language,
  );
  // A person's name is the same in every language.
  return {
    text: text || `${record.uuid.slice(0, 8)}…`,
    language: record.kind === 'person' ? language : written,
  };
}

/** The long text of a record. */
export function contentOf(record: PageRecord, language: Language): Wording {
  return wordingOf(record, record.kind === 'subject' ? 'description' : 'content', language);
}

/** The path of a record's page below the base URL. */
export function recordPath(language: Language, { kind, uuid }: { kind: Kind; uuid: string }): string {
  return `${language}/${PAGE_SEGMENTS[kind]}/${uuid}/`;
}

/** The attribute `lang` of a text on a page. */
export function langOf({ language }: Wording, page: { language: Language }): { lang?: Language } {
  return language === page.language ? {} : { lang: language };
}

const MONTHS: Readonly<Record<Language, readonly string[]>> = {
  en: 'January February March April May June July August September October November December'.split(' '),
  nl: 'januari februari maart april mei juni juli augustus september oktober november december'.split(' '),
};

/** `1588-12-10` as `10 December 1588`, without `Date`: historical dates are in the calendar of their time. */
export function formatDate(date: string, language: Language): string {
  const [year = '', month = '', day = ''] = date.split('-');
  return `${Number(day)} ${MONTHS[language][Number(month) - 1]} ${Number(year)}`;
}

/** `1588-12-10` as `1588`. */
export function yearOf(date: string): string {
  return String(Number(date.slice(0, 4)));
}

/** The dates of an event. */
interface Dated {
  date?: string | null | undefined;
  date_start?: string | null | undefined;
  date_end?: string | null | undefined;
}

/** The time of an event: a day or a period; undefined if unknown. */
export function formatPeriod(
  { date, date_start: start, date_end: end }: Dated,
  language: Language,
): string | undefined {
  if (date) return formatDate(date, language);
  if (start && end) return `${formatDate(start, language)} – ${formatDate(end, language)}`;
  if (start) return `${formatDate(start, language)} –`;
  return end ? `– ${formatDate(end, language)}` : undefined;
}

/** The date for sorting an event; events without a date come last. */
export function sortDate(event: Dated): string {
  return event.date || event.date_start || event.date_end || '9999';
}
