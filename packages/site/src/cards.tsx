import {
  nameOf,
  type RecordView,
  sortedDateOf,
  type Wording,
  wordingOf,
} from '@archiefkast/formats/record-view';
import type { Children } from './jsx-runtime.ts';
import { markedText } from './mark-words.tsx';
import type { Page } from './page.ts';
import { pictureSource } from './picture.tsx';
import { datetimeOf, formatPeriod, formatYear, langOf, pictureOf, recordPath } from './record.ts';

/** How the name of a record is shown. */
export interface NameStyle {
  /** Words of a query to highlight. */
  words?: readonly string[];
  /** Whether its list is sorted by name, so that the part by which it is sorted stands out. */
  isSorted?: boolean;
}

/** A link to the page of a record: its name, in the language that it is written in. */
export function recordLink(
  page: Page,
  record: RecordView,
  { words = [], isSorted }: NameStyle = {},
): Children {
  const name = nameOf(record, page.language);
  const marked = (text: string) => (words.length > 0 ? markedText(text, words) : text);
  const last = (isSorted && record.last_name) || '';
  const start = last === '' ? -1 : name.text.lastIndexOf(last);
  const end = start + last.length;
  return (
    <a href={page.link(recordPath(page.language, record))} {...langOf(name, page)}>
      {start < 0
        ? marked(name.text)
        : [marked(name.text.slice(0, start)), <b>{marked(last)}</b>, marked(name.text.slice(end))]}
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

/** The box of a small picture in pixels, of which it shows the middle. */
const THUMBNAIL = { width: 72, height: 72 };

/** How wide a small picture is as a whole, for browsers that choose one of its sizes. */
function widthOfThumbnail({ width, height }: { width: number; height: number }): string {
  return `${Math.round((THUMBNAIL.width * width) / Math.min(width, height))}px`;
}

/** The main picture of a record, small, beside its name, which says what it is; nothing if it has none. */
export function thumbnail(page: Page, record: RecordView): Children {
  const file = pictureOf(record);
  return (
    file && (
      <img
        class="thumbnail"
        {...pictureSource(page, record, file, widthOfThumbnail)}
        alt=""
        {...THUMBNAIL}
        decoding="async"
        loading="lazy"
      />
    )
  );
}

/** What a card has besides its record. */
export interface CardOptions extends NameStyle {
  /** Another fact. */
  note?: string | undefined;
  /** Attributes of its element. */
  attributes?: Readonly<Record<string, string>>;
  /** Before its name. */
  before?: Children;
  /** Below its summary. */
  below?: Children;
}

/** A record in a list: its name with a link to its page, and distinguishing facts. */
export function card(
  page: Page,
  record: RecordView,
  { note, attributes = {}, before, below, ...style }: CardOptions = {},
) {
  const summary = wordingOf(record, 'summary', page.language);
  const facts = [factOf(page, record), note].filter(Boolean).join(' · ');
  return (
    <li class="card" {...attributes}>
      {before}
      {recordLink(page, record, style)}
      {facts !== '' && ' '}
      {facts !== '' && <span class="fact">{facts}</span>}
      {paragraph(page, 'summary', summary)}
      {below}
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
      const facts = [
        broader && t.under(broader),
        branch?.narrower && t.narrowerCount(branch.narrower),
        branch?.records && t.records(branch.records),
      ];
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
              {location && ' '}
              {location && <span class="fact">{recordLink(page, location)}</span>}
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

/** A place with its number in the order of the events, and the date of the first one there that has one. */
export interface NumberedPlace extends Place {
  number: number;
  first: string | undefined;
}

/** The distinct places of events, which are by date, in their order. */
export function placesOf(events: readonly DatedEvent[]): NumberedPlace[] {
  const places = new Map<string, NumberedPlace>();
  for (const { event, location } of events) {
    if (!location) continue;
    const first = sortedDateOf(event);
    const known = places.get(location.uuid) ?? { location, events: 0, number: places.size + 1, first };
    places.set(location.uuid, { ...known, events: known.events + 1 });
  }
  return [...places.values()];
}

/** A date in words, with its form for machines if that is a calendar date. */
export function dateText(date: string, text: string): Children {
  const datetime = datetimeOf(date);
  return datetime === undefined ? text : <time datetime={datetime}>{text}</time>;
}
