import { nameOf, type RecordView, type Wording, wordingOf } from '@archiefkast/formats/record-view';
import type { Children } from './jsx-runtime.ts';
import { markedText } from './mark-words.tsx';
import type { Page } from './page.ts';
import { datetimeOf, formatPeriod, formatYear, langOf, recordPath } from './record.ts';

/** A link to the page of a record: its name, in the language that it is written in, with words of a query highlighted. */
export function recordLink(page: Page, record: RecordView, words: readonly string[] = []): Children {
  const name = nameOf(record, page.language);
  return (
    <a href={page.link(recordPath(page.language, record))} {...langOf(name, page)}>
      {words.length > 0 ? markedText(name.text, words) : name.text}
    </a>
  );
}

/** A paragraph with a text of a record, with words of a query highlighted; nothing if the text is empty. */
export function paragraph(
  page: Page,
  name: string,
  wording: Wording,
  words: readonly string[] = [],
): Children {
  return (
    wording.text !== '' && (
      <p class={name} {...langOf(wording, page)}>
        {words.length > 0 ? markedText(wording.text, words) : wording.text}
      </p>
    )
  );
}

/** A record in a list: its name with a link to its page, and distinguishing facts. */
export function card(page: Page, record: RecordView, note?: string, attributes: Record<string, string> = {}) {
  const summary = wordingOf(record, 'summary', page.language);
  const facts = [factOf(page, record), note].filter(Boolean).join(' · ');
  return (
    <li class="card" {...attributes}>
      {recordLink(page, record)}
      {facts !== '' && ' '}
      {facts !== '' && <span class="fact">{facts}</span>}
      {paragraph(page, 'summary', summary)}
    </li>
  );
}

/** A list of cards, in as many columns as fit; nothing if there are none. */
export function cardList(items: readonly Children[]): Children {
  return items.length > 0 && <ul class="cards">{items}</ul>;
}

/** A list of records. */
export function cards(page: Page, records: readonly RecordView[]): Children {
  return cardList(records.map((record) => card(page, record)));
}

/** A fact that distinguishes a record from others with its name: years, a city, a date. */
export function factOf({ t, language }: Page, record: RecordView): string | undefined {
  const { birth_date: birth, death_date: death, branch } = record;
  switch (record.kind) {
    case 'person':
      if (!birth && !death) return undefined;
      return [birth, death].map((date) => (date ? formatYear(date, t) : '?')).join('–');
    case 'location':
      // A town is its own city.
      return record.city === nameOf(record, language).text
        ? undefined
        : record.city || record.land || undefined;
    case 'event':
      return formatPeriod(record, t);
    case 'subject': {
      // Names of subjects occur more than once.
      const broader = branch?.broader && wordingOf(branch.broader, 'name', language).text;
      const facts = [broader && t.under(broader), branch?.narrower && t.narrowerCount(branch.narrower)];
      return facts.filter(Boolean).join(' · ') || undefined;
    }
  }
}

export interface DatedEvent {
  event: RecordView;
  location?: RecordView | undefined;
}

/** Events by date: when, what, where; nothing if there are none. */
export function timeline(page: Page, events: readonly DatedEvent[]): Children {
  return (
    events.length > 0 && (
      <ol class="timeline">
        {events.map(({ event, location }) => (
          <li>
            <span class="when">{formatPeriod(event, page.t) ?? page.t.undated}</span>{' '}
            <span class="what">
              {recordLink(page, event)}
              {location && <span class="fact"> {recordLink(page, location)}</span>}
            </span>
          </li>
        ))}
      </ol>
    )
  );
}

/** A location, and the number of events of a page at it. */
export interface Place {
  location: RecordView;
  events: number;
}

/** The distinct places of events, those with most events first. */
export function placesOf(events: readonly DatedEvent[]): Place[] {
  const places = new Map<string, Place>();
  for (const { location } of events) {
    if (!location) continue;
    places.set(location.uuid, { location, events: (places.get(location.uuid)?.events ?? 0) + 1 });
  }
  return [...places.values()].toSorted((a, b) => b.events - a.events);
}

/** A date in words, with its form for machines if that is a calendar date. */
export function dateText(date: string, text: string): Children {
  const datetime = datetimeOf(date);
  return datetime === undefined ? text : <time datetime={datetime}>{text}</time>;
}
