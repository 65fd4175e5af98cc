import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { type Manifest, manifestSchema } from '@archiefkast/types';
import { expect, inject, test } from 'vitest';
import { createRandom } from '../../../apps/api/testing/random.ts';
import { runHere } from '../../faults/run-here.ts';
import { publishHere, runApiHere } from '../../support/api-here.ts';
import { settingsFor, startProcess } from '../../support/api-process.ts';
import { type ApiServer, ITSELF, serveDatabase, untilServed } from '../../support/api-server.ts';
import { makeBundle } from '../../support/bundles.ts';
import { copyToEdit } from '../../support/edited-bundle.ts';
import { freePort } from '../../support/free-port.ts';
import { endAtLast } from '../../support/leftovers.ts';
import { readTables } from '../../support/read-tables.ts';
import { expireLeases, KILL_AT } from '../../support/struck-process.ts';
import { createTestDatabase, describeEngines, type TestDatabase } from '../../support/test-database.ts';
import { getJson } from '../../support/walk.ts';

const ENGINES = inject('engines');
const IS_WHOLE = ENGINES.length > 1;
const PUBLISHES = IS_WHOLE ? 50 : 12;
const RECORDS = 60;

/** The limit of the size of files in place of a full disk, in blocks of 512 bytes: less than a harvest takes. */
const FILE_BLOCKS = 40;

/** What happens while the copies follow a publish, in turn. */
const FAULTS = ['none', 'lie', 'cut', 'kill', 'rollback', 'full'] as const;

/** The name of a record that only one publish has, and what a lie makes of it. */
const nameOf = (publish: number) => `Verdwijnsel${publish}q`;
const TRUTH = 'Verdwijnsel';
const LIE = 'Onbewezene';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** A copy of the original, or of another copy. */
interface Copy {
  database: TestDatabase;
  server: ApiServer;
  /** What it was seen to serve: the hash of its persons, without its address. */
  seen: Set<string>;
}

