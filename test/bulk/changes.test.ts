import { join } from 'node:path';
import { COLLECTIONS, changedRecordSchema, changesHeaderSchema, KINDS, type Kind } from '@archiefkast/types';
import { beforeAll, expect, test } from 'vitest';
import { publishHere } from '../support/api-here.ts';
import { type ApiServer, serveDatabase, untilServed } from '../support/api-server.ts';
import { FIXTURE, writeBundle, writeFixture } from '../support/fixture/fixture-bundle.ts';
import { type Line, uuidOf } from '../support/fixture/names.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { createTestDatabase, describeEngines, type TestDatabase } from '../support/test-database.ts';
import { getJson, type Json, walkRecords } from '../support/walk.ts';

/** The fixture with added, changed and removed records. */
function altered(
  edit: Partial<Record<Kind, (line: Line) => Line | undefined>>,
  added: Partial<Record<Kind, Line[]>> = {},
) {
  return Object.fromEntries(
    KINDS.map((kind) => [
      kind,
      [
        ...FIXTURE[kind].flatMap((line) => (edit[kind] ? (edit[kind](line) ?? []) : line)),
        ...(added[kind] ?? []),
      ],
    ]),
  );
}

const change = (id: number, more: object) => (line: Line) => (line.id === id ? { ...line, ...more } : line);

