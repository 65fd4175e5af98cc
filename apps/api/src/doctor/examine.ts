import { randomUUID } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { fetchRaw, type RawAnswer, type RawRequest } from './fetch-raw.ts';

/** The result of a check. */
interface Finding {
  /** The name of the check. */
  check: string;
  /** `fault`: clients get no response or a wrong one. `advice`: it works, but can be improved. */
  level: 'fine' | 'advice' | 'fault';
  /** The result, and what to change. */
  says: string;
}

/** What a check finds: a fault, unless it says otherwise. */
type Found = string | Pick<Finding, 'level' | 'says'>;

/** The list that most checks request, below the base URL. */
const LIST = '/en/api/persons';

/** Requests paths below the public URL. */
class Archive {
  readonly baseUrl: string;

  constructor(baseUrl: string) {
    this.baseUrl = baseUrl;
  }

  get(headers: RawRequest['headers'] = {}, path = LIST, method: RawRequest['method'] = 'GET') {
    return fetchRaw(this.baseUrl + path, { method, headers });
  }
}

/** A check of the archive as its clients see it; all is fine if nothing is found. */
type Check = (archive: Archive) => AsyncGenerator<Found>;

/** The checks, in order, and what is said if all is fine. */
const CHECKS: readonly (readonly [name: string, check: Check, fine: (baseUrl: string) => string])[] = [
  ['links', checkLinks, (baseUrl) => `All links start with ${baseUrl}.`],
  ['CORS', checkCors, () => 'Pages of other sites can read all responses.'],
  ['ETag', checkConditions, () => 'Conditional requests get 304.'],
  ['HEAD', checkHead, () => 'HEAD responds as GET does.'],
  [
    'compression',
    checkCompression,
    () => 'Responses are compressed once, and only if the client accepts it.',
  ],
  ['ranges', checkRanges, () => 'Downloads can be resumed.'],
  ['queries', checkQueries, () => 'Queries arrive unchanged.'],
  ['errors', checkErrors, () => 'Error responses of the archive reach the client.'],
  ['edition', checkEdition, () => ''],
];

/**
 * Checks the public URL of an archive as a client would, to find errors of a proxy: wrong links, dropped headers, double
 * compression or stale editions.
 *
 * @param baseUrl base of every link
 * @returns the findings, in the order of the checks; only the first if the server cannot be reached
 */
export async function examine(baseUrl: string): Promise<Finding[]> {
  const archive = new Archive(baseUrl);
  try {
    await archive.get();
  } catch (error) {
    const says = `No response from ${baseUrl}: ${reasonOf(error)}. Check that BASE_URL is the public URL, and that the proxy is running.`;
    return [{ check: 'reach', level: 'fault', says }];
  }
  const findings: Finding[] = [];
  for (const [check, run, fine] of CHECKS) {
    const found: Found[] = [];
    try {
      for await (const each of run(archive)) found.push(each);
      if (found.length === 0) found.push({ level: 'fine', says: fine(baseUrl) });
    } catch (error) {
      found.push(`The connection failed during this check: ${reasonOf(error)}.`);
    }
    for (const each of found) {
      const { level, says } = typeof each === 'string' ? { level: 'fault' as const, says: each } : each;
      findings.push({ check, level, says });
    }
  }
  return findings;
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.message || ('code' in error ? String(error.code) : error.name);
}

const LINK = /"(https?:\/\/[^"\\]+?)\/(?:en|nl)\/(?:api|personen|onderwerpen|locaties|gebeurtenissen)\b/g;

