import type { Box, Circle } from '../query/query.ts';
import { FULL_SCORE } from './scores.ts';

/** Where the records of a kind are, by row: degrees; NaN where that is not known. */
export interface Coordinates {
  latitudes: Float64Array;
  longitudes: Float64Array;
}

/** Mean radius of the Earth, in metres. */
const EARTH = 6_371_008.8;
const RADIAN = Math.PI / 180;

/**
 * Finds what lies in a circle.
 *
 * @param onHit called with the score: full at the centre, lower the farther away
 */
export function matchNear(
  { latitudes, longitudes }: Coordinates,
  { latitude, longitude, metres }: Circle,
  onHit: (row: number, score: number) => void,
): void {
  const southToNorth = metres / EARTH / RADIAN;
  for (let row = 0; row < latitudes.length; row++) {
    const at = latitudes[row] ?? Number.NaN;
    if (!(Math.abs(at - latitude) <= southToNorth)) continue;
    const distance = metresBetween(latitude, longitude, at, longitudes[row] ?? Number.NaN);
    if (distance <= metres) onHit(row, Math.max(1, Math.round((1 - distance / metres) * FULL_SCORE)));
  }
}

/** Finds what lies in a box, its edges included. */
export function matchWithin(
  { latitudes, longitudes }: Coordinates,
  box: Box,
  onHit: (row: number, score: number) => void,
): void {
  for (let row = 0; row < latitudes.length; row++) {
    if (isWithin(box, latitudes[row] ?? Number.NaN, longitudes[row] ?? Number.NaN)) onHit(row, FULL_SCORE);
  }
}

/** Whether a point lies in a box, its edges included. */
export function isWithin({ south, west, north, east }: Box, latitude: number, longitude: number): boolean {
  if (!(latitude >= south && latitude <= north)) return false;
  return west <= east ? longitude >= west && longitude <= east : longitude >= west || longitude <= east;
}

/** The distance between two points on a sphere (haversine). */
export function metresBetween(
  latitude: number,
  longitude: number,
  latitude2: number,
  longitude2: number,
): number {
  const vertical = Math.sin(((latitude2 - latitude) * RADIAN) / 2);
  const horizontal = Math.sin(((longitude2 - longitude) * RADIAN) / 2);
  const square =
    vertical * vertical +
    Math.cos(latitude * RADIAN) * Math.cos(latitude2 * RADIAN) * horizontal * horizontal;
  return 2 * EARTH * Math.asin(Math.sqrt(Math.min(1, square)));
}
