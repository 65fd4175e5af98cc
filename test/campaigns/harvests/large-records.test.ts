import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { publishBundle } from '../../support/api-process.ts';
import { serveDatabase } from '../../support/api-server.ts';
import { writeBundle } from '../../support/fixture/fixture-bundle.ts';
import { uuidOf } from '../../support/fixture/names.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { createTestDatabase, describeEngines } from '../../support/test-database.ts';
import { getJson } from '../../support/walk.ts';

const LIMIT = 2 * 2 ** 20;

let folder: string;
beforeAll(async () => {
  folder = await temporaryFolder();
});

/** An event with one text of `length` quotes, which take the most space in SQL. */
const event = (id: number, content_nl: string) => ({ id, uuid: uuidOf('event', id), content_nl });

describeEngines(
  'on %s',
  (engine) => {
    test('records of the maximum size are published together, and served', async () => {
      const database = await createTestDatabase(engine);
      // A quote has two bytes in JSON, and four in a statement; an event is stored as two text kinds in two languages.
      const contents = [
        '"'.repeat(LIMIT / 2 - 1_000),
        '漢'.repeat(LIMIT / 3 - 1_000),
        'x'.repeat(LIMIT - 1_000),
      ];
      const events = contents.map((content, index) => event(index + 1, content));
      await publishBundle(database, await writeBundle(join(folder, `large-${engine}`), { event: events }));
      const server = await serveDatabase(database);
      const { results } = await getJson<{ results: { content_en: string; content: string }[] }>(
        server,
        '/en/api/events',
      );
      expect(results.map(({ content }) => content.length)).toEqual(contents.map(({ length }) => length));
    });
  },
  { timeout: 120_000 },
);
