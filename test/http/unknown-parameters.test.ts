import { beforeAll, expect, test } from 'vitest';
import { type CountedApi, startCountedApi } from '../support/counted-api.ts';
import { listEveryPath } from '../support/every-path.ts';
import { send } from '../support/send.ts';

let api: CountedApi;
beforeAll(async () => {
  api = await startCountedApi({ engine: 'sqlite', cacheBytes: 2 ** 24 });
});

test.each([
  ['persons?fields=uuid&fields=title', 'persons?fields=uuid,title'],
  ['persons?fields[]=title&fields[]=uuid&fields=', 'persons?fields=uuid,title'],
  ['events?fields[0]=uuid&fields[1]=location.name', 'events?fields=uuid,location.name'],
  ['facets?of=kind&of=city', 'facets?of=kind,city'],
  ['search?q=x&q=city:leiden', 'search?q=city:leiden'],
  ['persons?format=json', 'persons?format=api'],
])('%s is %s', async (path, same) => {
  const [answer, expected] = [
    await send(`${api.origin}/en/api/${path}`),
    await send(`${api.origin}/en/api/${same}`),
  ];
  expect(answer.status).toBe(200);
  expect(answer.body).toEqual(expected.body);
});

test('unknown parameters are ignored on every path', async () => {
  for (const path of await listEveryPath(api.origin)) {
    const url = `${api.origin}${path}${path.includes('?') ? '&' : '?'}unheard=1`;
    const [other, plain] = [await send(url), await send(api.origin + path)];
    expect(other.status, path).toBe(200);
    expect(other.headers.etag, path).toBe(plain.headers.etag);
  }
});
