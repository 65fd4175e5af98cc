import { randomUUID } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { fetchRaw, type RawAnswer } from './fetch-raw.ts';

/** What an examination found. */
interface Finding {
  /** What was looked at, in a word. */
  check: string;
  /** `fault`: clients get wrong or no answers. `advice`: it works, and could work better. */
  level: 'fine' | 'advice' | 'fault';
  /** A sentence or two: what is so, and what to change. */
  says: string;
}

/** A finding that all is well. */
function fine(check: string, says: string): Finding {
  return { check, level: 'fine', says };
}

/** A finding that could be better. */
function advice(check: string, says: string): Finding {
  return { check, level: 'advice', says };
}

/** A finding that something is wrong. */
function fault(check: string, says: string): Finding {
  return { check, level: 'fault', says };
}

/** Looks at one thing, as a client of the archive at `baseUrl` sees it. */
type Check = (baseUrl: string) => Promise<Finding[]>;

/** What is looked at, in this order. */
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
 * Walks the public address of an archive as its clients do, and says what stands between: a proxy that leads elsewhere,
 * drops headers, compresses twice or holds an edition for too long.
 *
 * @param baseUrl root of every link
 * @returns what was found, in the order in which it was looked for; only the first where nothing answers at all
 */
export async function examine(baseUrl: string): Promise<Finding[]> {
  try {
    await fetchRaw(`${baseUrl}/en/api/persons`);
  } catch (error) {
    return [
      fault(
        'reach',
        `Nothing answers at ${baseUrl}: ${reasonOf(error)}. Is BASE_URL the address that clients use, and does the proxy run?`,
      ),
    ];
  }
  const findings: Finding[] = [];
  for (const [name, check] of Object.entries(CHECKS)) {
    try {
      findings.push(...(await check(baseUrl)));
    } catch (error) {
      findings.push(fault(name, `The connection broke while this was looked at: ${reasonOf(error)}.`));
    }
  }
  return findings;
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.message || ('code' in error ? String(error.code) : error.name);
}

const LINK = /"(https?:\/\/[^"\\]+?)\/(?:en|nl)\/(?:api|personen|onderwerpen|locaties|gebeurtenissen)\b/g;

/** Whether every link leads back to the public address, by the scheme and the host that clients use. */
async function checkLinks(baseUrl: string): Promise<Finding[]> {
  const { status, headers, body } = await fetchRaw(`${baseUrl}/en/api/persons`);
  if (status >= 300 && status < 400) return [describeRedirect(baseUrl, status, headers['location'] ?? '')];
  if (status === 503) {
    return [
      fault(
        'links',
        `${baseUrl}/en/api/persons answers 503: nothing is published, or the server is not ready.`,
      ),
    ];
  }
  if (status !== 200 || !/^application\/json\b/.test(headers['content-type'] ?? '')) {
    const what = `${status}, ${headers['content-type'] ?? 'no content type'}`;
    return [
      fault(
        'links',
        `${baseUrl}/en/api/persons does not answer as an archive does (${what}). A path prefix belongs in BASE_URL, and the proxy takes it off.`,
      ),
    ];
  }
  const roots = new Set([...body.toString('utf8').matchAll(LINK)].map(([, root = '']) => root));
  const elsewhere = [...roots].filter((root) => root !== baseUrl);
  if (elsewhere.length === 0) return [fine('links', `Every link begins with ${baseUrl}.`)];
  return elsewhere.map((root) => describeElsewhere(baseUrl, root));
}

function describeRedirect(baseUrl: string, status: number, to: string): Finding {
  const secure = baseUrl.replace(/^http:/, 'https:');
  return to.startsWith(secure) && baseUrl !== secure
    ? fault(
        'links',
        `${baseUrl} leads on to https (${status}). Set BASE_URL=${secure}, so that links do not take the detour.`,
      )
    : fault(
        'links',
        `${baseUrl}/en/api/persons leads on to ${to || 'nowhere'} (${status}). Set BASE_URL to the address where the archive answers.`,
      );
}

function describeElsewhere(baseUrl: string, root: string): Finding {
  const isScheme = root.replace(/^https?:/, '') === baseUrl.replace(/^https?:/, '');
  const why = isScheme ? 'the same host by another scheme' : 'another address';
  return fault(
    'links',
    `Links lead to ${root}, ${why} than ${baseUrl}. The server was started with BASE_URL=${root}; start it with BASE_URL=${baseUrl}.`,
  );
}