/** Every link starts with the public URL. */
async function* checkLinks(archive: Archive): AsyncGenerator<Found> {
  const { baseUrl } = archive;
  const { status, headers, body } = await archive.get();
  const secure = baseUrl.replace(/^http:/, 'https:');
  const { location, 'content-type': type = 'no content type' } = headers;
  if (status >= 300 && status < 400) {
    yield location?.startsWith(secure) && baseUrl !== secure
      ? `${baseUrl} redirects to https (${status}). Set BASE_URL=${secure}, so that links need no redirect.`
      : `${baseUrl}${LIST} redirects to ${location || 'no location'} (${status}). Set BASE_URL to the URL of the archive.`;
  } else if (status === 503) {
    yield `${baseUrl}${LIST} responds 503: nothing is published, or the server is not ready.`;
  } else if (status !== 200 || !/^application\/json\b/.test(type)) {
    yield `${baseUrl}${LIST} is not the response of an archive (${status}, ${type}). If there is a path prefix, include it in BASE_URL and let the proxy remove it.`;
  } else {
    const roots = new Set([...body.toString('utf8').matchAll(LINK)].map(([, root = '']) => root));
    for (const root of roots) {
      if (root === baseUrl) continue;
      const isScheme = root.replace(/^https?:/, '') === baseUrl.replace(/^https?:/, '');
      const why = isScheme ? 'the same host with another scheme' : 'another URL';
      yield `Links start with ${root}, ${why} than ${baseUrl}. The server was started with BASE_URL=${root}; start it with BASE_URL=${baseUrl}.`;
    }
  }
}

/** Another origin than that of the archive. */
const ORIGIN = 'https://elsewhere.example';

/** Pages of other origins can read responses. */
async function* checkCors(archive: Archive): AsyncGenerator<Found> {
  const { headers } = await archive.get({ Origin: ORIGIN });
  const allowed = headers['access-control-allow-origin'];
  if (allowed !== '*' && allowed !== ORIGIN) {
    const what = allowed === undefined ? 'is missing' : `is "${allowed}"`;
    yield `Access-Control-Allow-Origin ${what}: pages of other sites cannot read the archive. Configure the proxy to pass the header unchanged, without adding its own.`;
  }
  if (!headers['access-control-expose-headers']?.includes('Archive-Edition')) {
    yield 'Access-Control-Expose-Headers is missing or incomplete: scripts of other sites cannot read ETag and Archive-Edition. Configure the proxy to pass it unchanged.';
  }
  const preflight = {
    'Access-Control-Request-Method': 'GET',
    'Access-Control-Request-Headers': 'if-none-match',
  };
  const { status, headers: given } = await archive.get({ Origin: ORIGIN, ...preflight }, LIST, 'OPTIONS');
  if (status >= 300 || given['access-control-allow-methods'] === undefined) {
    yield `The status of a preflight request (OPTIONS) is ${status}: browsers cannot send conditional requests from other sites. Configure the proxy to pass OPTIONS.`;
  }
}

/** Conditional requests get 304. */
async function* checkConditions(archive: Archive): AsyncGenerator<Found> {
  // Named, since the servers of a cluster switch to a new edition one after the other.
  const edition = editionOf(await archive.get());
  const path = edition === undefined ? LIST : `${LIST}?edition=${edition}`;
  const { etag } = (await archive.get({ 'Accept-Encoding': 'gzip' }, path)).headers;
  if (etag === undefined) {
    yield 'The ETag is missing: caches and clients download everything again. Configure the proxy to pass it (nginx: leave compression to the server).';
    return;
  }
  const { status } = await archive.get({ 'Accept-Encoding': 'gzip', 'If-None-Match': etag }, path);
  if (status !== 304) {
    yield `The status of a request with If-None-Match and the current ETag is ${status}, not 304. The proxy drops the header or changes the ETag.`;
  }
  if (etag.startsWith('W/')) {
    const says =
      'The ETag is weak, because the proxy compresses responses. Leave compression to the server, so that downloads can be resumed.';
    yield { level: 'advice', says };
  }
}

async function* checkHead(archive: Archive): AsyncGenerator<Found> {
  const { status } = await archive.get({}, LIST, 'HEAD');
  if (status !== 200) {
    yield `The status of HEAD is ${status}, that of GET is 200. Configure the proxy to pass HEAD.`;
  }
}

const GZIP = Buffer.from([0x1f, 0x8b]);

