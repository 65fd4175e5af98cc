import { linkTo, type PageContext } from '../layout/page-context.ts';
import { onMap } from '../map/page-map.tsx';
import { isLocated, mapOfPlaces } from '../map/places.tsx';
import type { ListedRecord, PageRecord } from './page-record.ts';
import { type RecordPageFacts, renderRecordPage } from './record-frame.tsx';
import { RECORD_TEXTS } from './record-texts.ts';
import { cardSection, type DatedEvent, eventSection } from './sections.tsx';
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
  facts: RecordPageFacts,
): string {
  const texts = RECORD_TEXTS[page.language];
  const { city } = location;
  return renderRecordPage({
    page,
    record: location,
    facts,
    linked: { 'skos:related': related },
    trail: city
      ? [
          <a href={linkTo(page, `${page.language}/zoeken/?${new URLSearchParams({ q: inCity(city) })}`)}>
            {city}
          </a>,
        ]
      : [],
    line: <Address location={location} />,
    map: isLocated(location) && <LocationMap page={page} location={location} />,
    sections: [eventSection(page, events, eventCount, `kind:event location:${location.uuid}`)],
    aside: [
      cardSection(page, 'subjects', texts.subjects, subjects),
      cardSection(page, 'related', texts.related, related),
    ],
  });
}

/** The query for the locations in a city. */
function inCity(city: string): string {
  return `kind:location city:="${city.replaceAll('"', '')}"`;
}

function LocationMap({ page, location }: { page: PageContext; location: PageRecord }) {
  const { latitude, longitude } = location;
  return (
    <>
      {mapOfPlaces(page, [location])}
      <p class="coordinates small" {...onMap(location)} data-name={nameOf(location, page.language).text}>
        <a href={`https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}&zoom=16`} rel="noopener">
          {Number(latitude).toFixed(5)}, {Number(longitude).toFixed(5)}
        </a>
      </p>
    </>
  );
}

function Address({ location: { street, zipcode, city, state, land } }: { location: PageRecord }) {
  const parts = [street, [zipcode, city].filter(Boolean).join(' '), state, land].filter(Boolean);
  return parts.length > 0 ? <p class="line">{parts.join(', ')}</p> : null;
}
