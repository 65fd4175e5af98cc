import { execFile } from 'node:child_process';
import { globSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import { ITSELF, startShared } from '../../support/api-server.ts';
import { needs } from '../../support/programs.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const TSC = join(ROOT, 'node_modules/.bin/tsc');
const run = promisify(execFile);

let packed: string;
beforeAll(async () => {
  packed = await temporaryFolder();
  await run('npm', ['pack', '--workspace', 'packages', '--workspace', 'apps', '--pack-destination', packed], {
    cwd: ROOT,
  });
}, 200_000);

/** Installs packages of the checkout in a new folder. @param names such as `client` */
async function install(...names: string[]): Promise<string> {
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  const files = names.flatMap((name) => globSync(join(packed, `archiefkast-${name}-*.tgz`)));
  const options = ['--no-audit', '--no-fund', '--prefer-offline', '--ignore-scripts'];
  await run('npm', ['install', ...options, ...files], { cwd: folder });
  return folder;
}

describe('packed packages', needs('bash'), () => {
  test('have entry points that resolve, and types of these', { timeout: 300_000 }, async () => {
    await run(join(ROOT, '.ci/check-packages'), [packed]);
  });
});

test('whoever installs the client gets ky, zod and two packages of Archiefkast', async () => {
  const folder = await install('client', 'types', 'system');
  const installed = globSync(['*/package.json', '@*/*/package.json'], { cwd: join(folder, 'node_modules') });
  expect(installed.map((path) => path.replace('/package.json', '')).toSorted()).toEqual([
    '@archiefkast/client',
    '@archiefkast/system',
    '@archiefkast/types',
    'ky',
    'zod',
  ]);
  const client = join(folder, 'node_modules/@archiefkast/client/dist/archive-client.js');
  expect(await readFile(client, 'utf8')).toContain('createClient');
});

test.each(['client', 'types'])('the examples in the README of %s compile, and run', async (name) => {
  const archive = await startShared('sample', 'sqlite', { BASE_URL: ITSELF });
  const folder = await install('client', 'types', 'system');
  const readme = await readFile(join(ROOT, 'packages', name, 'README.md'), 'utf8');
  const examples = [...readme.matchAll(/^```ts\n([\s\S]*?)^```/gm)].map(([, code = '']) => code);
  expect(examples.length).toBeGreaterThan(0);
  await mkdir(join(folder, 'examples'));
  for (const [place, code] of examples.entries()) {
    const example = join(folder, 'examples', `${place}.ts`);
    await writeFile(example, code.replaceAll('http://localhost:3000', archive.origin));
    const settings = '--noEmit --strict --skipLibCheck false --module nodenext --target esnext'.split(' ');
    const types = ['--types', 'node', '--typeRoots', join(ROOT, 'node_modules/@types')];
    await run(TSC, ['--ignoreConfig', ...settings, ...types, example], { cwd: folder }).catch(
      ({ stdout }) => {
        throw new Error(stdout);
      },
    );
    const { stdout, stderr } = await run(process.execPath, [example], { cwd: folder });
    expect([stdout.length > 100, stderr]).toEqual([true, '']);
  }
});
