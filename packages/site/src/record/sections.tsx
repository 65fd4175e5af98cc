import { linkTo, type PageContext } from '../layout/page-context.ts';
import { Cards } from './card.tsx';
import type { ListedRecord } from './page-record.ts';
import { RECORD_TEXTS } from './record-texts.ts';
import { formatPeriod, langOf, nameOf, recordPath } from './wording.ts';

/** Records under a heading; nothing where there are none. */
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

/** The first events of a record by date, and the way to all of them; nothing where there are none. */
export function EventSection({
  page,
  events,
  count,
  q,
}: {
  page: PageContext;
  events: readonly DatedEvent[];
  /** Of all of them. */
  count: number;
  /** The query that finds them all. */
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

/** An event, and where it was. */
export interface DatedEvent {
  event: ListedRecord;
  location?: ListedRecord | undefined;
}

/** Events on a time line: when, what, where. */
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

/** Leads from the beginning of a long list to the whole, page by page. */
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
