import type { PageContext } from '../layout/page-context.ts';
import { onMap, PageMap } from '../map/page-map.tsx';
import { isLocated } from '../map/places.tsx';
import type { ListedRecord, PageRecord } from './page-record.ts';
import { type EditionFacts, renderRecordPage } from './record-frame.tsx';
import { RECORD_TEXTS } from './record-texts.ts';
import type { DatedEvent } from './sections.tsx';
import { CardSection, EventSection } from './sections.tsx';
import { nameOf } from './wording.ts';

/** The relations on the page of a location. */
export interface LocationRelations {
  /** By date. */
  events: readonly DatedEvent[];
  eventCount: number;
  subjects: readonly ListedRecord[];
  related: readonly ListedRecord[];
}

/** The page of a location: its address, and the events there by date. */
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
    hasMap: isLocated(location),
    aside: (
      <>
        {isLocated(location) && (
          <section class="places">
            <h2>{texts.onMap}</h2>
            <PageMap page={page} />
            <p
              class="coordinates small"
              {...onMap(location)}
              data-name={nameOf(location, page.language).text}
            >
              <a
                href={`https://www.openstreetmap.org/?mlat=${location.latitude}&mlon=${location.longitude}&zoom=16`}
                rel="noopener"
              >
                {Number(location.latitude).toFixed(5)}, {Number(location.longitude).toFixed(5)}
              </a>
            </p>
          </section>
        )}
        <CardSection page={page} title={texts.subjects} records={subjects} />
        <CardSection page={page} title={texts.related} records={related} />
      </>
    ),
    children: (
      <EventSection
        page={page}
        events={events}
        count={eventCount}
        q={`kind:event location:${location.uuid}`}
      />
    ),
  });
}

function Address({ location: { street, zipcode, city, state, land } }: { location: PageRecord }) {
  const parts = [street, [zipcode, city].filter(Boolean).join(' '), state, land].filter(Boolean);
  return parts.length > 0 ? <p class="line">{parts.join(', ')}</p> : null;
}
