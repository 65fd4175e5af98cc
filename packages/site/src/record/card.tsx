import type { Language } from '@archiefkast/types';
import { linkTo, type PageContext } from '../layout/page-context.ts';
import { onMap } from '../map/page-map.tsx';
import type { ListedRecord } from './page-record.ts';
import { RECORD_TEXTS } from './record-texts.ts';
import { formatPeriod, formatYear, langOf, nameOf, recordPath, wordingOf } from './wording.ts';

/** A record in a list: its name with a link to its page, and distinguishing facts. */
export function Card({
  page,
  record,
  note,
  isOnMap = false,
}: {
  page: PageContext;
  record: ListedRecord;
  note?: string;
  /** Whether it is on the page's map. */
  isOnMap?: boolean;
}) {
  const name = nameOf(record, page.language);
  const summary = wordingOf(record, 'summary', page.language);
  const facts = [factOf(record, page), note].filter((fact) => fact);
  return (
    <li class="card" {...(isOnMap && onMap(record))}>
      <a href={linkTo(page, recordPath(page.language, record))} {...langOf(name, page)}>
        {name.text}
      </a>
      {facts.length > 0 && ' '}
      {facts.length > 0 && <span class="fact">{facts.join(' · ')}</span>}
      {summary.text !== '' && (
        <span class="summary" {...langOf(summary, page)}>
          {summary.text}
        </span>
      )}
    </li>
  );
}

/** A list of records, in one column or two. */
export function Cards({
  page,
  records,
  isInColumns = false,
}: {
  page: PageContext;
  records: readonly ListedRecord[];
  isInColumns?: boolean;
}) {
  return (
    <ul class={isInColumns ? 'cards columns-2' : 'cards'}>
      {records.map((record) => (
        <Card key={record.uuid} page={page} record={record} />
      ))}
    </ul>
  );
}

/** A fact that distinguishes a record from others with its name: years, a city, a date. */
export function factOf(record: ListedRecord, { language }: PageContext): string | undefined {
  switch (record.kind) {
    case 'person':
      return lifeYears(record, language);
    case 'location':
      return record.city || record.land || undefined;
    case 'event':
      return formatPeriod(record, language);
    case 'subject':
      return branchFact(record, language);
  }
}

/** The subject above a subject, and how many are below it: names of subjects occur more than once. */
function branchFact({ branch }: ListedRecord, language: Language): string | undefined {
  const texts = RECORD_TEXTS[language];
  const broader = branch?.broader && wordingOf(branch.broader, 'name', language).text;
  const facts = [broader && texts.under(broader), branch?.narrower && texts.narrowerCount(branch.narrower)];
  return facts.filter(Boolean).join(' · ') || undefined;
}

/** `1588–1637`, `1588–?`; undefined if neither is known. */
function lifeYears(
  { birth_date: birth, death_date: death }: ListedRecord,
  language: Language,
): string | undefined {
  if (!birth && !death) return undefined;
  const [first, last] = [birth, death].map((date) => (date ? formatYear(date, language) : '?'));
  return `${first}–${last}`;
}
