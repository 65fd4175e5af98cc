import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { createRandom } from '../../apps/api/testing/random.ts';
import { type HereResult, runApiHere } from '../support/api-here.ts';
import { settingsFor, startProcess, untilAnswer } from '../support/api-process.ts';
import { type ApiServer, serveDatabase, untilServed } from '../support/api-server.ts';
import { writeBundle } from '../support/fixture/fixture-bundle.ts';
import { uuidOf } from '../support/fixture/names.ts';
import { freePort } from '../support/free-port.ts';
import { readTables } from '../support/read-tables.ts';
import { createTestDatabase, describeEngines, type TestDatabase } from '../support/test-database.ts';

/** With a supplement: its date has no day. */
const PERSON = {
  id: 2,
  uuid: uuidOf('person', 2),
  title_nl: 'Anna Verdwenen',
  last_name: 'Verdwenen',
  birth_date: '1652-03',
  content_nl: '<p>Zij woonde op de Vergeetgracht.</p>',
};
/** With a supplement: it has subjects but no location. */
const EVENT = { id: 2, uuid: uuidOf('event', 2), name_nl: 'Verzwegen', subjects: [uuidOf('subject', 1)] };
const OTHERS = {
  person: [1, 3].map((id) => ({ id, uuid: uuidOf('person', id), last_name: 'Vos' })),
  subject: [{ id: 1, uuid: uuidOf('subject', 1), name_nl: 'Handel' }],
  location: [{ id: 1, uuid: uuidOf('location', 1), name_nl: 'De Waag' }],
};
/** An event in which the person takes part, at a place. */
const party = (persons: string[]) => ({
  id: 1,
  uuid: uuidOf('event', 1),
  name_nl: 'Feest',
  location: uuidOf('location', 1),
  persons: [...persons, uuidOf('person', 1)],
});

type Records = Parameters<typeof writeBundle>[1];

const WITH: Records = { ...OTHERS, person: [...OTHERS.person, PERSON], event: [party([PERSON.uuid]), EVENT] };
const WITHOUT: Records = { ...OTHERS, event: [party([])] };
const CHANGED: Records = {
  ...WITH,
  person: [...OTHERS.person, { ...PERSON, title_en: 'Anna' }],
  event: [party([PERSON.uuid]), { ...EVENT, name_en: 'Untold' }],
};

/** What names the two records, in lower case; a uuid may be stored as bytes. */
const WORDS = ['verdwenen', '1652-03', 'vergeetgracht', 'verzwegen'];
const MARKS = [
  ...[...WORDS, PERSON.uuid, EVENT.uuid],
  ...[PERSON.uuid, EVENT.uuid].map((uuid) => textOf(Buffer.from(uuid.replaceAll('-', ''), 'hex'))),
];

/** A value of a column, or the bytes of a file, as text in lower case. */
function textOf(value: unknown): string {
  const text = value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : String(value);
  return text.toLowerCase();
}

function isMarked(value: unknown, marks: readonly string[] = MARKS): boolean {
  const text = textOf(value);
  return marks.some((mark) => text.includes(mark));
}

