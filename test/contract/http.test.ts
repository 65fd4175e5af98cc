import { COLLECTIONS, KINDS, LANGUAGES } from '@archiefkast/types';
import { describe, expect, test } from 'vitest';
import { describeFixture } from '../support/contract-archive.ts';
import { uuidOf } from '../support/fixture/names.ts';
import { send as sendTo, withoutMoment } from '../support/send.ts';

const FIRST_ID = { person: 101, subject: 1, location: 201, event: 301 } as const;

/** Every endpoint, in every language. */
const ENDPOINTS = LANGUAGES.flatMap((language) => [
  ...KINDS.map((kind) => `/${language}/api/${COLLECTIONS[kind]}`),
  `/${language}/api/search`,
  ...KINDS.map((kind) => `/${language}/api/${COLLECTIONS[kind]}/${uuidOf(kind, FIRST_ID[kind])}`),
]);

const UNKNOWN = 'aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee';

/** The `Vary` of the contract plus `Accept-Encoding`, because responses are compressed (decision 3). */
const CONTRACT_HEADERS = {
  'content-type': 'application/json',
  vary: 'Accept, Accept-Encoding',
  allow: 'GET, HEAD, OPTIONS',
};

/** A path, its expected status, and the title and detail of the problem. */
const ERRORS: readonly [path: string, status: number, title: string, detail: RegExp][] = [
  ...[
    '0',
    '-1',
    '-0',
    'abc',
    '1e3',
    '1.0',
    '0x1',
    ' 1',
    '+1',
    '４',
    '99999999999999999999',
    '3x',
    'last',
  ].map((page): [string, number, string, RegExp] => [
    `/en/api/persons?page=${encodeURIComponent(page)}`,
    404,
    'Invalid page',
    /^Invalid page\.$/,
  ]),
  ['/en/api/persons?page=4', 404, 'Invalid page', /^Invalid page\.$/],
  ['/en/api/subjects?page=3', 404, 'Invalid page', /^Invalid page\.$/],
  ['/en/api/locations?page=1000000', 404, 'Invalid page', /^Invalid page\.$/],
  ['/en/api/events?page=3', 404, 'Invalid page', /^Invalid page\.$/],
  ['/en/api/search?page=7', 404, 'Invalid page', /^Invalid page\.$/],
  ['/en/api/search?q=last_name:huygens&page=2', 404, 'Invalid page', /^Invalid page\.$/],
  ['/en/api/search?q=last_name:nobodyatall&page=2', 404, 'Invalid page', /^Invalid page\.$/],
  ['/nl/api/persons?page=0', 404, 'Ongeldige pagina', /^Invalid page\.$/],
  ['/de/api/persons', 404, 'Not found', /\/de\/api\/persons/],
  ['/EN/api/persons', 404, 'Not found', /\/EN\/api\/persons/],
  ['/en/api/Persons', 404, 'Not found', /\/en\/api\/Persons/],
  ['/en/api/people', 404, 'Not found', /\/en\/api\/people/],
  ['/en/persons', 404, 'Not found', /\/en\/persons/],
  ['/api/persons', 404, 'Not found', /\/api\/persons/],
  ['/nothing', 404, 'Not found', /^No resource at \/nothing\.$/],
  ['/media/point.png', 404, 'Not found', /media/],
  ['/%', 404, 'Not found', /^No resource at/],
  ['/en/api/search/x', 404, 'Not found', /search\/x/],
  [`/en/api/persons/${UNKNOWN}`, 404, 'Not found', new RegExp(`No person with UUID ${UNKNOWN}`)],
  [`/en/api/subjects/${UNKNOWN}`, 404, 'Not found', new RegExp(`No subject with UUID ${UNKNOWN}`)],
  [`/en/api/locations/${UNKNOWN}`, 404, 'Not found', new RegExp(`No location with UUID ${UNKNOWN}`)],
  [`/en/api/events/${UNKNOWN}`, 404, 'Not found', new RegExp(`No event with UUID ${UNKNOWN}`)],
  [`/nl/api/events/${UNKNOWN}`, 404, 'Niet gevonden', new RegExp(`No event with UUID ${UNKNOWN}`)],
  [`/en/api/persons/${uuidOf('subject', 1)}`, 404, 'Not found', /No person with UUID/],
  [`/en/api/persons/${uuidOf('person', 101)}/x`, 404, 'Not found', /^No resource at/],
  ['/en/api/locations/201', 404, 'Not found', /No location with UUID 201/],
  ['/en/api/locations/not-a-uuid', 404, 'Not found', /No location with UUID not-a-uuid/],
  ['/en/api/locations/%E0%A4%A', 404, 'Not found', /No location with UUID/],
  ["/en/api/persons/'; drop table texts; --", 404, 'Not found', /No person with UUID/],
  ['/en/api/search?q=lastname:x', 400, 'Invalid search query', /Unknown field "lastname".*last_name/],
  ['/en/api/search?q=pages:3', 400, 'Invalid search query', /Unknown field "pages".*city/],
  ['/en/api/search?q=last_name:', 400, 'Invalid search query', /last_name/],
  ['/en/api/search?q=%20last_name:%20', 400, 'Invalid search query', /last_name/],
  ['/nl/api/search?q=lastname:x', 400, 'Ongeldige zoekvraag', /field "lastname"; did you mean "last_name"\?/],
  [`/en/api/search?q=${'x'.repeat(1_001)}`, 400, 'Invalid search query', /has 1001 characters/],
  [`/en/api/search?q=${'a+'.repeat(26)}`, 400, 'Invalid search query', /too many words/],
  ['/en/api/search?q=kind:people', 400, 'Invalid search query', /Unknown kind "people"/],
  ['/en/api/search?q=birth_date:1650-13..', 400, 'Invalid search query', /is not a range/],
  ['/nl/api/search?q=birth_date:1650..1620', 400, 'Ongeldige zoekvraag', /ends before it starts/],
  [
    '/en/api/search?q=person:huygens',
    400,
    'Invalid search query',
    /"huygens" is not a reference to a record/,
  ],
  ['/en/api/search?q=%00', 400, 'Invalid search query', /contains no letters or digits/],
  ['/en/api/search?q=!!!', 400, 'Invalid search query', /contains no letters or digits/],
  ...ENDPOINTS.map((path): [string, number, string, RegExp] => [
    `${path}?format=xml`,
    400,
    path.startsWith('/en') ? 'Invalid format' : 'Ongeldig formaat',
    /"xml"/,
  ]),
];

