import { randomUUID } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { fetchRaw, type RawAnswer } from './fetch-raw.ts';

/** The result of a check. */
interface Finding {
  /** The name of the check. */
  check: string;
  /** `fault`: clients get no response or a wrong one. `advice`: it works, but can be improved. */
  level: 'fine' | 'advice' | 'fault';
  /** The result, and what to change. */
  says: string;
}

function fine(check: string, says: string): Finding {
  return { check, level: 'fine', says };
}

function advice(check: string, says: string): Finding {
  return { check, level: 'advice', says };
}

function fault(check: string, says: string): Finding {
  return { check, level: 'fault', says };
}

/** Runs one check, as a client of the archive at `baseUrl`. */
type Check = (baseUrl: string) => Promise<Finding[]>;

/** The checks, in order. */
const CHECKS: Readonly<Record<string, Check>> = {
  links: checkLinks,
  CORS: checkCors,
  conditions: checkConditions,
  compression: checkCompression,
  ranges: checkRanges,
  queries: checkQueries,
  errors: checkErrors,
  edition: checkEditionAge,
};

/**
 * Checks the public URL of an archive as a client would, to find errors of a proxy: wrong links, dropped headers, double
 * compression or stale editions.
 *
 * @param baseUrl base of every link
 * @returns the findings, in the order of the checks; only the first if the server cannot be reached
 */
export async function examine(baseUrl: string): Promise<Finding[]> {
  try {
    await fetchRaw(`${baseUrl}/en/api/persons`);
  } catch (error) {
    return [
      fault(
        'reach',
        `No response from ${baseUrl}: ${reasonOf(error)}. Check that BASE_URL is the public URL, and that the proxy is running.`,
      ),
    ];
  }
  const findings: Finding[] = [];
  for (const [name, check] of Object.entries(CHECKS)) {
    try {
      findings.push(...(await check(baseUrl)));
    } catch (error) {
      findings.push(fault(name, `The connection failed during this check: ${reasonOf(error)}.`));
    }
  }
  return findings;
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.message || ('code' in error ? String(error.code) : error.name);
}

const LINK = /"(https?:\/\/[^"\\]+?)\/(?:en|nl)\/(?:api|personen|onderwerpen|locaties|gebeurtenissen)\b/g;

/** Checks that every link starts with the public URL. */
async function checkLinks(baseUrl: string): Promise<Finding[]> {
  const { status, headers, body } = await fetchRaw(`${baseUrl}/en/api/persons`);
  if (status >= 300 && status < 400) return [describeRedirect(baseUrl, status, headers['location'] ?? '')];
  if (status === 503) {
    return [
      fault(
        'links',
        `${baseUrl}/en/api/persons responds 503: nothing is published, or the server is not ready.`,
      ),
    ];
  }
  if (status !== 200 || !/^application\/json\b/.test(headers['content-type'] ?? '')) {
    const what = `${status}, ${headers['content-type'] ?? 'no content type'}`;
    return [
      fault(
        'links',
        `${baseUrl}/en/api/persons is not the response of an archive (${what}). If there is a path prefix, include it in BASE_URL and let the proxy remove it.`,
      ),
    ];
  }
  const roots = new Set([...body.toString('utf8').matchAll(LINK)].map(([, root = '']) => root));
  const elsewhere = [...roots].filter((root) => root !== baseUrl);
  if (elsewhere.length === 0) return [fine('links', `All links start with ${baseUrl}.`)];
  return elsewhere.map((root) => describeElsewhere(baseUrl, root));
}

function describeRedirect(baseUrl: string, status: number, to: string): Finding {
  const secure = baseUrl.replace(/^http:/, 'https:');
  return to.startsWith(secure) && baseUrl !== secure
    ? fault(
        'links',
        `${baseUrl} redirects to https (${status}). Set BASE_URL=${secure}, so that links need no redirect.`,
      )
    : fault(
        'links',
        `${baseUrl}/en/api/persons redirects to ${to || 'no location'} (${status}). Set BASE_URL to the URL of the archive.`,
      );
}

function describeElsewhere(baseUrl: string, root: string): Finding {
  const isScheme = root.replace(/^https?:/, '') === baseUrl.replace(/^https?:/, '');
  const why = isScheme ? 'the same host with another scheme' : 'another URL';
  return fault(
    'links',
    `Links start with ${root}, ${why} than ${baseUrl}. The server was started with BASE_URL=${root}; start it with BASE_URL=${baseUrl}.`,
  );
}

