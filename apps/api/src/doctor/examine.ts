import { randomUUID } from 'node:crypto';

/** The result of a check. */
interface Finding {
  /** The name of the check. */
  check: string;
  /** `fault`: clients get no response or a wrong one. `advice`: it works, but can be improved. */
  level: 'fine' | 'advice' | 'fault';
  /** The result, and what to change. */
  says: string;
}

interface Answer {
  status: number;
  headers: Headers;
  body: Buffer;
}

/** Sends a request to a path below the public URL; redirects are not followed. */
type Ask = (path: string, headers?: Record<string, string>, method?: string) => Promise<Answer>;

/** A check of the archive as its clients see it: its faults and advice, and at last what it says if there are none. */
type Check = (ask: Ask, baseUrl: string) => AsyncGenerator<string | Omit<Finding, 'check'>>;

const fine = (says: string) => ({ level: 'fine', says }) as const;
const advice = (says: string) => ({ level: 'advice', says }) as const;

/** The list that most checks request. */
const LIST = '/en/api/persons';
const LINK = /"(https?:\/\/[^"\\]+?)\/(?:en|nl)\/(?:api|personen|onderwerpen|locaties|gebeurtenissen)\b/g;

/** Another origin than that of the archive. */
const ORIGIN = 'https://elsewhere.example';
const PREFLIGHT = {
  Origin: ORIGIN,
  'Access-Control-Request-Method': 'GET',
  'Access-Control-Request-Headers': 'if-none-match',
};
const GZIP = { 'Accept-Encoding': 'gzip' };

/** A value with characters that proxies often alter: slash, plus, space, quotation mark and an accented letter. */
const ODD_VALUE = 'a/b+c d"é';

