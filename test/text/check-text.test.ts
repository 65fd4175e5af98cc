import { expect, test } from 'vitest';
import { faultsOf } from './check-text.ts';

test.each([
  ['docs/a.md', 'See /home/me/notes.', 'docs/a.md:1: a path of one machine: /home/me/'],
  ['docs/a.md', '[it](../../b.md)', 'docs/a.md:1: outside the repository: ../../b.md'],
  ['test/a.ts', "import '../../b.ts';", 'test/a.ts:1: outside the repository: ../../b.ts'],
  ['a.ts', "new URL('../b', import.meta.url)", 'a.ts:1: outside the repository: ../b'],
  ['a.ts', "\nconst { x } = await import('../b.ts');", 'a.ts:2: outside the repository: ../b.ts'],
  ['a.ts', '// @ts-ignore', 'a.ts:1: a suppressed check: @ts-ignore'],
  ['a.ts', "test.skip('x')", 'a.ts:1: unfinished: test.skip'],
])('%s: %j is an error', (path, text, fault) => {
  expect(faultsOf(path, text)).toEqual([fault]);
});

test.each([
  ['docs/a.md', '[it](../README.md#home), `/home/` and https://a.test/home/me/'],
  ['test/http/a.ts', "import '../b.ts'; get('../../../b'); new URL('../../b', import.meta.url)"],
])('%s: %j has no errors', (path, text) => {
  expect(faultsOf(path, text)).toEqual([]);
});
