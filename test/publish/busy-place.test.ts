import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runApiHere } from '../support/api-here.ts';
import { settingsFor } from '../support/api-process.ts';
import { writeBundle } from '../support/fixture/fixture-bundle.ts';
import { uuidOf } from '../support/fixture/names.ts';
import { createTestDatabase } from '../support/test-database.ts';

test('a publish says once which location makes pages of events large', async () => {
  const database = await createTestDatabase('sqlite');
  const publish = async (name: string, events: number) => {
    const location = [1, 2].map((id) => ({ id, uuid: uuidOf('location', id), name_nl: `Kerk ${id}` }));
    const event = Array.from({ length: events }, (_, index) => ({
      id: index + 1,
      uuid: uuidOf('event', index + 1),
      name_nl: `Huwelijk ${index + 1}`,
      location: uuidOf('location', index % 5 === 0 ? 1 : 2),
    }));
    const bundle = await writeBundle(join(database.folder, name), { location, event });
    const { code, stderr } = await runApiHere(['publish', bundle], settingsFor(database));
    expect(code).toBe(0);
    return stderr.split('\n').filter((line) => line.startsWith('location '));
  };
  expect(await publish('small', 100)).toEqual([]);
  const [line, ...others] = await publish('large', 1_250);
  expect(line).toMatch(
    /^location Kerk 2: 1,000 events: full pages of events there have some \d+ MB; readers of the API can ask for events=abbreviated\.$/,
  );
  expect(others).toEqual([]);
});