/** The checks, in order. */
const CHECKS: Readonly<Record<string, Check>> = {
  async *links(ask, baseUrl) {
    const { status, headers, body } = await ask(LIST);
    const [secure, location] = [baseUrl.replace(/^http:/, 'https:'), headers.get('location')];
    if (status >= 300 && status < 400 && location?.startsWith(secure) && baseUrl !== secure)
      yield `${baseUrl} redirects to https (${status}). Set BASE_URL=${secure}, so that links need no redirect.`;
    else if (status >= 300 && status < 400)
      yield `${baseUrl}${LIST} redirects to ${location || 'no location'} (${status}). Set BASE_URL to the URL of the archive.`;
    else if (status === 503)
      yield `${baseUrl}${LIST} responds 503: nothing is published, or the server is not ready.`;
    else if (status !== 200 || !/^application\/json\b/.test(typeOf(headers)))
      yield `${baseUrl}${LIST} is not the response of an archive (${status}, ${typeOf(headers)}). If there is a path prefix, include it in BASE_URL and let the proxy remove it.`;
    else
      for (const root of new Set(Array.from(body.toString().matchAll(LINK), ([, root = '']) => root))) {
        if (root === baseUrl) continue;
        const isScheme = root.replace(/^https?:/, '') === baseUrl.replace(/^https?:/, '');
        const why = isScheme ? 'the same host with another scheme' : 'another URL';
        yield `Links start with ${root}, ${why} than ${baseUrl}. The server was started with BASE_URL=${root}; start it with BASE_URL=${baseUrl}.`;
      }
    yield fine(`All links start with ${baseUrl}.`);
  },

  async *CORS(ask) {
    const { headers } = await ask(LIST, { Origin: ORIGIN });
    const allowed = headers.get('access-control-allow-origin');
    if (allowed !== '*' && allowed !== ORIGIN)
      yield `Access-Control-Allow-Origin ${allowed === null ? 'is missing' : `is "${allowed}"`}: pages of other sites cannot read the archive. Configure the proxy to pass the header unchanged, without adding its own.`;
    if (!headers.get('access-control-expose-headers')?.includes('Archive-Edition'))
      yield 'Access-Control-Expose-Headers is missing or incomplete: scripts of other sites cannot read ETag and Archive-Edition. Configure the proxy to pass it unchanged.';
    const preflight = await ask(LIST, PREFLIGHT, 'OPTIONS');
    if (preflight.status >= 300 || !preflight.headers.has('access-control-allow-methods'))
      yield `The status of a preflight request (OPTIONS) is ${preflight.status}: browsers cannot send conditional requests from other sites. Configure the proxy to pass OPTIONS.`;
    yield fine('Pages of other sites can read all responses.');
  },

  async *ETag(ask) {
    // Named, since the servers of a cluster switch to a new edition one after the other.
    const edition = editionOf(await ask(LIST));
    const path = edition === null ? LIST : `${LIST}?edition=${edition}`;
    const etag = (await ask(path, GZIP)).headers.get('etag') ?? '';
    const { status } = await ask(path, { ...GZIP, 'If-None-Match': etag });
    if (etag === '')
      yield 'The ETag is missing: caches and clients download everything again. Configure the proxy to pass it (nginx: leave compression to the server).';
    else if (status !== 304)
      yield `The status of a request with If-None-Match and the current ETag is ${status}, not 304. The proxy drops the header or changes the ETag.`;
    if (etag.startsWith('W/'))
      yield advice(
        'The ETag is weak, because the proxy compresses responses. Leave compression to the server, so that downloads can be resumed.',
      );
    yield fine('Conditional requests get 304.');
  },

  async *HEAD(ask) {
    const { status } = await ask(LIST, {}, 'HEAD');
    if (status !== 200)
      yield `The status of HEAD is ${status}, that of GET is 200. Configure the proxy to pass HEAD.`;
    yield fine('HEAD responds as GET does.');
  },

  async *compression(ask) {
    // Its body is decoded once, as the header says.
    const { headers, body } = await ask(LIST, GZIP);
    const coding = headers.get('content-encoding');
    const plain = await ask(LIST);
    if (coding === null && isGzip(body))
      yield 'The body is compressed, but Content-Encoding is missing: clients cannot decode it.';
    else if (coding === null)
      yield advice(
        'Responses are not compressed, although the request accepts gzip. Configure the proxy to pass Accept-Encoding, unless clients are on the same machine.',
      );
    else if (coding.includes(',') || isGzip(body))
      yield `Responses are compressed twice (Content-Encoding: ${coding}): clients cannot decode them. Disable compression in the proxy.`;
    else if (plain.headers.has('content-encoding') || isGzip(plain.body))
      yield 'A client that does not accept compression gets a compressed response. A cache ignores Vary: Accept-Encoding.';
    yield fine('Responses are compressed once, and only if the client accepts it.');
  },

  async *ranges(ask) {
    const { status, headers, body } = await ask('/en/api/dump/persons.jsonl', { Range: 'bytes=0-99' });
    if (status === 416) yield fine('Not checked: the archive has no persons.');
    else if (status !== 206 || !headers.get('content-range')?.startsWith('bytes 0-') || body.length > 100)
      yield `The status of a range request is ${status}, not 206: downloads cannot be resumed. Configure the proxy to pass Range (for Varnish, see docs/install-and-hosting.md).`;
    yield fine('Downloads can be resumed.');
  },

  /** An unknown order of search is refused by name. */
  async *queries(ask) {
    const { status, body } = await ask(`/en/api/search?sort=${encodeURIComponent(ODD_VALUE)}`);
    if (status !== 400 || !body.toString().includes(JSON.stringify(ODD_VALUE).slice(1, -1)))
      yield `A query with encoded characters was altered (${status}). Configure the proxy to pass URLs unchanged.`;
    yield fine('Queries arrive unchanged.');
  },

  async *errors(ask) {
    const { status, headers } = await ask(`${LIST}?page=0`);
    if (status !== 404 || !typeOf(headers).startsWith('application/problem+json'))
      yield `The response to an invalid page is ${status} (${typeOf(headers)}), not 404 (application/problem+json): the proxy replaces errors with its own pages. Disable that for the archive.`;
    yield fine('Error responses of the archive reach the client.');
  },

  /** Below a prefix, the host has to say what the archive says to robots, which read the root alone. */
  async *robots(ask, baseUrl) {
    const { origin } = new URL(baseUrl);
    const linesOf = ({ body }: Answer) =>
      body
        .toString()
        .split('\n')
        .map((line) => line.trim());
    const own = linesOf(await ask('/robots.txt'));
    const read = new Set(linesOf(await request(`${origin}/robots.txt`)));
    const missing = own.filter((line) => line !== '' && !read.has(line));
    if (missing.length > 0)
      yield advice(
        `Robots read ${origin}/robots.txt only, which lacks ${missing.length} of the lines of ${baseUrl}/robots.txt, such as "${missing[0]}". Copy them there.`,
      );
    yield fine(`${origin}/robots.txt says to robots what the archive says.`);
  },

  /** The addresses that name records lead to them, also if they begin otherwise than links: after a move, and of a copy. */
  async *identity(ask, baseUrl) {
    const manifest = (await ask('/api/dump/manifest.json')).body.toString();
    const [, address = baseUrl] = /"mirror_of":\{"address":"([^"]+)"/.exec(manifest) ?? [];
    const [, uuid] = /\/personen\/([0-9a-f-]{36})\//.exec((await ask(LIST)).body.toString()) ?? [];
    const name = `${address}/id/${uuid}`;
    const answer = address === baseUrl || !uuid ? 200 : await request(name).then(statusOf, reasonOf);
    if (typeof answer === 'string' || answer >= 400)
      yield advice(
        `Records are named by addresses such as ${name}, which lead nowhere (${answer}). Let ${address} redirect to ${baseUrl}, or correct IDENTITY_URL.`,
      );
    yield fine(`Records are named by addresses that start with ${address}/id/.`);
  },

  /** Caches do not keep an earlier edition longer than Cache-Control allows. */
  async *edition(ask) {
    const cached = await ask(LIST);
    // An unknown parameter is ignored by the server, but makes caches miss.
    const [before, now] = [cached, await ask(`${LIST}?doctor=${randomUUID()}`)].map(editionOf);
    const secondsOf = (directive: string) =>
      Number(new RegExp(`${directive}=(\\d+)`).exec(cached.headers.get('cache-control') ?? '')?.[1] ?? 0);
    const [age, most] = [
      Number(cached.headers.get('age')),
      secondsOf('max-age') + secondsOf('stale-while-revalidate'),
    ];
    if (before === null || now === null)
      yield 'The header Archive-Edition is missing: clients cannot distinguish editions. Configure the proxy to pass it.';
    else if (before !== now && age > most)
      yield `Edition ${now} is served, but a cache still has edition ${before} after ${age} s; Cache-Control allows ${most} s. Purge the cache, and configure it to respect Cache-Control.`;
    else if (before === now) yield fine(`Edition ${now} is served, and no earlier one is cached.`);
    else
      yield fine(
        `Edition ${now} is served; a cache still has edition ${before}, for at most ${most - age} s.`,
      );
  },
};

