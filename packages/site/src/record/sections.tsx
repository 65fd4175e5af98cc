import { linkTo, type PageContext } from '../layout/page-context.ts';
import { Cards } from './card.tsx';
import type { ListedRecord } from './page-record.ts';
import { RECORD_TEXTS } from './record-texts.ts';
import { formatPeriod, langOf, nameOf, recordPath } from './wording.ts';

/** Records under a heading; empty if there are none. */
export function CardSection({
  page,
  title,
  records,
}: {
  page: PageContext;
  title: string;
  records: readonly ListedRecord[];
}) {
  if (records.length === 0) return null;
  return (
    <section>
      <h2>{title}</h2>
      <Cards page={page} records={records} />
    </section>
  );
}

/** The first events of a record by date, and a link to all of them; empty if there are none. */
export function EventSection({
  page,
  events,
  count,
  q,
}: {
  page: PageContext;
  events: readonly DatedEvent[];
  /** Number of all events. */
  count: number;
  /** The query for all of them. */
  q: string;
}) {
  if (events.length === 0) return null;
  return (
    <section>
      <h2>{RECORD_TEXTS[page.language].events}</h2>
      <EventList page={page} events={events} />
      <MoreLink page={page} count={count} shown={events.length} q={q} sort="date" />
    </section>
  );
}

/** An event, and its location. */
export interface DatedEvent {
  event: ListedRecord;
  location?: ListedRecord | undefined;
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

/** A link from the first entries of a long list to all of them. */
export function MoreLink({
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