/** Another origin than that of the archive. */
const ORIGIN = 'https://elsewhere.example';

/** Checks that pages of other origins can read responses. */
async function checkCors(baseUrl: string): Promise<Finding[]> {
  const url = `${baseUrl}/en/api/persons`;
  const { headers } = await fetchRaw(url, { headers: { Origin: ORIGIN } });
  const allowed = headers['access-control-allow-origin'];
  const findings: Finding[] = [];
  if (allowed !== '*' && allowed !== ORIGIN) {
    const what = allowed === undefined ? 'is missing' : `is "${allowed}"`;
    findings.push(
      fault(
        'CORS',
        `Access-Control-Allow-Origin ${what}: pages of other sites cannot read the archive. Configure the proxy to pass the header unchanged, without adding its own.`,
      ),
    );
  }
  if (!headers['access-control-expose-headers']?.includes('Archive-Edition')) {
    findings.push(
      fault(
        'CORS',
        'Access-Control-Expose-Headers is missing or incomplete: scripts of other sites cannot read ETag and Archive-Edition. Configure the proxy to pass it unchanged.',
      ),
    );
  }
  const preflight = await fetchRaw(url, {
    method: 'OPTIONS',
    headers: {
      Origin: ORIGIN,
      'Access-Control-Request-Method': 'GET',
      'Access-Control-Request-Headers': 'if-none-match',
    },
  });
  if (preflight.status >= 300 || preflight.headers['access-control-allow-methods'] === undefined) {
    findings.push(
      fault(
        'CORS',
        `The status of a preflight request (OPTIONS) is ${preflight.status}: browsers cannot send conditional requests from other sites. Configure the proxy to pass OPTIONS.`,
      ),
    );
  }
  return findings.length > 0 ? findings : [fine('CORS', 'Pages of other sites can read all responses.')];
}

/** Checks that conditional requests get 304, and that HEAD works. */
async function checkConditions(baseUrl: string): Promise<Finding[]> {
  const list = `${baseUrl}/en/api/persons`;
  // Named, since the servers of a cluster switch to a new edition one after the other.
  const edition = editionOf(await fetchRaw(list));
  const url = edition === undefined ? list : `${list}?edition=${edition}`;
  const { headers } = await fetchRaw(url, { headers: { 'Accept-Encoding': 'gzip' } });
  const etag = headers['etag'];
  if (etag === undefined) {
    return [
      fault(
        'ETag',
        'The ETag is missing: caches and clients download everything again. Configure the proxy to pass it (nginx: leave compression to the server).',
      ),
    ];
  }
  const findings: Finding[] = [];
  const again = await fetchRaw(url, { headers: { 'Accept-Encoding': 'gzip', 'If-None-Match': etag } });
  if (again.status !== 304) {
    findings.push(
      fault(
        'ETag',
        `The status of a request with If-None-Match and the current ETag is ${again.status}, not 304. The proxy drops the header or changes the ETag.`,
      ),
    );
  }
  if (etag.startsWith('W/')) {
    findings.push(
      advice(
        'ETag',
        'The ETag is weak, because the proxy compresses responses. Leave compression to the server, so that downloads can be resumed.',
      ),
    );
  }
  const head = await fetchRaw(url, { method: 'HEAD' });
  if (head.status !== 200)
    findings.push(
      fault(
        'HEAD',
        `The status of HEAD is ${head.status}, that of GET is 200. Configure the proxy to pass HEAD.`,
      ),
    );
  return findings.length > 0 ? findings : [fine('ETag', 'Conditional requests get 304.')];
}

const GZIP = Buffer.from([0x1f, 0x8b]);

