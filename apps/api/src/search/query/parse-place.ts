import type { Box, Circle } from './query.ts';
import { QueryError } from './query-error.ts';

const NUMBER = /^-?\d{1,3}(?:\.\d{1,20})?$/;
const DISTANCE = /^(\d{1,9}(?:\.\d{1,20})?)(k?m)$/;

/**
 * Reads `latitude,longitude,distance`, such as `52.37,4.89,500m` or `52.37,4.89,2km`.
 *
 * @param field the field's name, for the error
 * @throws QueryError when it is anything else
 */
export function parseCircle(field: string, value: string): Circle {
  const [first, second, distance = '', ...more] = parts(value);
  const [latitude, longitude] = [degrees(first, 90), degrees(second, 180)];
  const [, amount, unit] = DISTANCE.exec(distance) ?? [];
  const metres = Number(amount) * (unit === 'km' ? 1_000 : 1);
  if (latitude === undefined || longitude === undefined || !(metres > 0) || more.length > 0) {
    throw new QueryError({ reason: 'malformed-circle', field, value });
  }
  return { latitude, longitude, metres };
}

/**
 * Reads `south,west,north,east` in degrees, such as `52.3,4.8,52.4,5.0`.
 *
 * @param field the field's name, for the error
 * @throws QueryError when it is anything else, or `south` is more than `north`
 */
export function parseBox(field: string, value: string): Box {
  const [first, second, third, fourth, ...more] = parts(value);
  const [south, west] = [degrees(first, 90), degrees(second, 180)];
  const [north, east] = [degrees(third, 90), degrees(fourth, 180)];
  const isBox = south !== undefined && west !== undefined && north !== undefined && east !== undefined;
  if (!isBox || south > north || more.length > 0) {
    throw new QueryError({ reason: 'malformed-box', field, value });
  }
  return { south, west, north, east };
}

function parts(value: string): string[] {
  return value.split(',').map((part) => part.trim());
}

function degrees(text: string | undefined, most: number): number | undefined {
  const number = text !== undefined && NUMBER.test(text) ? Number(text) : Number.NaN;
  return Math.abs(number) <= most ? number : undefined;
}
