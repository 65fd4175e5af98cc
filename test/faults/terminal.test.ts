import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ApiServer } from '../support/api-server.ts';
import { endAtLast } from '../support/leftovers.ts';
import { type ArchiveServer, startArchive } from './archive-server.ts';
import { startCli } from './run-cli.ts';
import { runHere } from './run-here.ts';
import { serveSample } from './serve-sample.ts';
import { temporaryFolder } from './temporary-folder.ts';

const NO_COLOR = { NO_COLOR: '1' };

/** The widths of the lines of a drawn table, in characters. */
function widthOf(drawn: string): number {
  const lines = drawn.split('\n').filter((line) => /^[┌├└│]/.test(line));
  expect(lines.length).toBeGreaterThan(3);
  return Math.max(...lines.map((line) => line.length));
}

let server: ApiServer;
/** An archive, and two harvests of it with a changed record between them. */
let archive: ArchiveServer;
let old: string;
let now: string;
beforeAll(async () => {
  const lifetime = { onTestFinished: endAtLast };
  server = await serveSample(lifetime);
  archive = await startArchive();
  [old, now] = [await temporaryFolder(lifetime), await temporaryFolder(lifetime)];
  const harvest = (folder: string) => runHere(['harvest', '--base-url', archive.url, '--out', folder]);
  await harvest(old);
  archive.changed.set('person 7', {
    title: 'A \u001b[2J\u0007title\tthat\u009b31m commands',
    first_name: 'Piet',
  });
  await harvest(now);
});
afterAll(() => archive?.stop());

describe.each([60, 80, 120])('on a terminal of %i columns', (columns) => {
  const terminal = { isTTY: true, columns };

  test('tables fit', async () => {
    const diff = await runHere(['diff', old, now], NO_COLOR, terminal);
    expect(widthOf(diff.stdout)).toBeLessThanOrEqual(columns);
    const dryRun = ['harvest', '--dry-run', '--base-url', archive.url];
    expect(widthOf((await runHere(dryRun, NO_COLOR, terminal)).stdout)).toBeLessThanOrEqual(columns);
    const search = ['search', '--base-url', server.baseUrl, 'amsterdam'];
    expect(widthOf((await runHere(search, NO_COLOR, terminal)).stdout)).toBeLessThanOrEqual(columns);
    const { stdout } = await runHere(['stats', now], NO_COLOR, terminal);
    expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(columns);
  });

  test('control characters from a server are escaped', async (context) => {
    context.onTestFinished(() => {
      archive.fault = () => {};
    });
    archive.fault = ({ ctx }) => {
      ctx.status = 403;
      ctx.body = JSON.stringify({ title: 'No', status: 403, detail: 'Not \u001b[2J\u009b now.' });
    };
    const runs = [
      ['diff', old, now],
      ['diff', old, now, '--format', 'csv'],
      ['diff', old, now, '--format', 'json'],
      ['show', 'person', 'a0000000-0000-4000-8000-000000000007', '--base-url', archive.url],
      ['harvest', '--base-url', archive.url, '--out', join(now, 'x')],
    ];
    for (const args of runs) {
      const { stdout, stderr } = await runHere(args, NO_COLOR, terminal);
      expect(stdout + stderr, args.join(' ')).not.toMatch(/(?!\r\n|[\n\t])\p{Cc}/u);
    }
  });
});

test('a table in a pipe is tab-separated text', async () => {
  const { stdout } = await runHere(['diff', old, now]);
  const uuid = 'a0000000-0000-4000-8000-000000000007';
  expect(stdout).toMatch(
    new RegExp(
      `^change\tkind\tuuid\ttitle\tfields\nchanged\tperson\t${uuid}\tA \\\\u001b\\[2J\\\\u0007title that\\\\u009b31m`,
    ),
  );
  for (const line of stdout.trimEnd().split('\n')) expect(line.split('\t')).toHaveLength(5);
  const dryRun = await runHere(['harvest', '--dry-run', '--base-url', archive.url]);
  expect(dryRun.stdout).toMatch(/^kind\trecords\trequests\npersons\t35\t4\n/);
});

