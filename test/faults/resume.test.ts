import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, type TestContext, test } from 'vitest';
import type { ArchiveServer, ArchiveServerOptions } from './archive-server.ts';
import { FAULTS } from './faults.ts';
import { startCli } from './run-cli.ts';
import { runHere } from './run-here.ts';
import { startScene } from './scene.ts';

const scene = (context: TestContext, options: ArchiveServerOptions = {}) =>
  startScene(context, options, ['--format', 'jsonl', '--retries', '0']);

/** A harvest that stopped because page 3 of the persons failed. */
async function interruptedScene(context: TestContext) {
  const made = await scene(context, {
    fault({ ctx, kind, page }) {
      if (kind === 'person' && page === 3) ctx.throw(503);
    },
  });
  expect((await runHere(made.command)).code).toBe(4);
  made.archive.fault = () => {};
  made.archive.requests.length = 0;
  return made;
}

function personsPages({ requests }: ArchiveServer): string[] {
  return requests.filter((url) => url.startsWith('/en/api/persons'));
}

test('resumes after the last stored page, and requests only that one again', async (context) => {
  const { archive, folder, command } = await interruptedScene(context);
  const { code, stderr } = await runHere(command);
  expect(code).toBe(0);
  expect(stderr).toContain('persons: resuming after page 2, 20 records.');
  expect(personsPages(archive)).toEqual([2, 3, 4].map((page) => `/en/api/persons?page=${page}`));
  expect((await runHere(['verify', folder])).code).toBe(0);
});

test('starts a kind again if its last stored page has changed', async (context) => {
  const { archive, folder, command } = await interruptedScene(context);
  archive.changed.set('person 15', { first_name: 'Piet' });
  const { code, stderr } = await runHere(command);
  expect(code).toBe(0);
  expect(stderr).toContain('persons: starting again because page 2 has changed: its records changed.');
  expect(personsPages(archive)).toHaveLength(1 + 4);
  expect(await readFile(join(folder, 'persons.jsonl'), 'utf8')).toContain('"first_name":"Piet"');
  expect((await runHere(['verify', folder])).code).toBe(0);
});

test('starts a kind again if its last stored page no longer exists', async (context) => {
  const { archive, command } = await interruptedScene(context);
  archive.ids.person.splice(5);
  const { code, stderr } = await runHere(command);
  expect(code).toBe(0);
  expect(stderr).toMatch(/persons: starting again because page 2 has changed.*status 404: Invalid page/);
});

test('rejects other options for the same folder', async (context) => {
  const { archive, folder, command } = await interruptedScene(context);
  const other = await runHere([...command, '--lang', 'nl']);
  expect(other.code).toBe(1);
  expect(other.stderr).toContain('contains a harvest with language en, not nl; harvest into another folder');
  const fewer = await runHere(['harvest', 'events', ...command.slice(1)]);
  expect(fewer.code).toBe(1);
  expect(fewer.stderr).toContain('contains a harvest with kinds person,subject,location,event, not event');
  const elsewhere = await runHere(['harvest', '--base-url', 'http://localhost:1', '--out', folder]);
  expect(elsewhere.code).toBe(1);
  expect(elsewhere.stderr).toContain(`contains a harvest with source ${archive.url}, not http://localhost:1`);
  expect(archive.requests).toEqual([]);
});

test('sends no request if the harvest is complete, and writes a missing format', async (context) => {
  const { archive, folder, command } = await scene(context);
  expect((await runHere(command)).code).toBe(0);
  archive.requests.length = 0;
  const { code, stderr } = await runHere([...command, '--format', 'csv']);
  expect(code).toBe(0);
  expect(stderr).toContain('already contains this harvest, complete');
  expect(archive.requests).toEqual([]);
  expect(await readFile(join(folder, 'subjects.csv'), 'utf8')).toContain('Subject 12');
  expect((await runHere(['verify', folder])).code).toBe(0);
});

test('starts again after a harvest during which the archive changed', async (context) => {
  const { archive, folder, command } = await scene(context, {
    fault: FAULTS['has a count that is too high'],
  });
  expect((await runHere(command)).code).toBe(3);
  archive.fault = () => {};
  const { code, stderr } = await runHere(command);
  expect(stderr).toContain('starting again');
  expect(code).toBe(0);
  expect((await runHere(['verify', folder])).code).toBe(0);
});

test('stops cleanly on Ctrl-C, and says how to resume', async (context) => {
  const { archive, command } = await scene(context, {
    async fault({ ctx, kind, page }) {
      if (kind === 'person' && page === 3) ctx.respond = false;
    },
  });
  const running = startCli(command);
  await archive.requested(4 + 4);
  running.kill('SIGINT');
  const { code, stderr } = await running.ended;
  expect(code).toBe(130);
  expect(stderr).toContain('Interrupted. Run the same command again to resume.');
  archive.fault = () => {};
  expect((await runHere(command)).code).toBe(0);
});

test('rejects a folder that another process is harvesting into, and leaves it unchanged', async (context) => {
  const asked = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<void>();
  const { folder, command } = await scene(context, {
    async fault({ kind, page }) {
      if (kind !== 'person' || page !== 2) return;
      asked.resolve();
      await answer.promise;
    },
  });
  const first = startCli(command);
  await asked.promise;
  const { code, stderr } = await runHere(command);
  expect(code).toBe(1);
  expect(stderr).toBe(
    `archive-cli: ${folder}: another harvest into this folder is running; wait for it, or harvest into another folder\n`,
  );
  answer.resolve();
  expect((await first.ended).code).toBe(0);
  expect((await runHere(['verify', folder])).code).toBe(0);
});
