import { createHash } from 'node:crypto';
import { cp, readdir, readFile } from 'node:fs/promises';
import { hostname, userInfo } from 'node:os';
import { join } from 'node:path';
import { editionsSchema } from '@archiefkast/types';
import { beforeAll, expect, test } from 'vitest';
import { publishHere, runApiHere } from '../support/api-here.ts';
import { settingsFor } from '../support/api-process.ts';
import { type ApiServer, serveDatabase, untilServed } from '../support/api-server.ts';
import { writeFixture } from '../support/fixture/fixture-bundle.ts';
import { readTables } from '../support/read-tables.ts';
import { createTestDatabase, describeEngines, type TestDatabase } from '../support/test-database.ts';

const NOTE = 'Corrects the dates of letters';
const BY = { user: userInfo().username, host: hostname() };

describeEngines('who published what (%s)', (engine) => {
  let database: TestDatabase;
  let bundle: string;
  let server: ApiServer;
  let log: string;
  const run = async (...args: string[]) => (await runApiHere(args, settingsFor(database))).stdout;

  beforeAll(async () => {
    database = await createTestDatabase(engine);
    bundle = await writeFixture(join(database.folder, 'letters of 1650'));
    await publishHere(database, bundle);
    server = await serveDatabase(database);
    await publishHere(database, bundle, ['--note', NOTE]);
    await untilServed(server, 2);
    await run('rollback');
    await untilServed(server, 1);
    await run('switch', '2');
    await run('switch', '2');
    await untilServed(server, 2);
    await server.stop();
    log = (await server.process.ended).stderr;
  });

  test('editions says from which bundle, by whom and why, and who changed the served one', async () => {
    const by = `${BY.user}@${BY.host}`;
    const said = (await run('editions')).replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME').split('\n');
    expect(said).toEqual([
      `* edition 2  TIME  23 persons, 12 subjects, 11 locations and 13 events, from letters of 1650 by ${by}: ${NOTE}`,
      `  edition 1  TIME  23 persons, 12 subjects, 11 locations and 13 events, from letters of 1650 by ${by}`,
      `switch  TIME  from edition 1 to 2, by ${by}`,
      `rollback  TIME  from edition 2 to 1, by ${by}`,
      '',
    ]);
  });

  test('--json has all of it, with the version of the program and the hash that sha256sum makes', async () => {
    const names = (await readdir(bundle)).filter((name) => /\.jsonl?$/.test(name)).sort();
    const sha256 = (content: string | Uint8Array) => createHash('sha256').update(content).digest('hex');
    const lines = names.map(async (name) => `${sha256(await readFile(join(bundle, name)))}  ${name}\n`);
    const { served, editions, switches } = JSON.parse(await run('editions', '--json'));
    expect(served).toBe(2);
    const common = { ...BY, bundle: 'letters of 1650', sha256: sha256((await Promise.all(lines)).join('')) };
    const version = expect.stringMatching(/^\d+\.\d+\.\d+/);
    expect(editions).toMatchObject([
      { id: 2, ...common, version, note: NOTE },
      { id: 1, ...common, version },
    ]);
    const changes = switches.map(({ at: _, ...others }: { at: string }) => others);
    expect(changes).toEqual([
      { command: 'switch', from: 1, to: 2, by: BY },
      { command: 'rollback', from: 2, to: 1, by: BY },
      { command: 'publish', from: 1, to: 2, by: BY },
      { command: 'publish', from: null, to: 1, by: BY },
    ]);
  });

  test('the API has it without the user and the host', async () => {
    const again = await serveDatabase(database);
    const response = await again.fetch('/en/api/editions');
    const text = await response.text();
    const { editions, switches } = editionsSchema.parse(JSON.parse(text));
    expect(editions.map(({ bundle: name, note }) => [name, note])).toEqual([
      ['letters of 1650', NOTE],
      ['letters of 1650', null],
    ]);
    expect(switches.map(({ command }) => command)).toEqual(['switch', 'rollback', 'publish', 'publish']);
    expect(text).not.toContain(JSON.stringify(BY.host));
    expect(text).not.toContain(JSON.stringify(BY.user));
    await again.stop();
  });

  test('each change is a line of the log', () => {
    const lines = log
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const changes = lines.filter(({ msg }) => msg === 'serving edition');
    expect(changes).toMatchObject([
      { edition: 1, command: 'publish', from: null, by: BY, bundle: 'letters of 1650' },
      { edition: 2, command: 'publish', from: 1, by: BY, note: NOTE },
      { edition: 1, command: 'rollback', from: 2, by: BY },
      { edition: 2, command: 'switch', from: 1, by: BY, note: NOTE },
    ]);
  });

  test('a swept edition leaves nothing of it in the database', async () => {
    const other = join(database.folder, 'without the note');
    await cp(bundle, other, { recursive: true });
    await publishHere(database, other, ['--keep', '1']);
    const rows = JSON.stringify([...(await readTables(database))]);
    expect(rows).toContain('without the note');
    for (const gone of [NOTE, 'letters of 1650', 'rollback']) expect(rows).not.toContain(gone);
  });
});