describeEngines('changes (%s)', (engine) => {
  let database: TestDatabase;
  let folder: string;
  let server: ApiServer;
  const before: Record<string, Json[]> = {};

  /** Publishes, waits until the edition is served, and requests the changes since the first one. */
  const publish = async (lines: Partial<Record<Kind, readonly object[]>>, edition: number) => {
    const bundle = await writeBundle(join(folder, `bundle-${edition}`), lines);
    await publishHere(database, bundle, ['--keep', '9']);
    await untilServed(server, edition);
  };
  const changesSince = (edition: number, query = '') =>
    getJson<Changes>(server, `/en/api/changes?since=${edition}${query}`);

  beforeAll(async () => {
    database = await createTestDatabase(engine);
    folder = await temporaryFolder();
    await publishHere(database, await writeFixture(join(folder, 'bundle')));
    server = await serveDatabase(database);
    for (const kind of KINDS) before[kind] = await walkRecords(server, `/en/api/${COLLECTIONS[kind]}`);
    await publish(FIXTURE, 2);
    await publish(
      altered(
        {
          person: change(106, { content_en: '<p>New.</p>' }),
          subject: change(2, { name_nl: 'Anders' }),
          event: (line) => (line.id === 311 ? undefined : line),
        },
        { person: [{ id: 999, uuid: uuidOf('person', 999), title_nl: 'Nieuw' }] },
      ),
      3,
    );
    await publish(
      altered({ event: change(301, { summary_en: 'New' }), location: change(207, { published: false }) }),
      4,
    );
  });

  test('no changes between editions with the same records', async () => {
    const changes = await changesSince(1, '&edition=2');
    for (const kind of KINDS) {
      expect(changes[COLLECTIONS[kind]]).toEqual({ added: [], changed: [], removed: [] });
    }
    expect(changes.since).toMatchObject({ id: 1 });
    expect(changes.edition).toMatchObject({ id: 2 });
  });

  test.each([
    ['a person that an event embeds, a subject, a removed event and an added person', 3],
    ['an event, with its location and the other events there, and a removed location', 4],
  ])('changes of %s match the lists', async (_what, edition) => {
    const changes = await changesSince(1, `&edition=${edition}`);
    for (const kind of KINDS) {
      const now = await walkRecords(server, `/en/api/${COLLECTIONS[kind]}?edition=${edition}`);
      expect(changes[COLLECTIONS[kind]], kind).toEqual(difference(before[kind] ?? [], now));
    }
    expect(KINDS.some((kind) => changes[COLLECTIONS[kind]]?.changed.length)).toBe(true);
  });

  test('changes from a later to an earlier edition, and without a language', async () => {
    const forward = await changesSince(1, '&edition=3');
    const back = await getJson<Changes>(server, '/api/changes?since=3&edition=1');
    for (const kind of KINDS) {
      const { added, removed, changed } = forward[COLLECTIONS[kind]] ?? {};
      expect(back[COLLECTIONS[kind]]).toEqual({ added: removed, removed: added, changed });
    }
  });

  test.each([
    ['', 400, 'invalid-edition'],
    ['?since=', 400, 'invalid-edition'],
    ['?since=first', 400, 'invalid-edition'],
    ['?since=0', 400, 'invalid-edition'],
    ['?since=-1', 400, 'invalid-edition'],
    ['?since=99999999999999999999', 400, 'invalid-edition'],
    ['?since=77', 404, 'no-such-edition'],
  ])('changes%s, and the feed of them: %i %s', async (query, status, problem) => {
    for (const name of ['changes', 'changes.jsonl']) {
      const response = await server.fetch(`/nl/api/${name}${query}`);
      expect(response.status).toBe(status);
      expect(((await response.json()) as Json)['type']).toMatch(new RegExp(`/problems/${problem}$`));
    }
  });

  /** The lines of the dump of a kind, by uuid, in the order of the dump. */
  const dump = async (kind: Kind, edition: number): Promise<Map<string, string>> => {
    const text = await (
      await server.fetch(`/nl/api/dump/${COLLECTIONS[kind]}.jsonl?edition=${edition}`)
    ).text();
    return new Map(
      text
        .split('\n')
        .filter(Boolean)
        .map((line) => [JSON.parse(line).uuid, line]),
    );
  };

  test.each([
    [1, 2],
    [1, 4],
    [4, 1],
    [3, 4],
  ])('a mirror that applies the feed from edition %i to %i equals the dumps', async (since, edition) => {
    const path = `/nl/api/changes.jsonl?since=${since}&edition=${edition}`;
    const response = await server.fetch(path);
    expect(response.headers.get('content-type')).toBe('application/jsonl');
    const text = await response.text();
    const [first = '', ...lines] = text.split('\n').filter(Boolean);
    const header = changesHeaderSchema.parse(JSON.parse(first));
    expect(header).toMatchObject({ since: { id: since }, edition: { id: edition }, language: 'nl' });
    const mirror = new Map<Kind, Map<string, string>>();
    for (const kind of KINDS) mirror.set(kind, await dump(kind, since));
    const counts = { added: 0, changed: 0, removed: 0 };
    for (const line of lines) {
      const { kind, change, uuid, ...rest } = changedRecordSchema.parse(JSON.parse(line));
      counts[change] += 1;
      expect(mirror.get(kind)?.has(uuid), line.slice(0, 90)).toBe(change !== 'added');
      if ('record' in rest) mirror.get(kind)?.set(uuid, line.slice(line.indexOf('"record":') + 9, -1));
      else mirror.get(kind)?.delete(uuid);
    }
    expect(header).toMatchObject(counts);
    for (const kind of KINDS) {
      const now = await dump(kind, edition);
      expect([...(mirror.get(kind)?.values() ?? [])].toSorted(), kind).toEqual([...now.values()].toSorted());
    }
  });

  test('an edition that is no longer kept is gone', async () => {
    await publishHere(database, join(folder, 'bundle-4'), ['--keep', '2']);
    await untilServed(server, 5);
    const response = await server.fetch('/en/api/changes?since=1');
    expect(response.status).toBe(410);
    expect((await server.fetch('/en/api/changes.jsonl?since=1')).status).toBe(410);
    expect(await response.json()).toMatchObject({
      status: 410,
      detail: 'Edition 1 is no longer kept.',
      editions: [5, 4],
    });
  });
});

/** The expected changes, from the records in the lists. */
function difference(before: Json[], now: Json[]): KindChanges {
  const uuids = (records: Json[]) => records.map(({ uuid }) => String(uuid));
  const earlier = new Map(before.map((record) => [record['uuid'], JSON.stringify(record)]));
  const later = new Set(uuids(now));
  return {
    added: uuids(now.filter(({ uuid }) => !earlier.has(uuid))),
    changed: uuids(
      now.filter(
        (record) => (earlier.get(record['uuid']) ?? JSON.stringify(record)) !== JSON.stringify(record),
      ),
    ),
    removed: uuids(before).filter((uuid) => !later.has(uuid)),
  };
}

interface KindChanges {
  added: string[];
  changed: string[];
  removed: string[];
}

type Changes = Record<string, KindChanges> & { since: object; edition: object };