/**
 * Checks the public URL of an archive as a client would, to find errors of a proxy: wrong links, dropped headers, double
 * compression or stale editions.
 *
 * @param baseUrl base of every link
 * @returns the findings, in the order of the checks; only the first if the server cannot be reached
 */
export async function examine(baseUrl: string): Promise<Finding[]> {
  const findings: Finding[] = [];
  const ask: Ask = (path, headers, method) => request(baseUrl + path, headers, method);
  try {
    await ask(LIST);
  } catch (error) {
    const says = `No response from ${baseUrl}: ${reasonOf(error)}. Check that BASE_URL is the public URL, and that the proxy is running.`;
    return [{ check: 'reach', level: 'fault', says }];
  }
  for (const [check, run] of Object.entries(CHECKS)) {
    const count = findings.length;
    try {
      for await (const found of run(ask, baseUrl)) {
        const finding = typeof found === 'string' ? { level: 'fault' as const, says: found } : found;
        if (finding.level !== 'fine' || findings.length === count) findings.push({ check, ...finding });
      }
    } catch (error) {
      const says = `The connection failed during this check: ${reasonOf(error)}.`;
      findings.push({ check, level: 'fault', says });
    }
  }
  return findings;
}

/** Limit of a body; the rest is not needed. */
const MOST_BYTES = 8 * 2 ** 20;

/** Timeout of a request, in seconds. */
const PATIENCE_SECONDS = 15;

/** Sends one request; its body is not compressed unless the headers say otherwise. */
async function request(url: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> {
  const response = await fetch(url, {
    method,
    headers: { 'Accept-Encoding': 'identity', ...headers },
    redirect: 'manual',
    signal: AbortSignal.timeout(PATIENCE_SECONDS * 1_000),
  });
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of response.body ?? []) {
    parts.push(part);
    length += part.length;
    if (length >= MOST_BYTES) break;
  }
  return { status: response.status, headers: response.headers, body: Buffer.concat(parts) };
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'TimeoutError') return `no response within ${PATIENCE_SECONDS} s`;
  if (error.cause !== undefined) return reasonOf(error.cause);
  return error.message || ('code' in error ? String(error.code) : error.name);
}

function typeOf(headers: Headers): string {
  return headers.get('content-type') ?? 'no content type';
}

function statusOf({ status }: Answer): number {
  return status;
}

function editionOf({ headers }: Answer): string | null {
  return headers.get('archive-edition');
}

function isGzip(body: Buffer): boolean {
  return body[0] === 0x1f && body[1] === 0x8b;
}
