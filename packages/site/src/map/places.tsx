import type { Children } from '#html/jsx-runtime';
import { linkTo, type PageContext } from '../layout/page-context.ts';
import type { ListedRecord } from '../record/page-record.ts';
import { RECORD_TEXTS } from '../record/record-texts.ts';
import { langOf, nameOf, recordPath } from '../record/wording.ts';
import { onMap, PageMap } from './page-map.tsx';

/** A location, and the number of events of a page at it. */
export interface Place {
  location: ListedRecord;
  events: number;
}

/**
 * The map of the places of a record; undefined if none is located. Without tiles, places in one town would be one point on
 * an outline of the land: there is no map then, and the town is named if they are several.
 */
export function mapOfPlaces(page: PageContext, places: readonly ListedRecord[]): Children {
  const located = places.filter(isLocated);
  if (located.length === 0) return undefined;
  const town = page.tiles ? undefined : oneTown(located);
  if (town === undefined) return <PageMap page={page} />;
  return located.length > 1 ? <p class="town">{town}</p> : undefined;
}

/** Largest extent of a town in degrees. */
const TOWN_DEGREES = 0.2;

/** The name of the town in which all places are; undefined if they are further apart, or their city is not the same. */
function oneTown(places: readonly ListedRecord[]): string | undefined {
  const isNear = (['latitude', 'longitude'] as const).every((axis) => {
    const values = places.map((place) => Number(place[axis]));
    return Math.max(...values) - Math.min(...values) <= TOWN_DEGREES;
  });
  const [first] = places;
  if (!isNear || !first?.city || places.some(({ city }) => city !== first.city)) return undefined;
  return [first.city, first.land].filter(Boolean).join(', ');
}

/** The places of a page as a list. */
export function Places({ page, places }: { page: PageContext; places: readonly Place[] }) {
  return (
    <ul class="cards">
      {places.map(({ location, events }) => {
        const name = nameOf(location, page.language);
        const facts = [
          location.city === name.text ? undefined : location.city,
          RECORD_TEXTS[page.language].shared(events),
        ];
        return (
          <li key={location.uuid} class="card" {...onMap(location)}>
            <a href={linkTo(page, recordPath(page.language, location))} {...langOf(name, page)}>
              {name.text}
            </a>{' '}
            <span class="fact">{facts.filter(Boolean).join(' · ')}</span>
          </li>
        );
      })}
    </ul>
  );
}

/** The distinct places of events, those with most events first. */
export function placesOf(locations: readonly (ListedRecord | undefined)[]): Place[] {
  const places = new Map<string, Place>();
  for (const location of locations) {
    if (!location) continue;
    places.set(location.uuid, { location, events: (places.get(location.uuid)?.events ?? 0) + 1 });
  }
  return [...places.values()].toSorted((a, b) => b.events - a.events);
}

/** Whether a location has coordinates. */
export function isLocated({ latitude, longitude }: Pick<ListedRecord, 'latitude' | 'longitude'>): boolean {
  return Boolean(latitude && longitude);
}
