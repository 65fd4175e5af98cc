import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createClient, StatusError } from '@archiefkast/client';
import { beforeAll, expect, test } from 'vitest';
import { runApiHere } from '../support/api-here.ts';
import { settingsFor } from '../support/api-process.ts';
import { type ApiServer, BASE_URL, serveDatabase, untilServed } from '../support/api-server.ts';
import { writeBundle } from '../support/fixture/fixture-bundle.ts';
import { uuidOf } from '../support/fixture/names.ts';
import { readTables } from '../support/read-tables.ts';
import { createTestDatabase, describeEngines, type TestDatabase } from '../support/test-database.ts';

const person = (id: number, more = {}) => ({
  id,
  uuid: uuidOf('person', id),
  last_name: `Vos ${id}`,
  ...more,
});
const PLACE = { id: 1, uuid: uuidOf('location', 1), name_nl: 'De Waag' };
const [FIRST, SECOND, THIRD] = [1, 2, 3].map((id) => uuidOf('person', id));
const NEVER = uuidOf('person', 9);

/** All addresses of a person. */
const addresses = (uuid = '') => [
  `/id/${uuid}`,
  `/id/${uuid}.jsonld`,
  `/id/${uuid}.ttl`,
  `/id/${uuid}.nt`,
  `/nl/personen/${uuid}/`,
  `/en/personen/${uuid}/`,
  `/nl/embed/${uuid}`,
  `/oembed?url=${BASE_URL}/nl/personen/${uuid}/`,
  `/nl/api/persons/${uuid}`,
  `/en/api/persons/${uuid}?fields=uuid`,
];

