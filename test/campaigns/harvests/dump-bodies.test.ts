import { createHash } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { publishBundle } from '../../support/api-process.ts';
import { type ApiServer, serveDatabase } from '../../support/api-server.ts';
import { makeBundle } from '../../support/bundles.ts';
import { send } from '../../support/send.ts';
import { createTestDatabase, describeEngines, type TestDatabase } from '../../support/test-database.ts';

/** Some with one part, some with several. */
const FILES = [
  'dump/subjects.csv',
  'dump/persons.csv',
  'dump/events.jsonl',
  'dump/locations.csv',
  'locations.geojson',
];

const contentHash = (body: Buffer) => createHash('sha256').update(body).digest('hex');

describeEngines(
  'bodies of dumps (%s)',
  (engine) => {
    let database: TestDatabase;
    let server: ApiServer;
    beforeAll(async () => {
      database = await createTestDatabase(engine);
      await publishBundle(database, await makeBundle(database.folder, { records: 900, seed: 1 }));
      server = await serveDatabase(database);
    });

    test.each(['zstd', 'br', 'gzip', 'identity'])(
      'with one strong ETag have the same bytes every time (%s)',
      async (coding) => {
        for (const name of FILES) {
          const url = `${server.origin}/en/api/${name}`;
          const answers = [];
          for (let turn = 0; turn < 4; turn += 1) {
            answers.push(await send(url, { 'accept-encoding': coding }));
            // Sometimes concurrently, so that the load differs.
            if (turn % 4 === 3) {
              answers.push(
                ...(await Promise.all([1, 2, 3].map(() => send(url, { 'accept-encoding': coding })))),
              );
            }
          }
          expect(new Set(answers.map(({ headers }) => headers.etag)).size, name).toBe(1);
          expect(answers[0]?.headers.etag, name).toMatch(/^"/);
          expect(new Set(answers.map(({ body }) => contentHash(body))).size, name).toBe(1);
        }
      },
    );
  },
  { timeout: 120_000 },
);