/** Responses are compressed, once. */
async function* checkCompression(archive: Archive): AsyncGenerator<Found> {
  const { headers, body } = await archive.get({ 'Accept-Encoding': 'gzip' });
  const coding = headers['content-encoding'];
  if (coding === undefined && isGzip(body)) {
    yield 'The body is compressed, but Content-Encoding is missing: clients cannot decode it.';
  } else if (coding === undefined) {
    const says =
      'Responses are not compressed, although the request accepts gzip. Configure the proxy to pass Accept-Encoding, unless clients are on the same machine.';
    yield { level: 'advice', says };
  } else if (/,/.test(coding) || (isGzip(body) && isGzip(gunzipSync(body)))) {
    yield `Responses are compressed twice (Content-Encoding: ${coding}): clients cannot decode them. Disable compression in the proxy.`;
  } else {
    const plain = await archive.get({ 'Accept-Encoding': 'identity' });
    if (plain.headers['content-encoding'] === undefined && !isGzip(plain.body)) return;
    yield 'A client that does not accept compression gets a compressed response. A cache ignores Vary: Accept-Encoding.';
  }
}

function isGzip(body: Buffer): boolean {
  return body.subarray(0, 2).equals(GZIP);
}

/** Downloads can be resumed. */
async function* checkRanges(archive: Archive): AsyncGenerator<Found> {
  const range = { Range: 'bytes=0-99', 'Accept-Encoding': 'identity' };
  const { status, headers, body } = await archive.get(range, '/en/api/dump/persons.jsonl');
  if (status === 206 && headers['content-range']?.startsWith('bytes 0-') && body.length <= 100) return;
  yield status === 416
    ? { level: 'fine', says: 'Not checked: the archive has no persons.' }
    : `The status of a range request is ${status}, not 206: downloads cannot be resumed. Configure the proxy to pass Range (for Varnish, see docs/operations.md).`;
}

/** A value with characters that proxies often alter: slash, plus, space, quotation mark and an accented letter. */
const ODD_VALUE = 'a/b+c d"é';

/** The query arrives unchanged: an unknown order of search is refused by name. */
async function* checkQueries(archive: Archive): AsyncGenerator<Found> {
  const { status, body } = await archive.get({}, `/en/api/search?sort=${encodeURIComponent(ODD_VALUE)}`);
  const named = JSON.stringify(ODD_VALUE).slice(1, -1);
  if (status === 400 && body.toString('utf8').includes(named)) return;
  yield `A query with encoded characters was altered (${status}). Configure the proxy to pass URLs unchanged.`;
}

/** Error responses of the archive reach the client. */
async function* checkErrors(archive: Archive): AsyncGenerator<Found> {
  const { status, headers } = await archive.get({}, `${LIST}?page=0`);
  const type = headers['content-type'] ?? 'no content type';
  if (status === 404 && type.startsWith('application/problem+json')) return;
  yield `The response to an invalid page is ${status} (${type}), not 404 (application/problem+json): the proxy replaces errors with its own pages. Disable that for the archive.`;
}

/** Caches do not keep an earlier edition longer than Cache-Control allows. */
async function* checkEdition(archive: Archive): AsyncGenerator<Found> {
  const cached = await archive.get();
  // An unknown parameter is ignored by the server, but makes caches miss.
  const fresh = await archive.get({}, `${LIST}?doctor=${randomUUID()}`);
  const [before, now] = [editionOf(cached), editionOf(fresh)];
  const [age, most] = [Number(cached.headers['age'] ?? 0), longestAge(cached)];
  if (before === undefined || now === undefined) {
    yield 'The header Archive-Edition is missing: clients cannot distinguish editions. Configure the proxy to pass it.';
  } else if (before === now) {
    yield { level: 'fine', says: `Edition ${now} is served, and no earlier one is cached.` };
  } else if (age <= most) {
    const says = `Edition ${now} is served; a cache still has edition ${before}, for at most ${most - age} s.`;
    yield { level: 'fine', says };
  } else {
    yield `Edition ${now} is served, but a cache still has edition ${before} after ${age} s; Cache-Control allows ${most} s. Purge the cache, and configure it to respect Cache-Control.`;
  }
}

function editionOf({ headers }: RawAnswer): number | undefined {
  const edition = headers['archive-edition'];
  return edition === undefined ? undefined : Number(edition);
}

/** Seconds that `Cache-Control` allows: the sum of max-age and stale-while-revalidate. */
function longestAge({ headers }: RawAnswer): number {
  const seconds = (directive: string) =>
    Number(new RegExp(`${directive}=(\\d+)`).exec(headers['cache-control'] ?? '')?.[1] ?? 0);
  return seconds('max-age') + seconds('stale-while-revalidate');
}