/** Checks that responses are compressed, once. */
async function checkCompression(baseUrl: string): Promise<Finding[]> {
  const url = `${baseUrl}/en/api/persons`;
  const { headers, body } = await fetchRaw(url, { headers: { 'Accept-Encoding': 'gzip' } });
  const coding = headers['content-encoding'];
  if (coding === undefined) {
    return isGzip(body)
      ? [
          fault(
            'compression',
            'The body is compressed, but Content-Encoding is missing: clients cannot decode it.',
          ),
        ]
      : [
          advice(
            'compression',
            'Responses are not compressed, although the request accepts gzip. Configure the proxy to pass Accept-Encoding, unless clients are on the same machine.',
          ),
        ];
  }
  if (/,/.test(coding) || (isGzip(body) && isGzip(gunzipSync(body)))) {
    return [
      fault(
        'compression',
        `Responses are compressed twice (Content-Encoding: ${coding}): clients cannot decode them. Disable compression in the proxy.`,
      ),
    ];
  }
  const plain = await fetchRaw(url, { headers: { 'Accept-Encoding': 'identity' } });
  if (plain.headers['content-encoding'] !== undefined || isGzip(plain.body)) {
    return [
      fault(
        'compression',
        'A client that does not accept compression gets a compressed response. A cache ignores Vary: Accept-Encoding.',
      ),
    ];
  }
  return [fine('compression', 'Responses are compressed once, and only if the client accepts it.')];
}

function isGzip(body: Buffer): boolean {
  return body.subarray(0, 2).equals(GZIP);
}

/** Checks that downloads can be resumed. */
async function checkRanges(baseUrl: string): Promise<Finding[]> {
  const { status, headers, body } = await fetchRaw(`${baseUrl}/en/api/dump/persons.jsonl`, {
    headers: { Range: 'bytes=0-99', 'Accept-Encoding': 'identity' },
  });
  if (status === 206 && headers['content-range']?.startsWith('bytes 0-') && body.length <= 100) {
    return [fine('ranges', 'Downloads can be resumed.')];
  }
  if (status === 416) return [fine('ranges', 'Not checked: the archive has no persons.')];
  return [
    fault(
      'ranges',
      `The status of a range request is ${status}, not 206: downloads cannot be resumed. Configure the proxy to pass Range (for Varnish, see docs/operations.md).`,
    ),
  ];
}

/** A value with characters that proxies often alter: slash, plus, space, quotation mark and an accented letter. */
const ODD_VALUE = 'a/b+c d"é';

/** Checks that the query arrives unchanged: an unknown order of search is refused by name. */
async function checkQueries(baseUrl: string): Promise<Finding[]> {
  const { status, body } = await fetchRaw(`${baseUrl}/en/api/search?sort=${encodeURIComponent(ODD_VALUE)}`);
  if (status === 400 && body.toString('utf8').includes(JSON.stringify(ODD_VALUE).slice(1, -1))) {
    return [fine('queries', 'Queries arrive unchanged.')];
  }
  return [
    fault(
      'queries',
      `A query with encoded characters was altered (${status}). Configure the proxy to pass URLs unchanged.`,
    ),
  ];
}

/** Checks that error responses of the archive reach the client. */
async function checkErrors(baseUrl: string): Promise<Finding[]> {
  const { status, headers } = await fetchRaw(`${baseUrl}/en/api/persons?page=0`);
  const type = headers['content-type'] ?? 'no content type';
  if (status === 404 && type.startsWith('application/problem+json')) {
    return [fine('errors', 'Error responses of the archive reach the client.')];
  }
  return [
    fault(
      'errors',
      `The response to an invalid page is ${status} (${type}), not 404 (application/problem+json): the proxy replaces errors with its own pages. Disable that for the archive.`,
    ),
  ];
}

/** Checks that caches do not keep an earlier edition longer than Cache-Control allows. */
async function checkEditionAge(baseUrl: string): Promise<Finding[]> {
  const url = `${baseUrl}/en/api/persons`;
  const cached = await fetchRaw(url);
  // An unknown parameter is ignored by the server, but makes caches miss.
  const fresh = await fetchRaw(`${url}?doctor=${randomUUID()}`);
  const [before, now] = [editionOf(cached), editionOf(fresh)];
  if (before === undefined || now === undefined) {
    return [
      fault(
        'edition',
        'The header Archive-Edition is missing: clients cannot distinguish editions. Configure the proxy to pass it.',
      ),
    ];
  }
  if (before === now) return [fine('edition', `Edition ${now} is served, and no earlier one is cached.`)];
  const [age, most] = [Number(cached.headers['age'] ?? 0), longestAge(cached)];
  if (age <= most) {
    return [
      fine(
        'edition',
        `Edition ${now} is served; a cache still has edition ${before}, for at most ${most - age} s.`,
      ),
    ];
  }
  return [
    fault(
      'edition',
      `Edition ${now} is served, but a cache still has edition ${before} after ${age} s; Cache-Control allows ${most} s. Purge the cache, and configure it to respect Cache-Control.`,
    ),
  ];
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
