// Writes dist/assets/land.json: the outline of the land for maps, a compact version of Natural Earth's.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { feature } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';

/** Precision in parts of a degree: a fiftieth is about a pixel at the scale of countries. */
const PARTS = 50;

const atlas: Topology<{ land: GeometryCollection }> = JSON.parse(
  readFileSync(createRequire(import.meta.url).resolve('world-atlas/land-50m.json'), 'utf8'),
);
const { features } = feature(atlas, atlas.objects.land);
const polygons = features.flatMap(({ geometry }) =>
  geometry.type === 'MultiPolygon' ? geometry.coordinates : [],
);

/** A ring on a flat map: it continues beyond the date line, and passes the pole along the edge of the map. */
function flatten(ring: readonly (readonly number[])[]): number[][] {
  let turns = 0;
  const flat = ring.map(([longitude = 0, latitude = 0], index) => {
    const step = longitude - (ring[index - 1]?.[0] ?? longitude);
    if (Math.abs(step) > 180) turns -= Math.sign(step);
    return [longitude + 360 * turns, latitude];
  });
  const longitudes = flat.map(([longitude = 0]) => longitude);
  const [first = 0, last = 0] = [longitudes[0], longitudes.at(-1)];
  if (turns !== 0) return [...flat, [last, -90], [first, -90]];
  const aside = 360 * Math.round((Math.min(...longitudes) + Math.max(...longitudes)) / 720);
  return flat.map(([longitude = 0, latitude = 0]) => [longitude - aside, latitude]);
}

/** The points of a ring as differences to the previous point, in whole parts of a degree. */
function stepsOf(ring: readonly (readonly number[])[]): number[] {
  let [fromX, fromY] = [0, 0];
  return flatten(ring).flatMap(([longitude = 0, latitude = 0], index) => {
    const [x, y] = [Math.round(longitude * PARTS), Math.round(latitude * PARTS)];
    const step = [x - fromX, y - fromY];
    [fromX, fromY] = [x, y];
    return index > 0 && step.every((part) => part === 0) ? [] : step;
  });
}

const folder = new URL('../dist/assets/', import.meta.url);
mkdirSync(folder, { recursive: true });
writeFileSync(new URL('land.json', folder), JSON.stringify(polygons.map((rings) => rings.map(stepsOf))));
