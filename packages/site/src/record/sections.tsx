import type { Children } from '#html/jsx-runtime';
import { linkTo, type PageContext } from '../layout/page-context.ts';
import { Cards } from './card.tsx';
import type { ListedRecord } from './page-record.ts';
import { RECORD_TEXTS } from './record-texts.ts';
import { datetimeOf, formatPeriod, langOf, nameOf, recordPath } from './wording.ts';

/** A part of the page of a record, under a heading. */
export interface RecordSection {
  /** Its fragment. */
  id: string;
  title: string;
  /** Number of its records. */
  count?: number;
  children: Children;
}

/** A section of the page of a record. */
export function Section({
  page,
  section: { id, title, count, children },
}: {
  page: PageContext;
  section: RecordSection;
}) {
  return (
    <section id={id}>
      <h2>
        {title}
        {count !== undefined && <span class="count"> {count.toLocaleString(page.language)}</span>}
      </h2>
      {children}
    </section>
  );
}

/** A section with records; undefined if there are none. */
export function cardSection(
  page: PageContext,
  id: string,
  title: string,
  records: readonly ListedRecord[],
): RecordSection | undefined {
  if (records.length === 0) return undefined;
  return { id, title, children: <Cards page={page} records={records} /> };
}

/** Some records, and their total number. */
export interface Selection {
  records: readonly ListedRecord[];
  count: number;
}

/** A section with the first records of a query, in two columns, and a link to all of them; undefined if there are none. */
export function selectionSection(
  page: PageContext,
  { id, title, q, sort }: { id: string; title: string; q: string; sort: string },
  { records, count }: Selection,
): RecordSection | undefined {
  if (count === 0) return undefined;
  return {
    id,
    title,
    count,
    children: (
      <>
        <Cards page={page} records={records} isInColumns />
        <MoreLink page={page} count={count} shown={records.length} q={q} sort={sort} />
      </>
    ),
  };
}

/** An event, and its location. */
export interface DatedEvent {
  event: ListedRecord;
  location?: ListedRecord | undefined;
}

/**
 * A section with the first events of a record by date, and a link to all of them; undefined if there are none.
 *
 * @param count number of all events
 * @param q the query for all of them
 */
export function eventSection(
  page: PageContext,
  events: readonly DatedEvent[],
  count: number,
  q: string,
): RecordSection | undefined {
  if (events.length === 0) return undefined;
  return {
    id: 'events',
    title: RECORD_TEXTS[page.language].events,
    count,
    children: (
      <>
        <EventList page={page} events={events} />
        <MoreLink page={page} count={count} shown={events.length} q={q} sort="date" />
      </>
    ),
  };
}

/** Events by date: when, what, where. */
function EventList({ page, events }: { page: PageContext; events: readonly DatedEvent[] }) {
  const { undated } = RECORD_TEXTS[page.language];
  return (
    <ol class="timeline">
      {events.map(({ event, location }) => {
        const name = nameOf(event, page.language);
        return (
          <li key={event.uuid}>
            <span class="when">{formatPeriod(event, page.language) ?? undated}</span>{' '}
            <span class="what">
              <a href={linkTo(page, recordPath(page.language, event))} {...langOf(name, page)}>
                {name.text}
              </a>
              {location && (
                <span class="fact">
                  {' '}
                  <a href={linkTo(page, recordPath(page.language, location))}>
                    {nameOf(location, page.language).text}
                  </a>
                </span>
              )}
            </span>
          </li>
        );
      })}
    </ol>
  );
}

/** A date in words, with its form for machines if that is a calendar date. */
export function DateText({ date, text }: { date: string; text: string }) {
  const datetime = datetimeOf(date);
  return datetime === undefined ? text : <time datetime={datetime}>{text}</time>;
}

/** A link from the first entries of a long list to all of them. */
function MoreLink({
  page,
  count,
  shown,
  q,
  sort,
}: {
  page: PageContext;
  count: number;
  shown: number;
  q: string;
  sort: string;
}) {
  if (count <= shown) return null;
  const query = new URLSearchParams({ q, sort });
  return (
    <p>
      <a href={linkTo(page, `${page.language}/zoeken/?${query}`)}>
        {RECORD_TEXTS[page.language].all(count.toLocaleString(page.language))}
      </a>
    </p>
  );
}
