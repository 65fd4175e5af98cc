import { expect, it } from 'vitest';
import { nameOverlap } from './name-overlap.ts';

const overlap = (name: string, typed: string) => nameOverlap(name.split(' '), new Set(typed.split(' ')));

it.each([
  ['rembrandt', 'rembrandt', 1],
  ['jan six', 'six jan', 1],
  ['rembrandt', 'rembrandt van ryn', 0.4545],
  ['willem drost', 'rembrandt van ryn', 0],
  ['dr nicolaes pietersz tulp', 'nicolaes tulp', 0.625],
  ['jan van goyen', 'van goyen', 0.5455],
  ['van de', 'de van', 1],
  ['', 'jan', 0],
])('%j has of %j so much in common: %d', (name, typed, expected) => {
  expect(overlap(name, typed)).toBeCloseTo(expected, 4);
});

it('is more for a name of which all was typed than for one of which a part was', () => {
  expect(overlap('rembrandt', 'rembrandt van ryn')).toBeGreaterThan(
    overlap('rembrandt bioscope', 'rembrandt van ryn'),
  );
});
