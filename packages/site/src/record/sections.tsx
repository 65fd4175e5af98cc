import type { PageContext } from '../layout/page-context.ts';
import { Cards } from './card.tsx';
import { type DatedEvent, EventList } from './event-list.tsx';
import { MoreLink } from './more-link.tsx';
import type { ListedRecord } from './page-record.ts';
import { RECORD_TEXTS } from './record-texts.ts';

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
