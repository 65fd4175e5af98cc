import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const polygons: number[][][] = JSON.parse(
  readFileSync(new URL('../dist/assets/land.json', import.meta.url), 'utf8'),
);

/** How often a line to the east of a place crosses the outline of the land: an odd number if the place is on land. */
function isLand(longitude: number, latitude: number): boolean {
  let isInside = false;
  for (const steps of polygons.flat()) {
    let [fromX, fromY] = [steps[0] ?? 0, steps[1] ?? 0];
    for (let at = 2; at < steps.length; at += 2) {
      const [x, y] = [fromX + (steps[at] ?? 0), fromY + (steps[at + 1] ?? 0)];
      const crosses = fromY / 50 > latitude !== y / 50 > latitude;
      const where = fromX + ((latitude * 50 - fromY) / (y - fromY)) * (x - fromX);
      if (crosses && where / 50 > longitude) isInside = !isInside;
      [fromX, fromY] = [x, y];
    }
  }
  return isInside;
}

test.each([
  ['Utrecht', 5.12, 52.09, true],
  ['Madrid', -3.7, 40.4, true],
  ['Yakutsk', 129.7, 62, true],
  ['Recife, a little inland', -35.5, -8.05, true],
  ['Alice Springs', 133.9, -23.7, true],
  ['the South Pole', 1, -89.5, true],
  ['the North Sea', 3, 54, false],
  ['the Atlantic', -40, 30, false],
  ['the Pacific, by the date line', 179, 20, false],
  ['the Caspian Sea', 51, 41, false],
])('%s', (_, longitude, latitude, expected) => {
  expect(isLand(longitude, latitude)).toBe(expected);
});
