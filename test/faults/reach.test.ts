import { once } from 'node:events';
import { readFile, symlink } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, type TestContext, test } from 'vitest';
import { type ArchiveServerOptions, startArchive } from './archive-server.ts';
import { runHere } from './run-here.ts';
import { temporaryFolder } from './temporary-folder.ts';

async function scene(context: TestContext, options: ArchiveServerOptions = {}) {
  const archive = await startArchive(options);
  context.onTestFinished(() => archive.stop());
  return { archive, folder: await temporaryFolder(context) };
}

/** An address at which nothing listens. */
async function nowhere(): Promise<string> {
  const archive = await startArchive();
  await archive.stop();
  return archive.url;
}

const SHOW = ['show', 'person', 'a0000000-0000-4000-8000-000000000001'];

test.for([
  ['http://archive.invalid', 'the host name cannot be resolved: check it'],
  ['tls', 'the certificate is not trusted'],
] as const)('%s is told at once', async ([address, says], context) => {
  const here = (name: string) => readFile(fileURLToPath(new URL(`tls/${name}`, import.meta.url)), 'utf8');
  const tls = { key: await here('key.pem'), cert: await here('cert.pem') };
  const { archive, folder } = await scene(context, { tls });
  const url = address === 'tls' ? archive.url : address;
  for (const args of [['harvest', '--out', folder], ['search'], SHOW]) {
    const { code, stderr } = await runHere([...args, '--base-url', url]);
    expect({ code, stderr }).toEqual({ code: 4, stderr: expect.stringContaining(says) });
    expect(stderr).toContain('The server cannot be reached; run the same command again to retry.');
    expect(stderr).not.toContain('Retrying in');
  }
});

test('https to a port that speaks http gets a hint', async (context) => {
  const { archive } = await scene(context);
  const { code, stderr } = await runHere(['search', '--base-url', archive.url.replace('http:', 'https:')]);
  expect(code).toBe(4);
  expect(stderr).toContain('the port may not use TLS: try http instead of https');
});

test('a refused connection is retried: with messages by a harvest, briefly by search and show', async (context) => {
  const folder = await temporaryFolder(context);
  const url = await nowhere();
  const harvest = await runHere(['harvest', '--out', folder, '--base-url', url, '--retries', '1']);
  expect(harvest.code).toBe(4);
  expect(harvest.stderr).toMatch(/ECONNREFUSED.*Retrying in 1 s \(attempt 1\)\.\n/);
  expect(harvest.stderr).toContain('The server cannot be reached; run the same command again to retry.');
  for (const args of [['search'], SHOW]) {
    const { code, stderr } = await runHere([...args, '--base-url', url]);
    expect(code).toBe(4);
    const waits = [...stderr.matchAll(/Retrying in (\S+) s/g)].map(([, seconds]) => Number(seconds));
    expect(waits).toHaveLength(2);
    expect(Math.max(...waits)).toBeLessThanOrEqual(1);
  }
});

test('an address of the API or a page is reduced to its base URL, with a message', async (context) => {
  const { archive } = await scene(context);
  for (const [more, language] of [
    ['/nl/api/', 'nl'],
    ['/en/api/persons', 'en'],
    ['/nl', 'nl'],
    ['/en/', 'en'],
    ['/nl/personen/', 'nl'],
    ['/en/gebeurtenissen/d0000000-0000-4000-8000-000000000001/', 'en'],
    ['/nl/zoeken/?q=leiden', 'nl'],
    ['/en/docs#search', 'en'],
    ['/api', 'en'],
  ]) {
    archive.requests.length = 0;
    const { code, stderr } = await runHere([
      ...SHOW,
      '--base-url',
      `${archive.url}${more}`,
      '--retries',
      '0',
    ]);
    expect(stderr).toContain(`Using the base URL ${archive.url} and the language ${language}.`);
    expect(code).toBe(1);
    expect(archive.requests).toEqual([`/${language}/api/persons/${SHOW[2]}`]);
  }
});

test('links to 127.0.0.1 instead of localhost get a hint', async (context) => {
  const { archive, folder } = await scene(context, {
    fault({ envelope }) {
      envelope.next = envelope.next?.replace('localhost', '127.0.0.1') ?? null;
    },
  });
  const { code, stderr } = await runHere(['harvest', '--out', folder, '--base-url', archive.url]);
  expect(code).toBe(1);
  const other = archive.url.replace('localhost', '127.0.0.1');
  expect(stderr).toContain(`localhost and 127.0.0.1 are the same machine: use ${other} as the base URL`);
});

test('a search that needs one page only ignores its next link', async (context) => {
  const page = {
    next: 'http://elsewhere.test/en/api/search?page=2',
    previous: null,
    count: 30,
    total: 30,
    language: 'en',
    results: [{ type: 'subject', score: 0, instance: subject() }],
  };
  const server = createServer((_, answer) => {
    answer.setHeader('content-type', 'application/json').end(JSON.stringify(page));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  context.onTestFinished(() => void server.close());
  const at = ['--base-url', `http://127.0.0.1:${(server.address() as AddressInfo).port}`];
  const one = await runHere(['search', '--limit', '1', '--format', 'jsonl', ...at]);
  expect({ code: one.code, lines: one.stdout.trim().split('\n') }).toMatchObject({
    code: 0,
    lines: { length: 1 },
  });
  expect((await runHere(['search', '--count', ...at])).stdout).toBe('30\n');
  const two = await runHere(['search', '--limit', '2', '--format', 'jsonl', ...at]);
  expect({ code: two.code, stderr: two.stderr }).toEqual({
    code: 1,
    stderr: expect.stringContaining('another host'),
  });
});

test('a folder that cannot be created gets an error message', async (context) => {
  const { archive, folder } = await scene(context);
  const link = join(folder, 'link');
  await symlink(join(folder, 'nowhere'), link);
  const { code, stderr } = await runHere(['harvest', '--out', link, '--base-url', archive.url]);
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: expect.stringContaining(`${link} cannot be written (EEXIST`),
  });
});

function subject() {
  const empty = { image: null, published: true, same_as: null, parent: null, files: [] };
  const texts = ['name', 'description', 'summary'].flatMap((name) => [name, `${name}_nl`, `${name}_en`]);
  const uuid = 'b0000000-0000-4000-8000-000000000001';
  const url = `http://elsewhere.test/en/onderwerpen/${uuid}/`;
  return { ...empty, id: 1, uuid, url, ...Object.fromEntries(texts.map((name) => [name, 'Optics'])) };
}
