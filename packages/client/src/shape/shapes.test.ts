import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { makeShapes } from '../../testing/make-shapes.ts';

test('the shapes are those of the schemas: after a change of these, run `npm run shapes -w packages/client`', async () => {
  const file = new URL('shapes.json', import.meta.url);
  expect(JSON.parse(await readFile(file, 'utf8'))).toEqual(makeShapes());
});
