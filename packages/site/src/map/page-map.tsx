import type { Language } from '@archiefkast/types';
import { type AssetName, assetPath } from '../assets.ts';
import { linkTo, linkToFile, type PageContext } from '../layout/page-context.ts';
import type { ListedRecord } from '../record/page-record.ts';

/** The texts of maps. */
const MAP_TEXTS = {
  en: {
    map: 'Map',
    help: 'Map. Use the arrow keys to move, plus and minus to zoom, and Tab to go from place to place.',
    zoomIn: 'Zoom in',
    zoomOut: 'Zoom out',
    close: 'Close',
    places: 'places',
  },
  nl: {
    map: 'Kaart',
    help: 'Kaart. Verschuif de kaart met de pijltjestoetsen, zoom met plus en min, en ga met Tab van plaats naar plaats.',
    zoomIn: 'Inzoomen',
    zoomOut: 'Uitzoomen',
    close: 'Sluiten',
    places: 'plaatsen',
  },
} as const satisfies Record<Language, Record<string, string>>;

/** The styles and scripts of a page with a map: the others are loaded when the map is nearly in view. */
export const MAP_STYLES: readonly AssetName[] = ['map.css'];
export const MAP_SCRIPTS: readonly AssetName[] = ['map.js'];

/**
 * The map of a page, with all its elements that have `data-latitude` and `data-longitude`. It is shown only with
 * scripts; the page lists the same places.
 *
 * @param source path of GeoJSON with the places, if they are not on the page
 */
export function PageMap({ page, source }: { page: PageContext; source?: string }) {
  const texts = MAP_TEXTS[page.language];
  const asset = (name: AssetName) => linkToFile(page, assetPath(name));
  const { tiles } = page;
  return (
    <section
      class="map"
      aria-label={texts.help}
      data-draw={asset('draw-map.js')}
      data-leaflet={asset('leaflet.js')}
      data-clusters={asset('supercluster.js')}
      data-styles={asset('leaflet.css')}
      data-zoom-in={texts.zoomIn}
      data-zoom-out={texts.zoomOut}
      data-close={texts.close}
      data-places={texts.places}
      {...(source !== undefined && { 'data-source': linkTo(page, source) })}
      {...(tiles
        ? { 'data-tiles': tiles.template, 'data-credit': tiles.credit, 'data-credit-link': tiles.link }
        : { 'data-land': asset('land.json'), 'data-credit': 'Natural Earth' })}
    />
  );
}

/** The attributes that put an element on the map of the page. */
export function onMap({
  latitude,
  longitude,
}: Pick<ListedRecord, 'latitude' | 'longitude'>): Record<string, string> {
  return latitude && longitude ? { 'data-latitude': latitude, 'data-longitude': longitude } : {};
}

/** Maximum number of locations on a map of all of them: more would load too slowly. */
const MOST = 5_000;

/** A map of all locations of the archive, with its styles and scripts; undefined if there are too many. */
export function mapOfAll(page: PageContext, count: number) {
  if (count === 0 || count > MOST) return undefined;
  return {
    styles: MAP_STYLES,
    scripts: MAP_SCRIPTS,
    map: <PageMap page={page} source={`${page.language}/api/locations.geojson`} />,
  };
}
