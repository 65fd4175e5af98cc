import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { FAULTS } from './faults.ts';
import { runCli, startCli } from './run-cli.ts';
import { runHere } from './run-here.ts';
import { startScene } from './scene.ts';
import { temporaryFolder } from './temporary-folder.ts';

test('without a terminal, reports milestones and the end of each kind', async (context) => {
  const { folder, command } = await startScene(context);
  const { stdout, stderr } = await runHere(command);
  expect(stdout).toBe('');
  expect(stderr).toContain('persons: 20 of 35 records (50%)\n');
  expect(stderr).toContain('subjects: 12 records, 2 pages.\n');
  expect(stderr).toMatch(/Complete: 63 records in /);
  expect(stderr).toContain(folder);
});

test('--quiet reports errors only', async (context) => {
  const { archive, command } = await startScene(context);
  expect(await runHere([...command, '--quiet'])).toEqual({ code: 0, stdout: '', stderr: '' });
  archive.fault = FAULTS['forbids a page'];
  const other = await temporaryFolder(context);
  const failed = await runHere([...command.slice(0, -1), other, '--quiet']);
  expect(failed.stderr).toMatch(/^archive-cli: .*status 403: Not now\.\n$/);
});

test('--verbose reports each page', async (context) => {
  const { command } = await startScene(context);
  const { stderr } = await runHere([...command, '--verbose']);
  for (const page of [1, 2, 3, 4]) expect(stderr).toContain(`persons: page ${page}, `);
});

test('--json writes events as JSON lines', async (context) => {
  const { archive, command } = await startScene(context, { fault: FAULTS['is unavailable twice'] });
  const { stdout, stderr } = await runHere([...command, '--json']);
  const events = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(stderr).toBe('');
  expect(events.filter(({ type }) => type === 'page')).toHaveLength(4 + 2 + 1 + 1);
  expect(events.filter(({ type }) => type === 'retry')).toMatchObject([
    { url: `${archive.url}/en/api/persons?page=2`, attempt: 1, waitMs: 500 },
    { url: `${archive.url}/en/api/persons?page=2`, attempt: 2, waitMs: 1000 },
  ]);
  expect(events.at(-1)).toMatchObject({ type: 'report', complete: true, kinds: { length: 4 } });
});

test('sends a User-Agent', async (context) => {
  const { archive, command } = await startScene(context);
  await runHere([...command, '--contact', 'mailto:reader@example.org']);
  expect(archive.lastHeaders['user-agent']).toBe('archive-cli/1.0.0 (mailto:reader@example.org)');
});

test('--dry-run reports the size of a harvest, and writes nothing', async (context) => {
  const { archive } = await startScene(context, { counts: { person: 1234 } });
  const dryRun = ['harvest', '--dry-run', '--base-url', archive.url];
  const { code, stdout, stderr } = await runHere(dryRun, {}, { isTTY: true, columns: 60 });
  expect(code).toBe(0);
  expect(stdout).toMatch(/persons +│ 1,234 +│ 124 /);
  expect(stdout).toMatch(/all +│ 1,262 +│ 128 /);
  expect(stderr).toMatch(/About .* s, at the current response time of the server\./);
  expect(archive.requests).toHaveLength(4 + 2);
});

test('--dry-run takes --rate into account', async (context) => {
  const { archive } = await startScene(context, { counts: { person: 1234 } });
  const args = ['harvest', '--dry-run', '--base-url', archive.url, '--rate', '4'];
  expect((await runHere(args)).stderr).toContain('About 32 s, ');
});

test('the address can come from ARCHIVE_URL', async (context) => {
  const { archive, folder } = await startScene(context);
  const { code } = await runHere(['harvest', 'events', '--out', folder], { ARCHIVE_URL: archive.url });
  expect(code).toBe(0);
});

test('a closed stdout is not an error', async (context) => {
  const { archive, command } = await startScene(context, { counts: { person: 3000 } });
  const running = startCli([...command, '--json']);
  await archive.requested(20);
  running.closeStdout();
  expect(await running.ended).toMatchObject({ code: 0, signal: null, stderr: '' });
});

test('http links are followed with https on the same host, with one warning per kind', async (context) => {
  const here = (name: string) => fileURLToPath(new URL(`tls/${name}`, import.meta.url));
  const tls = {
    key: await readFile(here('key.pem'), 'utf8'),
    cert: await readFile(here('cert.pem'), 'utf8'),
  };
  const { archive, folder, command } = await startScene(context, { tls, fault: FAULTS['has http links'] });
  const { code, stderr } = await runCli(command, { environment: { NODE_EXTRA_CA_CERTS: here('cert.pem') } });
  expect(stderr).toContain(
    'Links have http although the archive is served over https; they are followed with https',
  );
  expect(stderr.match(/followed with https/g)).toHaveLength(1);
  expect(code).toBe(0);
  expect(archive.requests).toContain('/en/api/persons?page=4');
  expect((await runHere(['verify', folder])).code).toBe(0);
  expect(await readFile(join(folder, 'persons.csv'), 'utf8')).toContain('https://localhost');
});
