import type { RecordView } from '@archiefkast/formats/record-view';
import { type AssetName, assetPath } from './assets.ts';
import { type Children, toHtml } from './jsx-runtime.ts';
import type { Page } from './page.ts';

/** A record, or its coordinates. */
type Located = Pick<RecordView, 'latitude' | 'longitude'>;

/** Whether a record has coordinates. */
export function isLocated({ latitude, longitude }: Located): boolean {
  return Boolean(latitude && longitude);
}

/** The attributes that put an element on the map of the page. */
export function onMap({ latitude, longitude }: Located): Record<string, string> {
  return latitude && longitude ? { 'data-latitude': latitude, 'data-longitude': longitude } : {};
}

/**
 * The map of a page, with all its elements that have `data-latitude` and `data-longitude`. Its script and styles are loaded
 * when it is nearly in view; without scripts it is not shown, and the page lists the same places.
 *
 * @param source path of GeoJSON with the places, if they are not on the page
 */
export function pageMap(page: Page, source?: string): Children {
  const { t, tiles } = page;
  const asset = (name: AssetName) => page.linkToFile(assetPath(name));
  return (
    <section
      class="map"
      aria-label={t.mapHelp}
      data-script={asset('map.js')}
      data-styles={asset('map.css')}
      data-zoom-in={t.zoomIn}
      data-zoom-out={t.zoomOut}
      data-close={t.close}
      data-places={t.placesOnMap}
      {...(source !== undefined && { 'data-source': page.link(source) })}
      {...(tiles ? { 'data-tiles': tiles.template } : { 'data-land': asset('land.json') })}
      data-credit={toHtml(tiles?.link ? <a href={tiles.link}>{tiles.credit}</a> : (tiles?.credit ?? CREDIT))}
    />
  );
}

/** The source of the outline of the land. */
const CREDIT = 'Natural Earth';

/** Maximum number of locations on a map of all of them: more would load too slowly. */
const MOST = 5_000;

/** A map of all locations of the archive; undefined if there are none or too many. */
export function mapOfAll(page: Page, count: number): Children {
  return count > 0 && count <= MOST ? pageMap(page, `${page.language}/api/locations.geojson`) : undefined;
}

/**
 * The map of the places of a record; undefined if none is located. Without tiles, places in one town would be one point on
 * an outline of the land: there is no map then, and the town is named if they are several.
 */
export function mapOfPlaces(page: Page, places: readonly { location: RecordView }[]): Children {
  const located = places.map(({ location }) => location).filter(isLocated);
  if (located.length === 0) return undefined;
  const town = page.tiles ? undefined : oneTown(located);
  if (town === undefined) return pageMap(page);
  return located.length > 1 ? <p class="town">{town}</p> : undefined;
}

/** Largest extent of a town in degrees. */
const TOWN_DEGREES = 0.2;

/** The name of the town in which all places are; undefined if they are further apart, or their city is not the same. */
function oneTown(places: readonly RecordView[]): string | undefined {
  const isNear = (['latitude', 'longitude'] as const).every((axis) => {
    const values = places.map((place) => Number(place[axis]));
    return Math.max(...values) - Math.min(...values) <= TOWN_DEGREES;
  });
  const [first] = places;
  if (!isNear || !first?.city || places.some(({ city }) => city !== first.city)) return undefined;
  return [first.city, first.land].filter(Boolean).join(', ');
}