test('--dry-run --json is JSON', async () => {
  const { stdout, stderr } = await runHere(['harvest', '--dry-run', '--json', '--base-url', archive.url]);
  expect(JSON.parse(stdout)).toMatchObject({
    kinds: [{ kind: 'person', records: 35, requests: 4 }, {}, {}, {}],
    records: 63,
    requests: 8,
    seconds: expect.any(Number),
  });
  expect(stderr).toBe('');
});

test('hits are a table that fits 60 characters, without colours if these are not wanted', async () => {
  const search = ['search', '--last-name', 'HUYGENS', '--base-url', server.baseUrl];
  const { stdout } = await runHere(search, NO_COLOR, { isTTY: true, columns: 60 });
  expect(stdout).toContain('Christiaan Huygens');
  expect(stdout).not.toContain('\u001b');
  expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(60);
});

test('a record is shown with the names of related records, as JSON, and on the web', async () => {
  const uuid = '7a776fad-85cf-5ae0-93da-f4e8d4ecbabd';
  const show = ['show', 'persons', uuid, '--base-url', server.baseUrl];
  const { stdout } = await runHere(show);
  expect(stdout).toMatch(/^born +1629-04-14, Den Haag, Nederland$/m);
  expect(stdout).toMatch(/^subjects +Physics, Astronomy, Optics, Clocks, Probability$/m);
  expect(stdout).toContain('pendulum a new theory of motion.[1]');
  expect(stdout).toContain('\nFootnotes\n 1. C.D. Andriesse,');
  expect(JSON.parse((await runHere([...show, '--json'])).stdout)).toMatchObject({
    uuid,
    birth_date: '1629-04-14',
  });
  const opened: string[] = [];
  const page = `${server.baseUrl}/en/personen/${uuid}/`;
  expect((await runHere([...show, '--web'], {}, { opened })).stdout).toBe(`${page}\n`);
  const search = ['search', '--last-name', 'huygens', '--web', '--base-url', server.baseUrl];
  expect((await runHere(search, {}, { opened })).stdout).toBe(`${page}\n`);
  expect(opened).toEqual([page, page]);

  for (const kind of ['locations', 'events', 'subjects']) {
    const [line = ''] = (await (await server.fetch(`/en/api/dump/${kind}.jsonl`)).text()).split('\n');
    const shown = await runHere(['show', kind, JSON.parse(line).uuid, '--base-url', server.baseUrl]);
    expect({ code: shown.code, stdout: shown.stdout }).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(JSON.parse(line).name),
    });
  }
});

test('statistics count the contents of a harvest', async (context) => {
  const { records, missing } = JSON.parse((await runHere(['stats', now, '--json'])).stdout);
  expect(records).toEqual({ person: 35, subject: 12, location: 8, event: 8 });
  expect(missing).toContainEqual({
    name: expect.stringMatching(/^person without/),
    records: expect.any(Number),
  });
  const none = await runHere(['stats', await temporaryFolder(context)]);
  expect({ code: none.code, stderr: none.stderr }).toEqual({
    code: 1,
    stderr: expect.stringContaining('no records'),
  });
});

test.for(['harvest', 'search'])('Ctrl-C ends a %s that waits for a response', async (command, context) => {
  const asked = Promise.withResolvers<void>();
  const silent = createServer(() => asked.resolve()).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  context.onTestFinished(() => {
    silent.closeAllConnections();
    silent.close();
  });
  const address = ['--base-url', `http://127.0.0.1:${(silent.address() as AddressInfo).port}`];
  const out = command === 'harvest' ? ['--out', await temporaryFolder(context)] : [];
  const running = startCli([command, ...out, ...address]);
  await asked.promise;
  running.kill('SIGINT');
  expect((await running.ended).code).toBe(130);
});