describeEngines('a record that is taken down (%s)', (engine) => {
  let prepared: TestDatabase;
  let server: ApiServer | undefined;
  let nodes: ApiServer[] = [];
  beforeAll(async () => {
    prepared = await createTestDatabase(engine);
  });
  afterEach(async () => {
    await server?.stop();
    server = undefined;
    await Promise.all(nodes.map((node) => node.stop()));
    nodes = [];
  });

  /** Serves the database on another node, whose folder the publishes do not reach. */
  const startNode = async () => {
    const node = await serveDatabase(prepared, { DERIVED_DIR: join(prepared.folder, 'derived-node') });
    nodes.push(node);
    return node;
  };
  /** The numbers of the kept editions, newest first. */
  const listKept = async () => {
    const rows = (await readTables(prepared)).get('editions') ?? [];
    return rows.map((row) => Number(row['id'])).toSorted((a, b) => b - a);
  };
  /** Memory of a node in cached responses and in texts of pages, in bytes. */
  const cachedBytes = async (node: ApiServer) => {
    const metrics = await (await node.admin('/metrics')).text();
    return ['answers', 'texts'].map((cache) =>
      Number(metrics.match(new RegExp(`^archive_cache_bytes\\{cache="${cache}"\\} (\\d+)`, 'm'))?.[1]),
    );
  };

  const tryToPublish = async (records: Records, keep: number): Promise<HereResult> => {
    const bundle = await writeBundle(join(prepared.folder, 'bundle'), records);
    const description = { title: { nl: 'Proef', en: 'Test' }, partial_dates: 'first-day' };
    await writeFile(join(bundle, 'archive.json'), JSON.stringify(description));
    return await runApiHere(['publish', bundle, '--keep', String(keep)], settingsFor(prepared));
  };
  const publish: typeof tryToPublish = async (records, keep) => {
    const ended = await tryToPublish(records, keep);
    expect(ended).toMatchObject({ code: 0 });
    return ended;
  };
  /**
   * The tables and files in which one of the records is; `derived` for any file of DERIVED_DIR, `derived-node` for that of the other node. Not the table `gone`, and so not a uuid
   * in the file of the database.
   */
  const traces = async () => {
    const found = new Set<string>();
    for (const entry of await readdir(prepared.folder, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name);
      const [top = ''] = relative(prepared.folder, path).split(sep);
      if (
        entry.isFile() &&
        top !== 'bundle' &&
        isMarked(await readFile(path), top.startsWith('derived') ? MARKS : WORDS)
      )
        found.add(top);
    }
    for (const [table, rows] of await readTables(prepared)) {
      if (table === 'gone') continue;
      if (rows.some((row) => Object.values(row).some((value) => isMarked(value)))) found.add(table);
    }
    return [...found].toSorted();
  };
  const file = engine === 'sqlite' ? ['archive.sqlite'] : [];

  test('is in no table and no file after a publish with --keep 1, while a server reads', async () => {
    await publish(WITH, 2);
    await publish(CHANGED, 2);
    server = await serveDatabase(prepared);
    for (const path of ['dump/persons.csv', 'events.geojson', 'dump/persons.jsonl', 'search?q=verdwenen']) {
      expect((await server.fetch(`/nl/api/${path}`)).status).toBe(200);
    }
    expect(await traces()).toEqual([...file, 'changes', 'derived', 'texts', 'versions']);
    await publish(WITHOUT, 1);
    expect(await traces()).toEqual([]);
    const gone = (await readTables(prepared)).get('gone') ?? [];
    expect(gone.map((row) => [row['uuid'], Object.keys(row)])).toEqual(
      [PERSON.uuid, EVENT.uuid].toSorted().map((uuid) => [uuid, ['uuid', 'kind', 'since', 'replaced_by']]),
    );
    await server.stop();
    server = undefined;
    expect(await traces()).toEqual([]);
  });

  test('is in no table and no file when a publish with --keep 1 finds the rest unchanged', async () => {
    await publish(WITH, 2);
    await publish(WITHOUT, 2);
    expect((await publish(WITHOUT, 1)).stdout).toContain('Unchanged');
    expect(await traces()).toEqual([]);
  });

  test('is in no file and no memory of other nodes when a publish with --keep 1 finds the rest unchanged', async () => {
    await publish(WITH, 2);
    const both = await Promise.all([startNode(), startNode()]);
    await publish(WITHOUT, 2);
    const [served = 0, earlier = 0] = await listKept();
    const cached: number[][] = [];
    for (const node of both) {
      await untilServed(node, served);
      const before = await cachedBytes(node);
      for (const path of ['api/persons?', 'api/search?q=verdwenen&', `personen/${PERSON.uuid}/?`])
        expect((await node.fetch(`/nl/${path}edition=${earlier}`)).status).toBe(200);
      for (const [place, bytes] of (await cachedBytes(node)).entries())
        expect(bytes).toBeGreaterThan(before[place] ?? 0);
      cached.push(before);
    }
    expect(await traces()).toContain('derived-node');
    expect((await publish(WITHOUT, 1)).stdout).toContain(`No longer kept: edition ${earlier}`);
    expect(await traces()).toEqual([]);
    // Less, because it began while the earlier edition was served.
    for (const [place, node] of both.entries())
      for (const [cache, bytes] of (await cachedBytes(node)).entries())
        expect(bytes).toBeLessThanOrEqual(cached[place]?.[cache] ?? 0);
  });

  test('is in no file of a node that starts after it, before that responds', async () => {
    await publish(WITH, 2);
    await (await startNode()).stop();
    nodes = [];
    await publish(WITHOUT, 1);
    expect(await traces()).toEqual(['derived-node']);
    const port = String(await freePort());
    const place = { DERIVED_DIR: join(prepared.folder, 'derived-node'), PORT: port };
    const running = startProcess(['serve'], settingsFor(prepared, place));
    await untilAnswer(running, `http://127.0.0.1:${port}/nl/api/persons`);
    expect(await traces()).toEqual([]);
    running.kill('SIGTERM');
    expect((await running.ended).code).toBe(0);
  });

  if (engine === 'sqlite') {
    test('stays in a log that another program reads, which the publish says and the next one mends', async () => {
      await publish(WITH, 2);
      using reader = new DatabaseSync(join(prepared.folder, 'archive.sqlite'));
      reader.exec('BEGIN');
      reader.prepare('SELECT count(*) FROM texts').get();
      const { code, stdout, stderr } = await tryToPublish(WITHOUT, 1);
      expect([code, stdout]).toEqual([1, expect.stringContaining('Published edition ')]);
      expect(stderr).toMatch(/edition \d+ was published, but old editions could not be deleted completely/);
      expect(stderr).toMatch(
        /archive\.sqlite and its -wal still contain what was deleted, because another program/,
      );
      expect(await traces()).toEqual(['archive.sqlite', 'archive.sqlite-wal']);
      reader.exec('COMMIT');
      expect((await publish(WITHOUT, 1)).stdout).toContain('Unchanged');
      expect(await traces()).toEqual([]);
    });

    test('is overwritten where a later publish sweeps its edition', async () => {
      await publish(WITH, 2);
      await publish(WITHOUT, 2);
      await publish({ ...WITHOUT, event: [] }, 2);
      expect(await traces()).toEqual([]);
    });

    test('is not in the free part of a page from which SQLite moved it', { timeout: 120_000 }, async () => {
      const random = createRandom(1);
      const persons = Array.from({ length: 3001 }, () => ({ uuid: random.uuid(), mark: random.uuid() }));
      const markOf = (id: number) => persons[id]?.mark ?? '';
      let kept = Array.from({ length: 3000 }, (_, index) => index + 1);
      const found: string[] = [];
      for (let round = 0; round < 8; round += 1) {
        const gone = round === 0 ? [] : kept.filter((id) => (id * 7 + round * 13) % 61 === 0);
        kept = kept.filter((id) => !gone.includes(id));
        const person = kept.map((id) => ({
          ...{ id, uuid: persons[id]?.uuid, title_en: `Number ${id} ${markOf(id)}` },
          content_en: `<p>${'x'.repeat((id * 37) % 900)} ${id % 5 === 0 ? round : 0}</p>`,
        }));
        await publish({ person }, 1);
        const bytes = await readFile(join(prepared.folder, 'archive.sqlite'), 'latin1');
        found.push(...gone.map(markOf).filter((mark) => bytes.includes(mark)));
      }
      expect(found).toEqual([]);
    });
  }
});
