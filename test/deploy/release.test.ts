import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { ROOT } from '../generate/generated.ts';
import { readRoot } from '../generate/packages.ts';
import { needs } from '../support/programs.ts';

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

test('a release publishes after all tests, with provenance', async () => {
  const { jobs } = parse(await readFile(`${ROOT}/.github/workflows/release.yml`, 'utf8'));
  expect(jobs.test.uses).toBe('./.github/workflows/ci.yml');
  expect([jobs.packages.needs, jobs.image.needs, jobs.release.needs]).toEqual([
    'test',
    'test',
    ['packages', 'image'],
  ]);
  const steps = jobs.packages.steps.map(({ run = '' }) => run).join('\n');
  expect(steps).toContain('--access public --provenance');
  expect(jobs.packages.permissions['id-token']).toBe('write');
});
