import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { loadedFiles } from '../support/loaded-files.ts';

const WORKER = fileURLToPath(new URL('../../apps/api/dist/search/thread/search-worker.js', import.meta.url));

test('the search thread loads the modules for searching only, not those that check, build or serve', async () => {
  const start = `new (require('node:worker_threads').Worker)(process.argv[1], { workerData: { file: 'none', cacheBytes: 0 } })
    .once('message', () => process.exit())`;
  const files = await loadedFiles(['-e', start, WORKER]);
  expect(files.length).toBeGreaterThan(10);
  expect(files.length).toBeLessThan(50);
  const isBeyond = (url: string) => /\/(zod|koa|knex|entities|packages\/formats)\/|\/http\//.test(url);
  expect(files.filter(isBeyond)).toEqual([]);
});
