import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, type TestContext, test } from 'vitest';
import type { ArchiveServerOptions } from './archive-server.ts';
import { FAULTS } from './faults.ts';
import { runHere } from './run-here.ts';
import { startScene } from './scene.ts';

async function harvestFrom(context: TestContext, options: ArchiveServerOptions) {
  const { archive, folder } = await startScene(context, options);
  const result = await runHere(['harvest', '--base-url', archive.url, '--out', folder]);
  const proof: unknown = JSON.parse(await readFile(join(folder, 'harvest.json'), 'utf8'));
  return { archive, result, proof };
}

test('a harvest is pinned to the edition that the server names', async (context) => {
  const { archive, result, proof } = await harvestFrom(context, { edition: 'first' });
  expect(result).toMatchObject({ code: 0, stderr: expect.stringContaining('read from edition first') });
  expect(proof).toMatchObject({ edition: 'first', complete: true });
  const [probe, ...others] = archive.requests;
  expect(probe).toBe('/en/api/persons');
  expect(others.filter((url) => !url.includes('edition=first'))).toEqual([]);
});

test('all kinds start again if the edition is no longer served', async (context) => {
  const { result, proof } = await harvestFrom(context, {
    edition: 'first',
    fault: FAULTS['no longer serves the edition'],
  });
  expect(result).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('Edition first is no longer served'),
  });
  expect(proof).toMatchObject({ edition: 'second', complete: true });
});

test('a harvest is not pinned if the next links lack the edition', async (context) => {
  const { result, proof } = await harvestFrom(context, {
    edition: 'first',
    fault({ envelope }) {
      envelope.next = envelope.next?.replace('edition=first&', '') ?? null;
    },
  });
  expect(result).toMatchObject({ code: 0, stderr: expect.not.stringContaining('edition') });
  expect(proof).toMatchObject({ edition: null, complete: true });
});

test('kinds from different editions are read again', async (context) => {
  const { result, proof } = await harvestFrom(context, {
    edition: 'first',
    fault({ ctx, kind, visit, envelope }) {
      envelope.next = envelope.next?.replace(/edition=\w+&/, '') ?? null;
      if (kind === 'event' && visit === 1) ctx.set('Archive-Edition', 'earlier');
    },
  });
  expect(result).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('events: starting again because its edition is earlier'),
  });
  expect(proof).toMatchObject({ edition: null, complete: true });
});

test('an edition that one of several servers does not know yet is retried', async (context) => {
  const { result, proof } = await harvestFrom(context, {
    edition: 'first',
    fault: FAULTS['does not know the edition yet'],
  });
  expect(result).toMatchObject({ code: 0 });
  expect(result.stderr).toContain('status 404');
  expect(proof).toMatchObject({ edition: 'first', complete: true });
});
