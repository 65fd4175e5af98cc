import { expect, test } from 'vitest';
import { waitHint } from './request.ts';

const NOW = Date.parse('2026-01-01T00:00:00Z');

test.for<[number, Record<string, string>, number | undefined]>([
  [200, {}, undefined],
  [429, {}, undefined],
  [429, { 'retry-after': '30' }, 30_000],
  [503, { 'retry-after': '0' }, 0],
  [503, { 'retry-after': 'Thu, 01 Jan 2026 00:00:05 GMT' }, 5000],
  [503, { 'retry-after': 'Wed, 31 Dec 2025 23:59:00 GMT' }, 0],
  [503, { 'retry-after': 'soon' }, undefined],
  [200, { 'retry-after': '30' }, undefined],
  [200, { 'ratelimit-remaining': '1', 'ratelimit-reset': '9' }, undefined],
  [200, { 'ratelimit-remaining': '0', 'ratelimit-reset': '9' }, 9000],
  [200, { 'ratelimit-remaining': '0' }, undefined],
  [200, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(NOW / 1000 + 7) }, 7000],
  [200, { ratelimit: '"default";r=0;t=4' }, 4000],
  [200, { ratelimit: '"default";r=3;t=4' }, undefined],
  [200, { ratelimit: 'limit=10, remaining=0, reset=6' }, 6000],
  [429, { 'retry-after': '2', 'ratelimit-remaining': '0', 'ratelimit-reset': '9' }, 2000],
])('status %i with %j asks to wait %s ms', ([status, headers, expected]) => {
  expect(waitHint(status, new Headers(headers), NOW)).toBe(expected);
});
