import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { DumpHasher } from '@archiefkast/client/node';
import { manifestSchema } from '@archiefkast/types';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { generateBundle } from '../../bench/generate-bundle.ts';
import { publishBundle } from '../../support/api-process.ts';
import { type ApiServer, serveDatabase } from '../../support/api-server.ts';
import { send } from '../../support/send.ts';
import { createTestDatabase, describeEngines, type TestDatabase } from '../../support/test-database.ts';
import { getJson } from '../../support/walk.ts';

/** Some with one part, some with several. */
const FILES = [
  'dump/subjects.csv',
  'dump/persons.csv',
  'dump/events.jsonl',
  'dump/locations.csv',
  'locations.geojson',
];

const MANIFEST = '/en/api/dump/manifest.json';

const contentHash = (body: Buffer) => createHash('sha256').update(body).digest('hex');

describeEngines(
  'bodies of dumps (%s)',
  (engine) => {
    let database: TestDatabase;
    let server: ApiServer;
    const publish = async (seed: number) => {
      const bundle = join(database.folder, `bundle-${seed}`);
      await generateBundle({ folder: bundle, records: 900, seed });
      await publishBundle(database, bundle);
    };
    beforeAll(async () => {
      database = await createTestDatabase(engine);
      await publish(1);
      server = await serveDatabase(database);
    });
    afterAll(async () => {
      await server?.stop();
      await database?.drop();
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

    test('a range of a file of unknown size is sent with its size', async () => {
      const fresh = await serveDatabase(database, { BASE_URL: 'https://fresh.test' });
      try {
        const url = `${fresh.origin}/nl/api/dump/events.csv`;
        const part = await send(url, { range: 'bytes=100-299' });
        const beyond = await send(url, { range: 'bytes=999999999-' });
        expect(beyond.status).toBe(416);
        const { body } = await send(url);
        expect(beyond.headers['content-range']).toBe(`bytes */${body.length}`);
        expect([part.status, part.headers['content-range']]).toEqual([206, `bytes 100-299/${body.length}`]);
        expect(part.body).toEqual(body.subarray(100, 300));
      } finally {
        await fresh.stop();
      }
    });

    test('the dumps of a manifest still match its hashes after the next publish', async () => {
      const { dumps = [] } = manifestSchema.parse(await getJson(server, MANIFEST));
      await publish(2);
      await expect
        .poll(async () => (await send(`${server.origin}/en/api`)).headers['archive-edition'], {
          timeout: 30_000,
        })
        .toBe('2');
      for (const { url, bytes, blocks } of dumps) {
        // The dump of supplements has no blocks.
        if (bytes === undefined || !blocks) continue;
        const lines = (await (await server.fetch(url)).text()).trimEnd().split('\n');
        const hasher = new DumpHasher();
        for (const line of lines) hasher.add([JSON.parse(line)], Buffer.from(`${line}\n`));
        expect(hasher.differences({ url, records: lines.length, bytes, blocks }), url).toEqual([]);
      }
    });
  },
  { timeout: 120_000 },
);