describeEngines('a record that was published and is no more (%s)', (engine) => {
  let database: TestDatabase;
  let server: ApiServer;
  let edition = 0;
  beforeAll(async () => {
    database = await createTestDatabase(engine);
    await publish([person(1), person(2), person(3)], [PLACE]);
    server = await serveDatabase(database);
  });

  async function publish(persons: object[], places: object[] = [], archive = {}, args: string[] = []) {
    const bundle = await writeBundle(join(database.folder, 'bundle'), { person: persons, location: places });
    const title = { nl: 'Proef', en: 'Test' };
    await writeFile(join(bundle, 'archive.json'), JSON.stringify({ title, ...archive }));
    const ended = await runApiHere(['publish', bundle, ...args], settingsFor(database));
    if (ended.code === 0) edition += 1;
    if (server && ended.code === 0 && !args.includes('--hold')) await untilServed(server, edition);
    return ended;
  }
  async function to(args: string[], id: number) {
    expect(await runApiHere(args, settingsFor(database))).toMatchObject({ code: 0 });
    await untilServed(server, id);
  }
  const ask = (path: string, headers = {}) => server.fetch(path, { redirect: 'manual', headers });
  /** The statuses of all addresses of a person, each once. */
  const statuses = async (uuid = '') => [
    ...new Set(await Promise.all(addresses(uuid).map(async (path) => (await ask(path)).status))),
  ];

  test('is gone at all its addresses, until it returns; one that never was is unknown', async () => {
    expect(await statuses(SECOND)).toEqual([303, 200]);
    await publish([person(1), person(3)], [PLACE], {}, ['--keep', '2']);
    expect(await statuses(SECOND)).toEqual([410]);
    expect(await statuses(NEVER)).toEqual([404]);
    expect(await statuses(THIRD)).toEqual([303, 200]);
    expect((await ask(`/en/api/locations/${SECOND}`)).status).toBe(404);
    expect((await ask(`/en/api/persons/${SECOND?.toUpperCase()}`)).status).toBe(410);
    expect((await ask(`/en/api/persons/${SECOND}?edition=1`)).status).toBe(200);
    for (const [path, accept, location] of [
      [`/id/${SECOND}?edition=1`, '*/*', `../en/personen/${SECOND}/?edition=1`],
      [`/id/${SECOND}?edition=1`, 'text/turtle', `../id/${SECOND}.ttl?edition=1`],
      ['/dataset?edition=1', '*/*', './en/dataset/?edition=1'],
    ] as const) {
      const led = await ask(path, { Accept: accept });
      expect([led.status, led.headers.get('location')]).toEqual([303, location]);
    }
    expect((await ask(`/id/${SECOND}?edition=9`)).status).toBe(404);
    expect(await (await ask(`/en/api/persons/${SECOND}`)).json()).toEqual({
      type: `${BASE_URL}/problems/record-gone`,
      title: 'Record gone',
      status: 410,
      detail: `The person with UUID ${SECOND} is no longer published.`,
    });

    await to(['rollback'], 1);
    expect(await statuses(SECOND)).toEqual([303, 200]);
    await to(['switch', '2'], 2);
    expect(await statuses(SECOND)).toEqual([410]);
    await publish([person(1), person(2), person(3)], [PLACE], {}, ['--whole']);
    expect(await statuses(SECOND)).toEqual([303, 200]);
  });

  test('is gone when an edition without it is served, not when it is held', async () => {
    await publish([person(1)], [PLACE], {}, ['--hold', '--keep', '3']);
    expect(await statuses(SECOND)).toEqual([303, 200]);
    await to(['switch', '4'], 4);
    expect([...(await statuses(SECOND)), ...(await statuses(THIRD))]).toEqual([410, 410]);
  });

  test('leads people, and names for programs, what has replaced it; the client tells it from an edition', async () => {
    const unnamed = await publish([person(1)], [], { replaced: { vos: FIRST } });
    expect(unnamed.stderr).toContain('archive.json: replaced.vos: expected a UUID');
    const refused = await publish([person(1)], [], {
      replaced: { [FIRST ?? '']: PLACE.uuid, [NEVER]: THIRD },
    });
    expect(refused.stderr).toMatch(
      RegExp(
        `archive.json: replaced.${FIRST}: is the uuid of a record .*\n.*replaced.${FIRST}: refers to the record ${PLACE.uuid}`,
      ),
    );
    await publish([person(1)], [PLACE], { replaced: { [SECOND ?? '']: FIRST, [NEVER]: PLACE.uuid } });
    for (const [path, location] of [
      [`/id/${SECOND}`, FIRST],
      [`/id/${SECOND}.ttl`, `${FIRST}.ttl`],
      [`/id/${SECOND}?edition=5`, `${FIRST}?edition=5`],
      [`/nl/personen/${SECOND}/?edition=5`, `../../personen/${FIRST}/?edition=5`],
      [`/nl/personen/${SECOND}/`, `../../personen/${FIRST}/`],
      [`/nl/embed/${SECOND}?edition=5`, `./${FIRST}?edition=5`],
      [
        `/oembed?url=${BASE_URL}/id/${SECOND}&maxwidth=300`,
        `./oembed?url=${encodeURIComponent(`${BASE_URL}/en/personen/${FIRST}/`)}&maxwidth=300`,
      ],
      [`/id/${NEVER}`, PLACE.uuid],
      [`/en/locaties/${NEVER}/`, `../../locaties/${PLACE.uuid}/`],
    ]) {
      const { status, headers } = await ask(path ?? '');
      expect([status, headers.get('location'), headers.get('cache-control')], path).toEqual([
        301,
        location,
        'no-store',
      ]);
    }
    const client = createClient({ baseUrl: server.origin, retries: 0 });
    const failed = await client
      .records('person')
      .get(SECOND ?? '')
      .catch((error: unknown) => error);
    if (!(failed instanceof StatusError)) throw failed;
    expect([failed.status, failed.problem]).toEqual([410, 'record-gone']);
    expect(failed.message).toContain(`; the person ${FIRST} has taken its place.`);
    const body = await (await ask(`/nl/api/persons/${SECOND}`)).json();
    expect(body.replaced_by).toBe(`${BASE_URL}/nl/api/persons/${FIRST}`);
    // Another edition need not say it again, and what replaced it may itself be replaced.
    await publish([person(4)], [PLACE], { replaced: { [FIRST ?? '']: uuidOf('person', 4) } }, [
      '--keep',
      '1',
    ]);
    expect((await ask(`/id/${SECOND}`)).headers.get('location')).toBe(FIRST);
    expect((await ask(`/en/personen/${SECOND}/`)).headers.get('location')).toBe(`../../personen/${FIRST}/`);
    expect((await ask(`/id/${FIRST}`)).headers.get('location')).toBe(uuidOf('person', 4));
    expect(await statuses(THIRD)).toEqual([410]);
  });

  test('leaves nothing but its uuid, its kind, a time and what has replaced it', async () => {
    const tables = await readTables(database);
    for (const row of tables.get('gone') ?? [])
      expect(Object.keys(row)).toEqual(['uuid', 'kind', 'since', 'replaced_by']);
    expect(
      tables
        .get('gone')
        ?.map(({ uuid }) => uuid)
        .toSorted(),
    ).toEqual([FIRST, SECOND, THIRD, NEVER].toSorted());
    expect(JSON.stringify([...tables].filter(([name]) => name !== 'gone'))).not.toContain(THIRD);
  });

  test('what is replaced is kept in tables', async () => {
    const [bundle, folder] = [join(database.folder, 'bundle'), join(database.folder, 'tables')];
    for (const [from, into, form] of [
      [bundle, folder, 'tables'],
      [folder, `${bundle}-again`, 'jsonl'],
    ] as const) {
      const ended = await runApiHere(['convert', from, into, '--to', form], settingsFor(database));
      expect(ended).toMatchObject({ code: 0 });
    }
    const archive = JSON.parse(await readFile(join(`${bundle}-again`, 'archive.json'), 'utf8'));
    expect(archive.replaced).toEqual({ [FIRST ?? '']: uuidOf('person', 4) });
  });
});
