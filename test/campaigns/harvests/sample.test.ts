import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { COLLECTIONS, KINDS, LANGUAGES } from '@archiefkast/types';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runHere } from '../../faults/run-here.ts';
import { serveBundle, serveSample } from '../../faults/serve-sample.ts';
import { temporaryFolder } from '../../faults/temporary-folder.ts';
import type { ApiServer } from '../../support/api-server.ts';
import { SAMPLE } from '../../support/sample.ts';
import { describeEngines } from '../../support/test-database.ts';
import { walkTexts } from '../../support/walk.ts';

describeEngines('archive-api on %s', (engine) => {
  let server: ApiServer;
  const ends: (() => unknown)[] = [];
  beforeAll(async () => {
    server = await serveBundle({ onTestFinished: (end) => ends.unshift(end) }, engine, SAMPLE);
  });
  afterAll(async () => {
    for (const end of ends) await end();
  });

  test.for(LANGUAGES)('is harvested in %s, completely and verifiably', async (language, context) => {
    const folder = await temporaryFolder(context);
    const command = ['harvest', '--base-url', server.baseUrl, '--lang', language, '--out', folder];
    const { code, stderr } = await runHere([...command, '--format', 'csv,jsonl', '--concurrency', '4']);
    expect(stderr).toMatch(/Complete/);
    expect(code).toBe(0);
    const verified = await runHere(['verify', folder]);
    expect({ code: verified.code, stderr: verified.stderr }).toEqual({ code: 0, stderr: '' });

    for (const kind of KINDS) {
      const pages = await walkTexts(server, `/${language}/api/${COLLECTIONS[kind]}`);
      const served = pages.flatMap((text) =>
        JSON.parse(text).results.map((record: unknown) => JSON.stringify(record)),
      );
      const lines = (await readFile(join(folder, `${COLLECTIONS[kind]}.jsonl`), 'utf8'))
        .split('\n')
        .slice(0, -1);
      expect(lines).toEqual(served);

      const name = `${COLLECTIONS[kind]}.csv`;
      const dump = await server.fetch(`/${language}/api/dump/${name}`);
      expect(await dump.text()).toBe(await readFile(join(folder, name), 'utf8'));
    }
  });
});

test('the examples of the library in the documentation work', async (context) => {
  const documentation = await readFile(
    fileURLToPath(new URL('../../../docs/cli.md', import.meta.url)),
    'utf8',
  );
  const examples = [...documentation.matchAll(/```ts\n(.*?)```/gs)].map(([, code]) => code ?? '');
  expect(examples).toHaveLength(2);
  const server = await serveSample(context);
  const folder = await temporaryFolder(context);
  const outputs: string[] = [];
  for (const code of examples) {
    const here = code.replaceAll('http://localhost:3000', server.baseUrl).replaceAll('my-harvest', folder);
    outputs.push(await runTypeScript(here));
  }
  expect(outputs[0]).toMatch(/\n\d[\d.]* location\n/);
  const lines = outputs[1]?.trim().split('\n') ?? [];
  expect(lines.filter((line) => line === 'page').length).toBeGreaterThan(0);
  expect(lines.at(-1)).toBe('complete');
});

/** Runs a program given as source text; returns its output. */
async function runTypeScript(code: string): Promise<string> {
  const { stdout, stderr } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module-typescript', '--eval', code],
    { cwd: fileURLToPath(new URL('..', import.meta.url)) },
  );
  return stdout + stderr;
}