/** An origin that is not the archive's. */
const ORIGIN = 'https://elsewhere.example';

/** Whether pages of other origins may read the answers. */
async function checkCors(baseUrl: string): Promise<Finding[]> {
  const url = `${baseUrl}/en/api/persons`;
  const { headers } = await fetchRaw(url, { headers: { Origin: ORIGIN } });
  const allowed = headers['access-control-allow-origin'];
  const findings: Finding[] = [];
  if (allowed !== '*' && allowed !== ORIGIN) {
    const what = allowed === undefined ? 'is gone' : `is "${allowed}"`;
    findings.push(
      fault(
        'CORS',
        `Access-Control-Allow-Origin ${what}: pages of other sites cannot read the archive. Let the proxy pass the header as it is, and add none of its own.`,
      ),
    );
  }
  if (!headers['access-control-expose-headers']?.includes('Archive-Edition')) {
    findings.push(
      fault(
        'CORS',
        'Access-Control-Expose-Headers is gone or cut: scripts of other sites cannot see ETag and Archive-Edition. Let the proxy pass it as it is.',
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
        `A preflight request (OPTIONS) gets ${preflight.status}: browsers then send no conditional requests from other sites. Let the proxy pass OPTIONS.`,
      ),
    );
  }
  return findings.length > 0 ? findings : [fine('CORS', 'Pages of other sites may read every answer.')];
}

/** Whether a client that holds an answer is told so with 304, and HEAD and GET agree. */
async function checkConditions(baseUrl: string): Promise<Finding[]> {
  const url = `${baseUrl}/en/api/persons`;
  const { headers } = await fetchRaw(url, { headers: { 'Accept-Encoding': 'gzip' } });
  const etag = headers['etag'];
  if (etag === undefined) {
    return [
      fault(
        'ETag',
        'The ETag is gone: caches and clients fetch everything anew. Let the proxy pass it (nginx: leave compression to the server).',
      ),
    ];
  }
  const findings: Finding[] = [];
  const again = await fetchRaw(url, { headers: { 'Accept-Encoding': 'gzip', 'If-None-Match': etag } });
  if (again.status !== 304) {
    findings.push(
      fault(
        'ETag',
        `If-None-Match with the ETag just given gets ${again.status}, not 304. The proxy drops the header, or changes the ETag.`,
      ),
    );
  }
  if (etag.startsWith('W/')) {
    findings.push(
      advice(
        'ETag',
        'The ETag was made weak, which proxies do that compress. Leave compression to the server, so that cut downloads can go on where they stopped.',
      ),
    );
  }
  const head = await fetchRaw(url, { method: 'HEAD' });
  if (head.status !== 200)
    findings.push(fault('HEAD', `HEAD gets ${head.status} where GET gets 200. Let the proxy pass HEAD.`));
  return findings.length > 0 ? findings : [fine('ETag', 'What a client holds is answered with 304.')];
}

const GZIP = Buffer.from([0x1f, 0x8b]);

/** Whether answers are compressed, and once. */
async function checkCompression(baseUrl: string): Promise<Finding[]> {
  const url = `${baseUrl}/en/api/persons`;
  const { headers, body } = await fetchRaw(url, { headers: { 'Accept-Encoding': 'gzip' } });
  const coding = headers['content-encoding'];
  if (coding === undefined) {
    return isGzip(body)
      ? [
          fault(
            'compression',
            'The body is compressed, but Content-Encoding is gone: clients get bytes that they cannot read.',
          ),
        ]
      : [
          advice(
            'compression',
            'Answers come uncompressed though gzip was accepted. Let the proxy pass Accept-Encoding; a server on this very machine answers so too, and that is right.',
          ),
        ];
  }
  if (/,/.test(coding) || (isGzip(body) && isGzip(gunzipSync(body)))) {
    return [
      fault(
        'compression',
        `Answers are compressed twice (Content-Encoding: ${coding}): clients get bytes that they cannot read. Switch the proxy's compression off for the archive.`,
      ),
    ];
  }
  const plain = await fetchRaw(url, { headers: { 'Accept-Encoding': 'identity' } });
  if (plain.headers['content-encoding'] !== undefined || isGzip(plain.body)) {
    return [
      fault(
        'compression',
        'A client that accepts no compression gets a compressed answer: a cache mixes them up. It must heed Vary: Accept-Encoding.',
      ),
    ];
  }
  return [fine('compression', 'Answers are compressed once, and only where a client accepts it.')];
}

