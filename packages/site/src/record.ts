import { htmlWords } from '@archiefkast/formats/html-words';
import { type RecordView, type Wording, wordingOf } from '@archiefkast/formats/record-view';
import { type FileObject, type Kind, type Language, recordPage } from '@archiefkast/types';
import { hasPersonalFacts, partsOfDate } from '@archiefkast/types/internal';
import type { Texts } from './texts.ts';

/** What a record is: its kind, for people. */
export function kindName(record: RecordView, t: Texts): string {
  return record.kind === 'person' && !hasPersonalFacts(record)
    ? t.personOrInstitution
    : t.kinds[record.kind].one;
}

/** The long text of a record. */
export function contentOf(record: RecordView, language: Language): Wording {
  return wordingOf(record, record.kind === 'subject' ? 'description' : 'content', language);
}

/** The address of a file: at the archive itself, or elsewhere. */
export function addressOf({ url, path }: FileObject): string {
  return path ?? url;
}

/** The main picture of a record; undefined if it has none. */
export function pictureOf({ image, main_image: main, files = [] }: RecordView): FileObject | undefined {
  const first = image ?? main ?? files[0];
  return first?.filetype === 'image' && addressOf(first) !== '' ? first : undefined;
}

/** The words of HTML on one line, without footnotes. */
export function plainText(html: string): string {
  return htmlWords(html).text.replace(/\s+/g, ' ').trim();
}

/** Length of an opening in characters, as search engines show it, and the part of the HTML that is read for it. */
const OPENING = 160;
const READ_FOR_OPENING = 4_000;

/** The first words of a long text, for a description. */
export function openingOf(html: string): string {
  const text = plainText(html.slice(0, READ_FOR_OPENING));
  return text.length <= OPENING ? text : `${text.slice(0, text.lastIndexOf(' ', OPENING))} …`;
}

/** The address of a location on one line; empty if it has none. */
export function postalAddress({ street, zipcode, city, state, land }: RecordView): string {
  const town = [zipcode, city].filter(Boolean).join(' ');
  return [street, town, state, land].filter(Boolean).join(', ');
}

/** The path of a record's page below the base URL. */
export function recordPath(language: Language, { kind, uuid }: { kind: Kind; uuid: string }): string {
  return recordPage('', language, kind, uuid).slice(1);
}

/** The attribute `lang` of a text on a page. */
export function langOf({ language }: Wording, page: { language: Language }): { lang?: Language } {
  return language === page.language ? {} : { lang: language };
}

/**
 * An EDTF date in words, with spaces that do not break: `1588-12-10` as `10 December 1588`, `1588` as itself, `1588~` as
 * `c. 1588`. It does not use `Date`: historical dates are in the calendar of their time.
 */
export function formatDate(date: string, t: Texts): string {
  const parts = partsOfDate(date);
  if (!parts) return date;
  const first = Number(parts.year.replaceAll('X', '0'));
  const year = parts.year.endsWith('XX')
    ? t.century(first)
    : parts.year.endsWith('X')
      ? t.decade(first)
      : String(first);
  const month = parts.month && t.months[Number(parts.month) - 1];
  const words = [parts.isApproximate && t.circa, parts.day && String(Number(parts.day)), month, year];
  // A date is not broken at the end of a line.
  return words.filter(Boolean).join('\u00a0') + (parts.isUncertain ? '?' : '');
}

/** The year of an EDTF date in words: `1588-12-10` as `1588`. */
export function formatYear(date: string, t: Texts): string {
  return formatDate(date.replace(/(?:-\d{2}){1,2}/, ''), t);
}

/** A date for the attribute `datetime`, which has no signs for uncertainty; undefined if its year is incomplete. */
export function datetimeOf(date: string): string | undefined {
  return date.includes('X') ? undefined : date.replace(/[~?%]$/, '');
}

type Dated = Partial<Pick<RecordView, 'date' | 'date_start' | 'date_end'>>;

/** The time of an event: a day or a period; undefined if unknown. */
export function formatPeriod(
  { date, date_start: start, date_end: end }: Dated,
  t: Texts,
): string | undefined {
  if (date) return formatDate(date, t);
  if (start && end) return `${formatDate(start, t)} – ${formatDate(end, t)}`;
  if (start) return `${formatDate(start, t)} –`;
  return end ? `– ${formatDate(end, t)}` : undefined;
}
