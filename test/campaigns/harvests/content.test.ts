import { execFile } from 'node:child_process';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { COLLECTIONS, KINDS } from '@archiefkast/types';
import { expect, test } from 'vitest';
import { createRandom } from '../../../apps/api/testing/random.ts';
import { runHere } from '../../faults/run-here.ts';
import { ITSELF, startShared } from '../../support/api-server.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** A timeout for tests that harvest several times from a server that they start. */
const LONG = { timeout: 120_000 };

const ARCHIVE_CLI = fileURLToPath(new URL('../../../apps/cli/bin/archive-cli.js', import.meta.url));

test(
  'pages and dumps give the same harvest: the published bytes, as the manifest confirms',
  LONG,
  async () => {
    const server = await startShared('sample', 'sqlite', { BASE_URL: ITSELF });
    const folders = { pages: await temporaryFolder(), dumps: await temporaryFolder() };
    const served = await (await server.fetch('/en/api/dump/manifest.json?edition=1')).text();
    for (const [from, folder] of Object.entries(folders)) {
      const command = ['harvest', '--base-url', server.baseUrl, '--out', folder, '--from', from];
      const { code, stderr } = await runHere([...command, '--format', 'csv,jsonl']);
      expect({ code, stderr }).toEqual({
        code: 0,
        stderr: expect.stringContaining('published as edition 1.'),
      });
      expect(await readFile(join(folder, 'manifest.json'), 'utf8')).toBe(served);
      const verified = await runHere(['verify', folder]);
      expect(verified.stdout).toContain(
        `Valid: every byte matches what ${server.baseUrl} published as edition 1, in en.\n`,
      );
      const asked = await runHere(['verify', '--source', folder]);
      expect({ code: asked.code, stderr: asked.stderr }).toEqual({ code: 0, stderr: '' });
      expect(asked.stdout).toContain('matches the manifest that the archive serves now\n');
    }
    for (const name of KINDS.flatMap((kind) => ['csv', 'jsonl'].map((end) => `${COLLECTIONS[kind]}.${end}`)))
      expect(await readFile(join(folders.dumps, name)), name).toEqual(
        await readFile(join(folders.pages, name)),
      );
    const proofOf = async (folder: string) =>
      JSON.parse(await readFile(join(folder, 'harvest.json'), 'utf8')).kinds;
    expect(await proofOf(folders.dumps)).toEqual(await proofOf(folders.pages));
    for (const from of ['dumps', 'pages']) {
      const { code, stderr } = await runHere(['harvest', '--update', folders.dumps, '--from', from]);
      expect({ code, stderr }).toEqual({
        code: 0,
        stderr: expect.stringContaining('0 added, 0 changed, 0 removed.'),
      });
    }
    expect((await runHere(['verify', folders.dumps])).code).toBe(0);
  },
);

/** The documentation of archive-cli. */
const readGuide = () => readFile(fileURLToPath(new URL('../../../docs/cli.md', import.meta.url)), 'utf8');

test('documentation: the examples of the library run', async () => {
  const examples = [...(await readGuide()).matchAll(/```ts\n(.*?)```/gs)].map(([, code]) => code ?? '');
  expect(examples).toHaveLength(2);
  const server = await startShared('sample', 'sqlite', { BASE_URL: ITSELF });
  const folder = await temporaryFolder();
  const outputs: string[] = [];
  for (const code of examples) {
    const here = code.replaceAll('http://localhost:3000', server.baseUrl).replaceAll('my-harvest', folder);
    const options = ['--input-type=module-typescript', '--eval', here];
    const { stdout, stderr } = await promisify(execFile)(process.execPath, options, {
      cwd: import.meta.dirname,
    });
    outputs.push(stderr + stdout);
  }
  expect(outputs[0]).toMatch(/\n\d[\d.]* location\n/);
  expect(outputs[1]).toMatch(/^page\n(?:.*\n)*complete$/m);
});

test('documentation: a manifest is signed and verified with ssh-keygen', LONG, async () => {
  const recipes = [...(await readGuide()).matchAll(/```sh\n(.*?)```/gs)].flatMap(([, text = '']) =>
    text.includes('ssh-keygen') ? text : [],
  );
  expect(recipes).toHaveLength(2);
  const server = await startShared('sample', 'sqlite', { BASE_URL: ITSELF });
  const folder = await temporaryFolder();
  const harvest = ['harvest', '--base-url', server.baseUrl, '--out', join(folder, 'harvest')];
  expect((await runHere(harvest)).code).toBe(0);
  const run = promisify(execFile);
  await run('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(folder, 'signing-key')]);
  const key = await readFile(join(folder, 'signing-key.pub'), 'utf8');
  await writeFile(join(folder, 'allowed-signers'), `archivist@example.org ${key}`);
  await writeFile(join(folder, 'archive-cli'), `#!/bin/sh\nexec ${process.execPath} ${ARCHIVE_CLI} "$@"\n`);
  await chmod(join(folder, 'archive-cli'), 0o755);
  const env = { ...process.env, PATH: `${folder}:${process.env['PATH']}` };
  const shell = (text: string) => run('sh', ['-ec', text], { cwd: folder, env });
  const [sign = '', check = ''] = recipes;
  await shell(sign.replace('http://localhost:3000', server.baseUrl));
  expect((await shell(check)).stdout).toContain('Good "archive" signature for archivist@example.org');

  const manifest = join(folder, 'harvest', 'manifest.json');
  const bytes = await readFile(manifest);
  const place = createRandom(1).below(bytes.length);
  bytes[place] = (bytes[place] ?? 0) ^ 1;
  await writeFile(manifest, bytes);
  await expect(shell(check)).rejects.toThrow();
});
