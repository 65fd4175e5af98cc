import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BASE_URL } from '../support/api-server.ts';
import { type CountedApi, startCountedApi } from '../support/counted-api.ts';
import { listEveryPath } from '../support/every-path.ts';
import { send } from '../support/send.ts';

const STRICT = { Prefer: 'handling=strict' };

describe('unknown parameters', () => {
  let api: CountedApi;
  beforeAll(async () => {
    api = await startCountedApi({ engine: 'sqlite', cacheBytes: 2 ** 24 });
  });
  afterAll(() => api?.stop());

  test('are ignored, but rejected with strict handling, on every path', async () => {
    for (const path of await listEveryPath(api.origin)) {
      const url = `${api.origin}${path}${path.includes('?') ? '&' : '?'}unheard=1`;
      expect((await send(url)).status, path).toBe(200);
      // The lenient response is cached now.
      const refused = await send(url, STRICT);
      expect(refused.status, path).toBe(400);
      expect(JSON.parse(refused.body.toString())).toMatchObject({
        type: `${BASE_URL}/problems/unknown-parameter`,
        detail: expect.stringContaining('"unheard"'),
      });
      expect((await send(api.origin + path, STRICT)).status, path).toBe(200);
    }
  });

  test('the most similar name is suggested, in the language of the path', async () => {
    const { body } = await send(`${api.origin}/nl/api/persons?pag=2`, STRICT);
    expect(JSON.parse(body.toString())).toEqual({
      type: `${BASE_URL}/problems/unknown-parameter`,
      title: 'Onbekende parameter',
      status: 400,
      detail: 'Onbekende parameter "pag"; bedoelde u "page"?',
      expected: 'edition, fields, format, page',
      parameters: ['edition', 'fields', 'format', 'page'],
      nearest: 'page',
    });
  });

  test.each(['limit', 'page_size', 'per_page', 'offset'])(
    '%s is refused with a description of the alternatives',
    async (name) => {
      const { body } = await send(`${api.origin}/en/api/persons?${name}=50`, STRICT);
      expect(JSON.parse(body.toString())).toMatchObject({
        detail: expect.stringContaining(`Unknown parameter "${name}"`),
        expected: expect.stringMatching(/ten records.*next.*fields.*dump/),
      });
    },
  );

  test.each([
    ['respond-async, handling=strict; wait=5', 400],
    ['handling="strict"', 400],
    ['handling=lenient', 200],
    ['handling=strictly', 200],
    ['', 200],
  ])('Prefer: %s gets %i', async (prefer, status) => {
    expect((await send(`${api.origin}/en/api?unheard=1`, { Prefer: prefer })).status).toBe(status);
  });

  test('a strict request shares its response with others', async () => {
    const [lenient, strict] = [
      await send(`${api.origin}/en/api/search?q=leiden`),
      await send(`${api.origin}/en/api/search?q=leiden`, STRICT),
    ];
    expect(strict.headers.etag).toBe(lenient.headers.etag);
    expect(strict.body.equals(lenient.body)).toBe(true);
  });
});
