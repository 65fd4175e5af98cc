import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { FAULTS, type FaultName } from './faults.ts';
import { lineCount } from './line-count.ts';
import { runHere } from './run-here.ts';
import { startScene } from './scene.ts';

/** The expected outcome for a fault. */
interface Expectation {
  fault: FaultName;
  code: number;
  /** Expected text in stderr. */
  says: RegExp;
  /** Number of persons written; undefined if no file is expected. */
  persons?: number;
  args?: string[];
}

const GOES_ON = /Run the same command again to resume/;

const EXPECTATIONS: Expectation[] = [
  { fault: 'sends Retry-After of a second', code: 0, says: /The server asks to wait 1 s/, persons: 35 },
  { fault: 'sends Retry-After with a date', code: 0, says: /The server asks to wait [12] s/, persons: 35 },
  {
    fault: 'sends Retry-After of an hour',
    code: 4,
    says: /asks to wait 3600 s, longer than the 20 s allowed/,
  },
  { fault: 'has a used-up rate limit', code: 0, says: /The server asks to wait 1 s/, persons: 35 },
  { fault: 'is unavailable twice', code: 0, says: /status 503: Not now\.\. Retrying in/, persons: 35 },
  { fault: 'is always unavailable', code: 4, says: GOES_ON },
  { fault: 'forbids a page', code: 1, says: /page=2: the server responded with status 403: Not now\./ },
  { fault: 'does not respond once', code: 0, says: /the server sent nothing for 1 s/, persons: 35 },
  { fault: 'cuts a response half-way once', code: 0, says: /the connection failed/, persons: 35 },
  {
    fault: 'sends HTML',
    code: 1,
    says: /page=2: expected a page of persons, as JSON; the response begins with: <!DOCTYPE html> <html><title>Maint/,
  },
  { fault: 'sends HTML once', code: 0, says: /expected a page of persons/, persons: 35 },
  { fault: 'sends invalid JSON', code: 1, says: /as JSON; the response begins with: \{"next": nul/ },
  { fault: 'has another contract', code: 1, says: /but next: .*the response begins with: \{"items": \[\]/ },
  { fault: 'has an unknown field', code: 1, says: /has the unknown field "age"/ },
  {
    fault: 'has an unknown field',
    args: ['--lenient'],
    code: 0,
    says: /Complete/,
    persons: 35,
  },
  { fault: 'has another language', code: 1, says: /expected the language en, not nl/ },
  { fault: 'links to the page itself as next', code: 1, says: /page=2 names \S+page=2 .*visited before/ },
  {
    fault: 'links to an earlier page as next',
    code: 1,
    says: /page=2 names \S+persons .*visited before/,
  },
  {
    fault: 'links to another host',
    code: 1,
    says: /page=2 names http:\/\/elsewhere\.test\S+ .*another host/,
  },
  { fault: 'links to another list', code: 1, says: /page=2 names \S+subjects\?page=3 .*another list/ },
  { fault: 'links to a filtered page as next', code: 1, says: /does not keep the parameter "q"/ },
  { fault: 'skips a page', code: 1, says: /names \S+page=4 .*where page 3 was expected/ },
  { fault: 'redirects to another host', code: 1, says: /redirects to http:\/\/elsewhere\.test\// },
  {
    fault: 'gains a record once',
    code: 0,
    says: /starting again because count changed from 35 to 36/,
    persons: 36,
  },
  {
    fault: 'loses a record once',
    code: 0,
    says: /starting again because count changed from 35 to 34/,
    persons: 34,
  },
  {
    fault: 'keeps gaining records',
    code: 3,
    says: /the archive changed during the harvest, twice/,
    persons: 37,
  },
  {
    fault: 'swaps two records',
    code: 0,
    says: /starting again because \S+page=3 repeats the record a0000000/,
    persons: 35,
  },
  {
    fault: 'has a count that is too high',
    code: 3,
    says: /35 records received, expected 36/,
    persons: 35,
  },
  { fault: 'has a count that is too low', code: 1, says: /with a count of 12 the last page is 2/ },
  { fault: 'changes its total', code: 3, says: /total changed from 63 to 64/, persons: 35 },
  { fault: 'changes its edition', code: 3, says: /edition changed from \w+ to b/, persons: 35 },
  {
    fault: 'has a duplicate uuid',
    code: 3,
    says: /page=2 repeats the record a0000000-0000-4000-8000-000000000011/,
    persons: 35,
  },
  { fault: 'repeats a page', code: 3, says: /page=3 repeats the record \S+ and 9 others/, persons: 35 },
  {
    fault: 'has a short page',
    code: 3,
    says: /page=2 has 9 records, but is not the last page/,
    persons: 34,
  },
  { fault: 'has a page of ten megabytes', code: 0, says: /Complete/, persons: 35 },
  {
    fault: 'has a page of ten megabytes',
    args: ['--max-page-size', '5'],
    code: 1,
    says: /page=2: the response is larger than the limit of 5 MB/,
  },
  { fault: 'is endless', code: 1, says: /the last page is \d+/ },
  {
    fault: 'sends a decompression bomb',
    args: ['--max-page-size', '20'],
    code: 1,
    says: /larger than the limit of 20 MB/,
  },
];

test.concurrent.for(EXPECTATIONS)('an archive that $fault: exit code $code', async (expectation, context) => {
  const { expect } = context;
  const { fault, code, says, persons, args = [] } = expectation;
  const { archive, folder } = await startScene(context, { fault: FAULTS[fault] });
  const result = await runHere([
    ...['harvest', '--base-url', archive.url, '--out', folder, '--format', 'jsonl'],
    ...['--timeout', '1', '--retries', '2', '--max-wait', '20', ...args],
  ]);

  expect(result.stderr).toMatch(says);
  expect(result).toMatchObject({ code, stdout: '' });
  const files = await readdir(folder);
  if (persons === undefined) {
    expect(files).toEqual(['harvest.sqlite']);
    expect((await runHere(['verify', folder])).code).toBe(4);
    return;
  }
  expect(files.toSorted()).toEqual([
    'datapackage.json',
    'events.jsonl',
    'harvest.json',
    'harvest.sqlite',
    'locations.jsonl',
    'persons.jsonl',
    'subjects.jsonl',
  ]);
  expect(await lineCount(join(folder, 'persons.jsonl'))).toBe(persons);
  expect((await runHere(['verify', folder])).code).toBe(code);
});

test('every fault is tested, here or in another file', () => {
  const elsewhere: FaultName[] = [
    'does not know the edition yet',
    'has http links',
    'no longer serves the edition',
  ];
  const tried = new Set([...EXPECTATIONS.map(({ fault }) => fault), ...elsewhere]);
  expect(Object.keys(FAULTS).filter((fault) => !tried.has(fault as FaultName))).toEqual([]);
});
