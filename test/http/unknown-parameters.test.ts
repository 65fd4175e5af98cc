import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CountedApi, startCountedApi } from '../support/counted-api.ts';
import { listEveryPath } from '../support/every-path.ts';
import { send } from '../support/send.ts';

let api: CountedApi;
beforeAll(async () => {
  api = await startCountedApi({ engine: 'sqlite', cacheBytes: 2 ** 24 });
});
afterAll(() => api?.stop());

test('unknown parameters are ignored on every path', async () => {
  for (const path of await listEveryPath(api.origin)) {
    const url = `${api.origin}${path}${path.includes('?') ? '&' : '?'}unheard=1`;
    const [other, plain] = [await send(url), await send(api.origin + path)];
    expect(other.status, path).toBe(200);
    expect(other.headers.etag, path).toBe(plain.headers.etag);
  }
});