describeEngines('copies of an archive on %s', (engine) => {
  test('have what it serves, whatever happens, and nothing else', { timeout: 3_600_000 }, async () => {
    const random = createRandom(7);
    const other = ENGINES.find((name) => name !== engine) ?? engine;
    const database = await createTestDatabase(engine);
    const media = join(database.folder, 'media');
    await mkdir(media);
    const bundle = await copyToEdit(
      await makeBundle(database.folder, { records: RECORDS, seed: 3 }),
      join(database.folder, 'edited'),
      5,
    );
    const words = { title: { nl: 'Proef', en: 'Test' }, partial_dates: 'first-day' };
    await writeFile(join(bundle.folder, 'archive.json'), JSON.stringify(words));

    /** Publishes edits of the bundle, with a record and its picture that the next publish does not have. */
    async function publish(number: number, args: readonly string[] = []): Promise<void> {
      await bundle.edit(number % 5);
      const persons = join(bundle.folder, 'persons.jsonl');
      const uuid = `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
      const path = `${nameOf(number)}.png`;
      const image = {
        id: 90_000,
        uuid: uuid.replace('0', '1'),
        filetype: 'image',
        title: 'x',
        alt: 'y',
        path,
      };
      const secret = {
        id: 900_000 + number,
        uuid,
        title_nl: nameOf(number),
        last_name: nameOf(number),
        image,
      };
      await writeFile(persons, `${await readFile(persons, 'utf8')}${JSON.stringify(secret)}\n`);
      await writeFile(join(media, path), Buffer.from(`\x89PNG\r\n\x1a\n${nameOf(number)}`, 'latin1'));
      await rm(join(media, `${nameOf(number - 1)}.png`), { force: true });
      await publishHere(database, bundle.folder, args);
    }

    /** What a proxy before the original does to a response. */
    let spoil: (path: string, body: Buffer, response: ServerResponse) => Buffer = (_, body) => body;
    const port = await freePort();
    const address = `http://127.0.0.1:${port}`;
    const isOfRecords = (path: string) => /dump\/|changes|api\/persons/.test(path) && !/manifest/.test(path);
    await publish(1);
    const original = await serveDatabase(database, { BASE_URL: address, MEDIA_DIR: media });
    const proxy = createServer(async ({ url = '', headers }, response) => {
      const condition = headers['if-none-match'];
      const sent = await fetch(original.origin + url, {
        headers: condition === undefined ? {} : { 'if-none-match': condition, 'cache-control': 'max-age=0' },
      });
      const body = spoil(url, Buffer.from(await sent.arrayBuffer()), response);
      const kept = ['content-type', 'etag', 'archive-edition', 'content-language'];
      const names = kept.flatMap((name) => (sent.headers.has(name) ? [[name, sent.headers.get(name)]] : []));
      if (!response.headersSent)
        response
          .writeHead(sent.status, { ...Object.fromEntries(names), 'content-length': body.length })
          .end(body);
    });
    proxy.listen(port, '127.0.0.1');
    await once(proxy, 'listening');
    endAtLast(async () => void proxy.close().closeAllConnections());

    const settingsOf = (place: TestDatabase) => ({
      ...settingsFor(place),
      FOLLOW_DIR: join(place.folder, 'follow'),
      MEDIA_DIR: join(place.folder, 'media'),
    });
    const argsOf = (from: string) => ['follow', from, '--once', '--media'];
    const follow = (place: TestDatabase, from: string) => runApiHere(argsOf(from), settingsOf(place));
    const copies: Copy[] = [];
    for (const kind of [other, engine]) {
      const place = await createTestDatabase(kind);
      const from = copies[0]?.server.origin ?? address;
      expect(await follow(place, from)).toMatchObject({ code: 0 });
      const server = await serveDatabase(place, { BASE_URL: ITSELF, MEDIA_DIR: join(place.folder, 'media') });
      copies.push({ database: place, server, seen: new Set() });
    }
    const [first, second] = copies;
    if (!first || !second) throw new Error('there are no copies');

    const personsOf = async ({ fetch: ask, baseUrl }: ApiServer) => {
      const response = await ask('/nl/api/dump/persons.jsonl');
      const text = await response.text();
      return response.status === 200 ? sha256(text.replaceAll(baseUrl, '')) : `status ${response.status}`;
    };
    const published = new Set([await personsOf(original)]);
    let isReading = true;
    const readers = copies.map(async ({ server, seen }) => {
      while (isReading) seen.add(await personsOf(server));
    });

    const manifestOf = async (server: ApiServer): Promise<Manifest> =>
      manifestSchema.parse(await getJson(server, '/en/api/dump/manifest.json'));
    const hashesOf = ({ edition, archive, dumps }: Manifest) => ({
      ...{ key: edition.key, of: archive?.mirror_of.key },
      dumps: dumps.map(({ name, blocks, sha256: hash }) => [name, blocks, hash]),
    });
    /** Brings both copies up to date, one after the other; returns how many seconds that takes. */
    async function followBoth(): Promise<number> {
      const began = performance.now();
      const wanted = hashesOf(await manifestOf(original));
      for (const { database: place, server } of copies) {
        await expireLeases(place);
        expect(
          await follow(place, server === first?.server ? address : (first?.server.origin ?? '')),
        ).toMatchObject({ code: 0 });
        await expect
          .poll(async () => (await manifestOf(server)).edition.key, { timeout: 20_000 })
          .toBe(wanted.key);
        expect(hashesOf(await manifestOf(server))).toEqual(wanted);
      }
      return (performance.now() - began) / 1000;
    }

    let current = 1;
    let kills = 0;
    /** Lets the first copy follow while something is wrong; what it serves stays, or is what the original has. */
    const troubles: Record<(typeof FAULTS)[number], () => Promise<void>> = {
      async none() {},
      async lie() {
        spoil = (path, body) =>
          isOfRecords(path)
            ? Buffer.from(body.toString('latin1').replaceAll(TRUTH, LIE.padEnd(TRUTH.length)), 'latin1')
            : body;
        expect(await follow(first.database, address)).toMatchObject({ code: 1 });
      },
      async cut() {
        let cuts = 0;
        spoil = (path, body, response) => {
          if (!isOfRecords(path) || cuts > 2) return body;
          cuts += 1;
          response.writeHead(200, { 'content-length': body.length }).write(body.subarray(0, body.length / 2));
          setTimeout(() => response.destroy(), 20);
          return body;
        };
        await follow(first.database, address);
        expect(cuts).toBeGreaterThan(0);
      },
      async kill() {
        for (const place of [first.database, second.database]) {
          const from = place === first.database ? address : first.server.origin;
          const environment = {
            ...settingsOf(place),
            NODE_OPTIONS: `--import=${KILL_AT}`,
            KILL_AT: String(1 + random.below(400)),
            KILL_WHEN: random.pick(['before', 'after']),
          };
          const { code, signal, stderr } = await startProcess(argsOf(from), environment).ended;
          expect(signal ?? code, stderr).toBe(signal === null ? 0 : 'SIGKILL');
          if (signal !== null) kills += 1;
        }
      },
      async rollback() {
        await runApiHere(['rollback'], settingsFor(database));
        await untilServed(original, current - 1);
        await followBoth();
        await runApiHere(['switch', String(current)], settingsFor(database));
        await untilServed(original, current);
      },
      async full() {
        // Without the signal, a write beyond the limit fails, as on a full disk.
        const limited = ['sh', '-c', `trap '' XFSZ; ulimit -f ${FILE_BLOCKS}; exec "$@"`, 'sh'];
        const ended = await startProcess(argsOf(address), settingsOf(first.database), limited).ended;
        expect(ended.code, ended.stderr).toBe(1);
      },
    };

    let slowest = 0;
    const happened = new Map<string, number>();
    try {
      for (let number = 2; number <= PUBLISHES + 1; number += 1) {
        const fault = FAULTS[number % FAULTS.length] ?? 'none';
        const isTakeDown = number % 4 === 0 && fault !== 'rollback';
        await publish(number, ['--keep', isTakeDown ? '1' : '3']);
        current += 1;
        await untilServed(original, current);
        published.add(await personsOf(original));
        await troubles[fault]();
        spoil = (_, body) => body;
        slowest = Math.max(slowest, await followBoth());
        happened.set(fault, (happened.get(fault) ?? 0) + 1);
        if (!isTakeDown) continue;
        for (const { database: place } of copies) await expectGone(place, nameOf(number - 1));
      }
    } finally {
      isReading = false;
    }
    await Promise.all(readers);
    for (const { seen } of copies) {
      expect(seen.size).toBeGreaterThan(PUBLISHES / 2);
      expect([...seen].filter((hash) => !published.has(hash))).toEqual([]);
    }

    const folders: string[] = [];
    for (const { origin } of [original, ...copies.map(({ server }) => server)]) {
      const folder = join(database.folder, `harvest-${folders.length}`);
      const at = origin === original.origin ? address : origin;
      expect(await runHere(['harvest', '--base-url', at, '--out', folder])).toMatchObject({ code: 0 });
      folders.push(folder);
    }
    for (const folder of folders.slice(1)) {
      const { code, stdout, stderr } = await runHere(['diff', folders[0] ?? '', folder]);
      expect({ code, said: stdout + stderr }).toEqual({
        code: 0,
        said: expect.stringContaining('0 added, 0 changed, 0 removed'),
      });
    }
    expect(kills).toBeGreaterThan(0);
    process.stdout.write(
      `copies of ${engine}: ${PUBLISHES} publishes, ${JSON.stringify(Object.fromEntries(happened))}, ${kills} kills, at most ${slowest.toFixed(1)} s for both copies\n`,
    );
  });
});

/** Expects that a name is in no row, index, log or picture of a copy, and in no harvest. */
async function expectGone(place: TestDatabase, name: string): Promise<void> {
  for (const [table, rows] of await readTables(place))
    for (const value of rows.flatMap((row) => Object.values(row)))
      expect(Buffer.from(value instanceof Uint8Array ? value : String(value)).includes(name), table).toBe(
        false,
      );
  for (const entry of await readdir(place.folder, { recursive: true, withFileTypes: true })) {
    expect(entry.name).not.toContain(name);
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const text = await readFile(path, 'latin1');
    expect(text.toLowerCase().includes(name.toLowerCase()), path).toBe(false);
  }
}