describeFixture('HTTP', (archive) => {
  /** Sends any method and path, unchanged. */
  const send = async (method: string, path: string, headers: Record<string, string> = {}) => {
    const url = archive().origin + path.replaceAll(' ', '%20');
    const { body, ...response } = await sendTo(url, headers, method);
    return { ...response, body: body.toString() };
  };

  describe.each(ENDPOINTS)('%s', (path) => {
    test('GET has the headers of the contract, with one more name in Vary, and the length of the body', async () => {
      const { status, headers, body } = await send('GET', path);
      expect(status).toBe(200);
      expect(headers).toMatchObject({
        ...CONTRACT_HEADERS,
        'access-control-allow-origin': '*',
        'content-length': String(Buffer.byteLength(body)),
      });
      expect(JSON.parse(body)).toBeTypeOf('object');
    });

    test('HEAD has the response of GET without a body', async () => {
      const [get, head] = [await send('GET', path), await send('HEAD', path)];
      expect(head.body).toBe('');
      expect(head.status).toBe(200);
      expect(withoutMoment(head.headers)).toEqual(withoutMoment(get.headers));
    });

    test('format=api changes only the links of the envelope', async () => {
      const [plain, api] = [await send('GET', path), await send('GET', `${path}?format=api`)];
      expect(api.headers['content-type']).toBe('application/json');
      expect({ ...JSON.parse(api.body), next: null }).toEqual({ ...JSON.parse(plain.body), next: null });
    });

    test('OPTIONS describes the endpoint', async () => {
      const { status, headers, body } = await send('OPTIONS', path);
      expect(status).toBe(200);
      expect(headers).toMatchObject(CONTRACT_HEADERS);
      const description = JSON.parse(body);
      expect(description).toMatchObject({
        methods: ['GET', 'HEAD', 'OPTIONS'],
        renders: ['application/json'],
      });
      expect(description.name).not.toBe('');
      expect(description.description).not.toBe('');
      expect(Object.keys(description.parameters)).toContain('format');
    });

    test('a preflight allows requests from other origins', async () => {
      const { status, headers } = await send('OPTIONS', path, {
        Origin: 'https://site.test',
        'Access-Control-Request-Method': 'GET',
        'Access-Control-Request-Headers': 'x-requested-with',
      });
      expect(status).toBe(200);
      expect(headers).toMatchObject({
        'access-control-allow-origin': '*',
        'access-control-allow-methods': 'GET, HEAD, OPTIONS',
        'access-control-allow-headers': 'x-requested-with',
      });
      expect(Number(headers['access-control-max-age'])).toBeGreaterThan(0);
    });

    test.each(['POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND'])(
      '%s is not allowed',
      async (method) => {
        const { status, headers, body } = await send(method, path);
        expect(status).toBe(405);
        expectProblem({ headers, body });
        expect(JSON.parse(body).detail).toContain(method);
      },
    );
  });

  test.each(ERRORS)('%s: %i %s', async (path, status, title, detail) => {
    const response = await send('GET', path);
    expectProblem(response);
    expect(response.status).toBe(status);
    const problem = JSON.parse(response.body);
    expect(problem).toMatchObject({ title, status });
    expect(problem.detail).toMatch(detail);
  });

  test.each(['/de/api/persons', '/en/api/people', '/nothing'])(
    '%s is not found, with any method',
    async (path) => {
      for (const method of ['GET', 'OPTIONS', 'POST', 'DELETE']) {
        const response = await send(method, path);
        expect(response.status, method).toBe(404);
        expectProblem(response);
      }
    },
  );

  test('HEAD of an error has the headers and no body', async () => {
    const [get, head] = [
      await send('GET', '/en/api/persons?page=0'),
      await send('HEAD', '/en/api/persons?page=0'),
    ];
    expect(head.body).toBe('');
    expect(head.status).toBe(404);
    expect(withoutMoment(head.headers)).toEqual(withoutMoment(get.headers));
  });

  test('an unknown q field: the problem lists the valid fields', async () => {
    const { body } = await send('GET', '/en/api/search?q=lastname:x');
    for (const field of ['last_name', 'city', 'title_nl', 'birth_date', 'uuid', 'id']) {
      expect(JSON.parse(body).detail).toContain(field);
    }
  });
});

/** Checks that an error has the common shape and the headers of a success. */
function expectProblem({ headers, body }: { headers: object; body: string }): void {
  expect(headers).toMatchObject({
    ...CONTRACT_HEADERS,
    'content-type': 'application/problem+json',
    'access-control-allow-origin': '*',
    'content-length': String(Buffer.byteLength(body)),
  });
  const { expected, ...problem } = JSON.parse(body);
  expect(Object.keys(problem).slice(0, 4)).toEqual(['type', 'title', 'status', 'detail']);
  expect(problem.type).toMatch(/^https:\/\/archive\.test\/base\/problems\/[a-z-]+$/);
  expect(['string', 'undefined']).toContain(typeof expected);
}
