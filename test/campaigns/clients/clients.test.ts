import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { startApi, type TestArchive } from '../../support/api-server.ts';
import { writeFixture } from '../../support/fixture/fixture-bundle.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const run = promisify(execFile);
const COMPILER = fileURLToPath(new URL('../../../node_modules/.bin/tsc', import.meta.url));

/** The version of TypeScript for the generator, which does not support the project's. */
const GENERATOR = ['--package=openapi-typescript@7.13.0', '--package=typescript@5.9.3'];

/** A program that a web developer might write with the types. */
const PROGRAM = `
import type { components, operations, paths } from './api';

type Found<Path extends keyof paths> =
  paths[Path] extends { get: { responses: { 200: { content: infer Content } } } } ? Content : never;
type Json<Path extends keyof paths> = Found<Path> extends { 'application/json': infer Body } ? Body : never;

type Person = components['schemas']['Person'];
type Query = NonNullable<operations['search']['parameters']['query']>;

export const query: Query = { q: 'kind:event person:12', sort: '-date', fields: 'brief', page: 2 };
export const nameOf = (person: Person): string => person.title;
export const bornIn = (person: Person): string | null => person.birth_date;

export function titles(page: components['schemas']['PersonPage']): string[] {
  return page.results.map((person) => person.title);
}

/** With fields=brief, every field of the short set is there. */
export function captions(page: components['schemas']['PersonBriefPage']): string[] {
  return page.results.map(({ title, image }) => title + (image === null ? '' : image.alt));
}

export function hits(page: components['schemas']['SearchPage']): number[] {
  return page.results.map(({ score }) => score);
}

export const facets = (body: Json<'/{lang}/api/facets'>): number => body.count;
export const editions = (body: Json<'/{lang}/api/editions'>): number | undefined =>
  body.editions[0]?.id;
export const problem = ({ type, detail }: components['schemas']['Problem']) => [type, detail];
`;

let archive: TestArchive;
let folder: string;
beforeAll(async () => {
  folder = await temporaryFolder();
  archive = await startApi({ engine: 'sqlite', bundle: await writeFixture(folder) });
});

/** The errors that the compiler reports for a program. */
async function compile(name: string, program: string): Promise<string> {
  await writeFile(join(folder, name), program);
  const options = ['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess'];
  const checked = run(COMPILER, [...options, '--skipLibCheck', 'false', name], { cwd: folder });
  return checked.then(
    () => '',
    ({ stdout }: { stdout: string }) => stdout,
  );
}

test('a correct program with the types of openapi-typescript compiles, an incorrect one does not', async () => {
  await writeFile(join(folder, 'openapi.json'), await (await archive.fetch('/openapi.json')).text());
  const generate = ['openapi-typescript', 'openapi.json', '--output', 'api.d.ts'];
  const { stderr } = await run('npx', ['--yes', ...GENERATOR, '--', ...generate], { cwd: folder });
  expect(stderr).not.toMatch(/error/i);

  expect(await compile('program.ts', PROGRAM)).toBe('');
  expect(await compile('wrong.ts', PROGRAM.replace('person.title', 'person.titel'))).toMatch(/'titel'/);
  expect(await compile('sorted.ts', PROGRAM.replace("'-date'", "'colour'"))).toMatch(/"colour"/);
});
