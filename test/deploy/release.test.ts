import { execFile } from 'node:child_process';
import { globSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { ROOT } from '../generate/generated.ts';
import { readRoot } from '../generate/packages.ts';
import { freePort } from '../support/free-port.ts';
import { needs } from '../support/programs.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const NOTES = fileURLToPath(new URL('../../.ci/release-notes', import.meta.url));
const { version, address } = readRoot(ROOT);

describe('.ci/release-notes', needs('bash', 'awk'), () => {
  const run = (...args: string[]) =>
    promisify(execFile)(NOTES, args).then(
      ({ stdout }) => stdout,
      ({ stderr }) => stderr,
    );

  test('prints the section of the changelog, if it has one', async () => {
    const changelog = await readFile(`${ROOT}/CHANGELOG.md`, 'utf8');
    const [, section] = changelog.split(new RegExp(`^## ${version.replaceAll('.', '\\.')}(?: .*)?$`, 'm'));
    const expected = section?.split(/^## /m)[0]?.trim();
    const notes = await run(`v${version}`, address);
    expect(notes.trim()).toBe(expected ?? `release: expected a section "## ${version}" in CHANGELOG.md`);
  });

  test.each([
    [
      'another tag',
      ['v0.0.1', address],
      `release: expected the tag v${version}, the version in package.json, not v0.0.1\n`,
    ],
    [
      'a tag without v',
      [version, address],
      `release: expected the tag v${version}, the version in package.json, not ${version}\n`,
    ],
    [
      'another repository',
      [`v${version}`, 'https://github.com/a/b'],
      `release: expected repository.url git+https://github.com/a/b.git in package.json, not git+${address}.git\n`,
    ],
  ])('refuses %s', async (_, args, message) => {
    expect(await run(...args)).toBe(message);
  });
});

test('the image has a base with a digest, checks its health, and does not run as root', async () => {
  const dockerfile = await readFile(`${ROOT}/Dockerfile`, 'utf8');
  expect(dockerfile).toMatch(/^ARG NODE=node:24-\S+@sha256:[0-9a-f]{64}$/m);
  const stages = dockerfile.split(/^FROM /m).slice(1);
  for (const stage of stages) expect(stage).toMatch(/^(?:--platform=\S+ )?\$NODE\b/);
  expect(stages.at(-1)).toMatch(/^USER node$/m);
  expect(stages.at(-1)).toMatch(/^HEALTHCHECK .*\n.*\/health/m);
});

interface Job {
  needs?: string | string[];
  permissions?: Record<string, string>;
  steps?: { name?: string; uses?: string; run?: string }[];
}

const RELEASE: Record<string, Job> = parse(
  await readFile(`${ROOT}/.github/workflows/release.yml`, 'utf8'),
).jobs;

test('actions are pinned by commit', async () => {
  const uses = (
    await Promise.all(
      globSync('.github/workflows/*.yml', { cwd: ROOT }).map((file) => readFile(`${ROOT}/${file}`, 'utf8')),
    )
  ).flatMap((text) => [...text.matchAll(/uses: (.*)/g)].map(([, action = '']) => action));
  const pinned = uses.filter((action) => /^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(action));
  expect(uses.filter((action) => !pinned.includes(action))).toEqual(['./.github/workflows/ci.yml']);
  expect(pinned.length).toBeGreaterThan(10);
});

test('jobs that build run after all tests, without rights', () => {
  for (const name of ['build-packages', 'build-image']) {
    expect(RELEASE[name]?.needs, name).toBe('test');
    expect(RELEASE[name]?.permissions, name).toBeUndefined();
  }
});

test('jobs with rights publish what was built and checked, and run no code of the repository', () => {
  const withRights = Object.entries(RELEASE).filter(([, { permissions }]) => permissions);
  expect(withRights.map(([name]) => name)).toEqual(['packages', 'image', 'release']);
  for (const [name, { needs, steps = [] }] of withRights) {
    const built = name === 'release' ? ['packages', 'image'] : ['build-packages', 'build-image'];
    expect(needs, name).toEqual(built);
    const actions = steps.flatMap(({ uses = '' }) => uses.split('@', 1).filter(Boolean));
    expect(actions.filter((action) => action !== 'actions/setup-node')).toEqual([
      'actions/download-artifact',
    ]);
    const commands = steps.map(({ run = '' }) => run).join('\n');
    expect(commands, name).not.toMatch(/\bnpx\b|npm (?:ci|install|run)|docker (?:build|run)|\.ci\//);
  }
});

describe('the step that publishes packages', needs('bash', 'tar'), () => {
  const publish = RELEASE['packages']?.steps?.find(({ run }) => run)?.run ?? '';
  let folder: string;
  beforeAll(async () => {
    folder = await temporaryFolder();
    await mkdir(join(folder, 'package'));
    await writeFile(join(folder, 'package/package.json'), '{ "name": "@a/b", "version": "2.0.0" }');
    await mkdir(join(folder, 'packed'));
    await promisify(execFile)('tar', ['-czf', 'packed/a-b-2.0.0.tgz', 'package'], { cwd: folder });
  });

  /** Runs the step with a registry that answers a status, and says what it printed and was asked. */
  async function publishTo(status: number, body: object) {
    const asked: string[] = [];
    const server = createServer((request, response) => {
      asked.push(`${request.method} ${request.url}`);
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    });
    const port = await freePort();
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    const env = {
      ...{ PATH: process.env['PATH'], HOME: folder, npm_config_fetch_retries: '0' },
      npm_config_registry: `http://127.0.0.1:${port}/`,
    };
    try {
      const ran = await promisify(execFile)('bash', ['-e', '-c', publish], { cwd: folder, env }).then(
        ({ stdout }) => ({ code: 0, text: stdout }),
        ({ code, stderr }) => ({ code, text: stderr }),
      );
      return { ...ran, asked };
    } finally {
      server.close();
    }
  }

  test('leaves out what is published', async () => {
    const known = {
      name: '@a/b',
      'dist-tags': { latest: '2.0.0' },
      versions: { '2.0.0': { name: '@a/b', version: '2.0.0' } },
    };
    expect(await publishTo(200, known)).toMatchObject({ code: 0, text: '@a/b@2.0.0 is published already\n' });
  });

  test('publishes what the registry does not know', async () => {
    // This registry has no users: that npm asks for one is how far this can get.
    expect(await publishTo(404, {})).toMatchObject({ code: 1, text: expect.stringContaining('ENEEDAUTH') });
  });

  test('does not take a failure of the registry for absence', async () => {
    const { code, text, asked } = await publishTo(500, {});
    expect([code, text]).toEqual([
      1,
      expect.stringContaining('npm view @a/b@2.0.0 failed: npm error code E500'),
    ]);
    expect(asked.every((request) => request.startsWith('GET '))).toBe(true);
  });
});
