import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

/** What the programs can print: the literals in their sources, with `…` for a value. */
const sources = globSync('{apps,packages}/*/{src,bin}/**/*.{ts,tsx,js}', { cwd: ROOT })
  .filter((path) => !path.endsWith('.test.ts'))
  .map(read);

/** The messages of the page: the first cell of a row. */
const messages = [...read('docs/troubleshooting.md').matchAll(/^\| `([^`]+)` \|/gm)].map(
  ([, message = '']) => message,
);

test('docs/troubleshooting.md has messages', () => {
  expect(messages.length).toBeGreaterThan(40);
  expect(messages).toEqual([...new Set(messages)]);
});

test.each(messages)('a source prints "%s"', (message) => {
  const parts = message.split('…').map((part) => part.trim());
  expect(sources.some((source) => parts.every((part) => source.includes(part)))).toBe(true);
});
