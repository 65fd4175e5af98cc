import { expect, test } from 'vitest';
import { makeSubject, uuidOf } from '../testing/records.ts';
import { sendJson, serve } from '../testing/serve.ts';
import { contractSchemas } from './contract-schemas.ts';
import { type Client, createClient } from './create-client.ts';
import { OptionError } from './errors.ts';

/** An archive of two pages of subjects, to which its events redirect; returns a client and the requested addresses. */
async function archive() {
  const requests: string[] = [];
  const baseUrl = await serve((request, response) => {
    const url = new URL(request.url ?? '', 'http://a.test');
    requests.push(url.pathname + url.search);
    if (url.pathname === '/en/api/events') {
      response.writeHead(302, { location: '/en/api/subjects' }).end();
      return;
    }
    const list = `${baseUrl}/en/api/subjects`;
    const isFirst = !url.searchParams.has('page');
    const links = isFirst ? { next: `${list}?page=2`, previous: null } : { next: null, previous: list };
    const results = Array.from({ length: 10 }, (_, index) =>
      makeSubject(index + (isFirst ? 1 : 11), { baseUrl, language: 'en' }),
    );
    sendJson(response, { ...links, count: 20, total: 20, language: 'en', results });
  });
  return { requests, client: createClient({ baseUrl, retries: 0, schemas: contractSchemas }) };
}

test('leaving the loop stops fetching', async () => {
  const { client, requests } = await archive();
  const ids: number[] = [];
  for await (const { id } of client.subjects.records()) {
    ids.push(id);
    if (id === 12) break;
  }
  expect(ids).toHaveLength(12);
  expect(requests).toEqual(['/en/api/subjects', '/en/api/subjects?page=2']);
});

test('rejects an invalid uuid without a request', async () => {
  const { client, requests } = await archive();
  await expect(client.persons.get('../search')).rejects.toThrow(OptionError);
  expect(requests).toEqual([]);
});

test('follows a redirect on the same host, and checks the response', async () => {
  const { client, requests } = await archive();
  await expect(Array.fromAsync(client.events.pages())).rejects.toMatchObject({ reason: 'response' });
  expect(requests).toEqual(['/en/api/events', '/en/api/subjects']);
});

const FIRST = uuidOf('subject', 1);

test.each<[string, (client: Client) => Promise<unknown>, object | ((baseUrl: string) => object), string]>([
  [
    'another page',
    (client) => client.subjects.readPage(`${client.subjects.url}?page=2`),
    {},
    'expected page 2, but it is page 1',
  ],
  [
    'a page of another query',
    (client) => Array.fromAsync(client.search('vries').pages()),
    {},
    'expected this list, but it is http',
  ],
  [
    'another record',
    (client) => client.subjects.get(uuidOf('subject', 2)),
    (baseUrl) => makeSubject(1, { baseUrl, language: 'en' }),
    `not ${FIRST}`,
  ],
  [
    'other suggestions',
    (client) => client.suggest('de'),
    { field: null, prefix: 'van', values: [] },
    'expected prefix to be "de", not "van"',
  ],
  [
    'another field',
    (client) => client.suggest('de', 'city'),
    { field: 'land', prefix: 'de', values: [] },
    'expected field to be "city", not "land"',
  ],
])('refuses %s', async (_, ask, body, message) => {
  const baseUrl = await serve((request, response) => {
    const list = `${baseUrl}${(request.url ?? '').split('?')[0]}`;
    response.setHeader('link', `<${list}?q=huygens>; rel="first", <${baseUrl}/docs>; rel="service-desc"`);
    const page = { next: null, previous: null, count: 0, total: 25, language: 'en', results: [] };
    sendJson(response, { ...page, ...(typeof body === 'function' ? body(baseUrl) : body) });
  });
  await expect(ask(createClient({ baseUrl, retries: 0 }))).rejects.toThrow(message);
});

test('throws the reason of the signal', async () => {
  const stop = new AbortController();
  const baseUrl = await serve(() => stop.abort(new Error('enough')));
  const client = createClient({ baseUrl, signal: stop.signal });
  await expect(Array.fromAsync(client.subjects.pages())).rejects.toThrow('enough');
});
