import type { Box } from '../../search/index.ts';
import { Problem } from '../problems/problems.ts';

const DEGREES = /^[+-]?\d{1,3}(?:\.\d{1,20})?$/;

/**
 * A box in its one form: `west,south,east,north`, each as short as it can be written.
 *
 * @throws Problem when it is anything else, or `south` is more than `north`
 */
export function readBbox(text: string): string {
  const parts = text.split(',').map((part) => part.trim());
  const numbers = parts.filter((part) => DEGREES.test(part)).map(Number);
  const [west = 0, south = 0, east = 0, north = 0] = numbers;
  const areDegrees =
    Math.max(Math.abs(west), Math.abs(east)) <= 180 && Math.abs(south) <= 90 && Math.abs(north) <= 90;
  if (parts.length !== 4 || numbers.length !== 4 || !areDegrees || south > north) {
    throw new Problem(
      'invalid-bbox',
      { en: `"${text}" is no box.`, nl: `"${text}" is geen rechthoek.` },
      {
        en: 'bbox=west,south,east,north in degrees, such as 4.8,52.3,5.0,52.4',
        nl: 'bbox=west,zuid,oost,noord in graden, zoals 4.8,52.3,5.0,52.4',
      },
    );
  }
  return numbers.map((number) => number + 0).join(',');
}

/** The box that a text in its one form stands for. */
export function boxOf(bbox: string): Box {
  const [west = 0, south = 0, east = 0, north = 0] = bbox.split(',').map(Number);
  return { west, south, east, north };
}