function isGzip(body: Buffer): boolean {
  return body.subarray(0, 2).equals(GZIP);
}

/** Whether a cut download can go on where it stopped. */
async function checkRanges(baseUrl: string): Promise<Finding[]> {
  const { status, headers, body } = await fetchRaw(`${baseUrl}/en/api/dump/persons.jsonl`, {
    headers: { Range: 'bytes=0-99', 'Accept-Encoding': 'identity' },
  });
  if (status === 206 && headers['content-range']?.startsWith('bytes 0-') && body.length <= 100) {
    return [fine('ranges', 'A cut download can go on where it stopped.')];
  }
  if (status === 416)
    return [fine('ranges', 'There is no person yet, so no part of a download could be asked for.')];
  return [
    fault(
      'ranges',
      `A part of a download was asked for, and ${status} came: a cut download begins anew. Let the proxy pass Range (Varnish needs a line for it; see docs/operations.md).`,
    ),
  ];
}

/** A name with characters that proxies like to alter: slash, plus, blank, quotation mark and an accent. */
const ODD_NAME = 'a/b+c d"é';

/**
 * Whether the query of an address arrives as it was sent. A parameter that there is not, with strict handling, is
 * refused with its name.
 */
async function checkQueries(baseUrl: string): Promise<Finding[]> {
  const { status, body } = await fetchRaw(`${baseUrl}/en/api/persons?${encodeURIComponent(ODD_NAME)}=1`, {
    headers: { Prefer: 'handling=strict' },
  });
  if (status === 400 && body.toString('utf8').includes(JSON.stringify(ODD_NAME).slice(1, -1))) {
    return [fine('queries', 'Queries arrive as they were sent.')];
  }
  const what = status === 200 ? 'was dropped, or the header Prefer' : `arrived altered (${status})`;
  return [
    fault(
      'queries',
      `A query with encoded characters ${what}. The proxy must pass addresses and request headers as they are.`,
    ),
  ];
}

/** Whether the archive's own errors reach the client. */
async function checkErrors(baseUrl: string): Promise<Finding[]> {
  const { status, headers } = await fetchRaw(`${baseUrl}/en/api/persons?page=0`);
  const type = headers['content-type'] ?? 'no content type';
  if (status === 404 && type.startsWith('application/problem+json')) {
    return [fine('errors', "The archive's own errors reach the client.")];
  }
  return [
    fault(
      'errors',
      `An invalid page gets ${status} (${type}) in place of 404 with application/problem+json: the proxy puts error pages of its own there. Switch that off for the archive.`,
    ),
  ];
}

/** Whether caches give the edition that is served, or hold an older one for longer than they were told. */
async function checkEditionAge(baseUrl: string): Promise<Finding[]> {
  const url = `${baseUrl}/en/api/persons`;
  const held = await fetchRaw(url);
  // Unknown parameters are ignored, and no cache has seen this one.
  const fresh = await fetchRaw(`${url}?doctor=${randomUUID()}`);
  const [before, now] = [editionOf(held), editionOf(fresh)];
  if (before === undefined || now === undefined) {
    return [
      fault(
        'edition',
        'The header Archive-Edition is gone: clients cannot tell editions apart. Let the proxy pass it.',
      ),
    ];
  }
  if (before === now) return [fine('edition', `Edition ${now} is served, and nothing older is held.`)];
  const [age, most] = [Number(held.headers['age'] ?? 0), longestAge(held)];
  if (age <= most) {
    return [
      fine(
        'edition',
        `A cache still holds edition ${before} for ${most - age} s at most; edition ${now} is served.`,
      ),
    ];
  }
  return [
    fault(
      'edition',
      `A cache holds edition ${before} for ${age} s already, while edition ${now} is served and ${most} s is what it was told. Empty it, and let it heed Cache-Control.`,
    ),
  ];
}

function editionOf({ headers }: RawAnswer): number | undefined {
  const edition = headers['archive-edition'];
  return edition === undefined ? undefined : Number(edition);
}

/** Seconds that `Cache-Control` allows: its age, and what it may be served beyond that while it is fetched anew. */
function longestAge({ headers }: RawAnswer): number {
  const seconds = (directive: string) =>
    Number(new RegExp(`${directive}=(\\d+)`).exec(headers['cache-control'] ?? '')?.[1] ?? 0);
  return seconds('max-age') + seconds('stale-while-revalidate');
}
