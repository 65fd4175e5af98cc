import type { Box } from './query.ts';

/** A number of degrees, as in an expression. */
export const DEGREES = String.raw`\s*([+-]?\d{1,3}(?:\.\d{1,20})?)\s*`;
const BOX = new RegExp(`^${[DEGREES, DEGREES, DEGREES, DEGREES].join(',')}$`);

/**
 * Reads four numbers of degrees, separated by commas, such as `52.3,4.8,52.4,5.0`.
 *
 * @param sides what they are, in order
 * @returns undefined if they are not degrees on earth; `south` may be greater than `north`
 */
export function readBox(
  text: string,
  sides: readonly [keyof Box, keyof Box, keyof Box, keyof Box],
): Box | undefined {
  const [, ...given] = BOX.exec(text) ?? [];
  const box = { west: Number.NaN, south: Number.NaN, east: Number.NaN, north: Number.NaN };
  // Not -0, which is written as 0.
  for (const [index, side] of sides.entries()) box[side] = Number(given[index]) + 0;
  const { south, west, north, east } = box;
  return areOnEarth([south, north], [west, east]) ? box : undefined;
}

/** Whether these are latitudes and longitudes. */
export function areOnEarth(latitudes: readonly number[], longitudes: readonly number[]): boolean {
  return latitudes.every((each) => Math.abs(each) <= 90) && longitudes.every((each) => Math.abs(each) <= 180);
}
