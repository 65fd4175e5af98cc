import type { PageContext } from '../layout/page-context.ts';
import { Cards } from './card.tsx';
import { type DatedEvent, EventList } from './event-list.tsx';
import { MoreLink } from './more-link.tsx';
import type { PageRecord } from './page-record.ts';
import { type EditionFacts, renderRecordPage } from './record-frame.tsx';
import { RECORD_TEXTS } from './record-texts.ts';

/** What the page of a location shows beside the location. */
export interface LocationRelations {
  /** By date. */
  events: readonly DatedEvent[];
  eventCount: number;
  subjects: readonly PageRecord[];
  related: readonly PageRecord[];
}

/** The page of a location: its address, and the events there on a time line. */
export function locationPage(
  page: PageContext,
  location: PageRecord,
  { events, eventCount, subjects, related }: LocationRelations,
  facts: EditionFacts,
): string {
  const texts = RECORD_TEXTS[page.language];
  return renderRecordPage({
    page,
    record: location,
    facts,
    line: <Address location={location} />,
    aside: (
      <>
        {location.latitude && location.longitude && (
          <section class="places">
            <h2>{texts.coordinates}</h2>
            <p class="coordinates" data-latitude={location.latitude} data-longitude={location.longitude}>
              <a
                href={`https://www.openstreetmap.org/?mlat=${location.latitude}&mlon=${location.longitude}&zoom=16`}
                rel="noopener"
              >
                {Number(location.latitude).toFixed(5)}, {Number(location.longitude).toFixed(5)}
              </a>
            </p>
          </section>
        )}
        {subjects.length > 0 && (
          <section>
            <h2>{texts.subjects}</h2>
            <Cards page={page} records={subjects} />
          </section>
        )}
        {related.length > 0 && (
          <section>
            <h2>{texts.related}</h2>
            <Cards page={page} records={related} />
          </section>
        )}
      </>
    ),
    children: events.length > 0 && (
      <section>
        <h2>{texts.events}</h2>
        <EventList page={page} events={events} />
        <MoreLink
          page={page}
          count={eventCount}
          shown={events.length}
          q={`kind:event location:${location.uuid}`}
          sort="date"
        />
      </section>
    ),
  });
}

function Address({ location: { street, zipcode, city, state, land } }: { location: PageRecord }) {
  const parts = [street, [zipcode, city].filter(Boolean).join(' '), state, land].filter(Boolean);
  return parts.length > 0 ? <p class="line">{parts.join(', ')}</p> : null;
}
