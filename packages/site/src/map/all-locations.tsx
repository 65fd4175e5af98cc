import type { PageContext } from '../layout/page-context.ts';
import { MAP_SCRIPTS, MAP_STYLES, PageMap } from './page-map.tsx';

/** Locations that a map of all of them shows at most: a reader waits for them. */
const MOST = 5_000;

/** A map of all locations of the archive, and what the page needs for it; undefined where they are too many. */
export function mapOfAll(page: PageContext, count: number) {
  if (count === 0 || count > MOST) return undefined;
  return {
    styles: MAP_STYLES,
    scripts: MAP_SCRIPTS,
    map: <PageMap page={page} source={`${page.language}/api/locations.geojson`} />,
  };
}
