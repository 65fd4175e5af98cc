import { COLLECTIONS, KINDS, LANGUAGES, PAGE_SEGMENTS } from '@archiefkast/types';
import type { Answer, Asked } from './ask.ts';

/** Queries of every operator, and mistaken ones. */
const QUERIES = [
  ...`de|amsterdam|jan de|"de waal"|"van de"|schil*|jan OR piet*|a b OR c OR d|delft -kerk|-de|-kind:person|-last_name:vries
    |last_name:a|last_name:="de"|city:"Den Haag" kunst|city:Leiden|kind:event|kind:persons|kind:location|kind:subject de
    |kind:person gender:female|kind:event city:a|birth_date:1600..1650|birth_date:..1700|death_date:1650|date:1600-01..
    |date:1795-01-18|id:1|id:7|century:17|century:19|has:image|has:coordinates|has:english|-has:english|place:gracht
    |street:gracht|near:52.37,4.89,500m|near:52.1,4.5,20km|within:52.3,4.8,52.4,5.0|within:-90,170,90,-170|content:gouden
    |summary:"de"|content:the OR summary:het|kind:event near:52.4,4.9,9km|name:é|uuid:0|the of|1650|*|%|zzzz|amsterdan
    |nope:1|last_nam:vos|birth_date:1620-1650|birth_date:<1700|birth_date:x|century:99|near:1,2|within:1,2,3|kind:x|has:x
    |id:x|person:x|last_name:|""|-|a:b:c|kind:event last_name:a|kind:event kind:person|OR|a OR|'|<b>|é|日本|😀|NOT a AND b|(a)`
    .split('|')
    .map((query) => query.trim()),
  'x'.repeat(1001),
  'a '.repeat(17),
];
const SORTS = ['relevance', 'name', 'date', '-date', 'id', 'x'];
const PREFIXES = ['', 'a', 'd', 'h', 'am', 'va', 'van', 'é', 'ij', '1', 'zzzz', 'de ', '%'];

const PLAIN =
  list(`/ /health /favicon.ico /robots.txt /sitemap.xml /sitemap/pages.xml /sitemap/x.xml /openapi.json /docs /docs/
  /en/docs/ /nope /nope/ /en /en/nope /fr/ /fr/api/persons /nl/api/nope /en/persons /api /api/ /api/editions /api/changes
  /api/changes?since=x /api/changes?since=1 /api/dump/manifest.json /api/persons /problems/ /problems/nope /media/ /media/../x.jpg
  /media/nope.jpg /assets/nope.css /% /%ff /EN/API/PERSONS //en/api /en//api /en/api/persons/ /en/api/persons/x /en/personen
  /en/personen/x/ /?a=1 /problems/not-found /problems/invalid-query /problems/search-busy /problems/internal-error
  /problems/method-not-allowed /problems/edition-gone /problems/starting`);
const OF_LANGUAGE =
  list(`/ /api /api/ /docs /feed.atom /zoeken/ /zoeken/hulp/ /zoeken /api/facets /api/suggest /api/search
  /api/editions /api/changes /api/changes?since=1 /api/changes?since=0 /api/changes.jsonl?since=1 /api/changes?since=
  /api/dump/manifest.json /api/facets?of=kind,city /api/facets?of= /api/facets?of=x /api/locations.geojson?bbox=1,2
  /api/locations.geojson?bbox=4.8,52.3,5.0,52.4 /api/events.geojson?bbox=170,-90,-170,90 /zoeken/?from=1600&to=1650&date=date
  /zoeken/?q=&from=x /zoeken/?q=de&date=birth_date&from=1600 /zoeken/?page=0 /zoeken/?page=99999 /?edition=x`);
const OF_LIST =
  list(`fields=brief fields=uuid fields=brief,id&page=2 fields=x fields= format=api format=xml format=api&page=2
  page=1 page=0 page=x page=01 page=2&page=3 limit=50 page=2&x=1&format= edition=&page=2 sort=name q=de`);

/** Addresses that can name an edition. */
const OF_EDITION =
  list(`/en/api /nl/api/persons /en/api/events?page=2 /en/api/search?q=de /nl/api/search?q=de&page=2
  /en/api/facets?q=de /nl/api/suggest?prefix=a /en/api/dump/manifest.json /nl/api/dump/persons.csv /en/ /nl/docs
  /en/api/dump/events.jsonl?q=de /en/api/locations.geojson /nl/personen/ /nl/zoeken/?q=de /nl/api/editions
  /en/api/dump/supplement.jsonl /en/feed.atom /api/changes?since=1 /nl/api/changes.jsonl?since=2 /api/changes?since=2
  /en/api/changes.jsonl?since=3 /nl/api/changes?since=4 /en/api/changes?since=99`);

/** Headers that change a response, in the form of a query; \`TAG\` and \`DATE\` stand for its own. */
const HEADERS =
  list(`accept-encoding=gzip accept-encoding=br accept-encoding=zstd accept-encoding=* accept-encoding=gzip;q=0.5,br;q=0.1
  accept-encoding=identity;q=0 accept=text/html accept=application/xml accept=text/html;q=0.5,application/json
  accept=text/html&accept-language=nl range=bytes=10-99 range=bytes=-20 range=bytes=99999999- range=bytes=0-0,5-9 range=x
  range=bytes=5-&if-range=TAG&accept-encoding=gzip range=bytes=5-&if-range="other" if-none-match=TAG if-none-match=W/TAG
  if-none-match=* if-none-match="other" if-none-match="other",TAG if-modified-since=DATE
  prefer=handling=strict&x-request-id=given&origin=https://other.test x-request-id=not~valid&expect=other`);
const OLD = 'Thu, 01 Jan 1970 00:00:00 GMT';

/** Requests that are not HTTP, or beyond its limits. */
export const RAW = [
  'GET / HTTP/1.1\r\n\r\n',
  'GET / HTTP/1.0\r\n\r\n',
  'nonsense\r\n\r\n',
  'OPTIONS * HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
  `GET /${'x'.repeat(33_000)} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`,
  `GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(50_000)}\r\n\r\n`,
  'GET http://other.test/en/api HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
  'GET /en/api/persons?page=2 HTTP/1.1\r\nHost: a\r\n\r\nGET /nope HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
  'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n',
];

/** The words of a text. */
export function list(text: string): string[] {
  return text.split(/\s+/);
}

type Line = Record<string, unknown> & { id: number; uuid: string };

/** The addresses to compare. */
export interface Addresses {
  /** Dumps, one at a time: what a response has depends on those before. */
  dumps: string[];
  others: string[];
}

/**
 * Lists addresses: every n-th page of each list and every n-th record, pages, queries with words of the archive, and all
 * single resources.
 */
export async function listAddresses(
  get: (path: string) => Promise<Answer>,
  each: number,
): Promise<Addresses> {
  const json = async (path: string) => JSON.parse((await get(path)).body.toString());
  const { dumps } = await json('/en/api/dump/manifest.json');
  const names: string[] = [
    ...dumps.map(({ url }: { url: string }) => /\/en(\/api\/[^?]*)/.exec(url)?.[1]),
    '/api/dump/nope.csv',
  ];
  const { fields } = await json('/en/api/search?q=nope:1');
  const lines: Line[] = [];
  const others = [...PLAIN];
  for (const kind of KINDS) {
    const dump = (await get(`/en/api/dump/${COLLECTIONS[kind]}.jsonl`)).body.toString();
    const records: Line[] = dump.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));
    lines.push(...atMost(records, 3));
    others.push(`/sitemap/${COLLECTIONS[kind]}-1.xml`, `/sitemap/${COLLECTIONS[kind]}-2.xml`);
    for (const language of LANGUAGES) {
      const [api, pages] = [`/${language}/api/${COLLECTIONS[kind]}`, `/${language}/${PAGE_SEGMENTS[kind]}/`];
      const last = Math.ceil(records.length / 10);
      for (let page = 1; page <= last; page += each) others.push(`${api}?page=${page}`);
      others.push(
        api,
        `${api}?page=${last}`,
        `${api}?page=${last + 1}`,
        ...OF_LIST.map((query) => `${api}?${query}`),
      );
      others.push(pages, `${pages}?page=2`, `${pages}?page=x`);
      for (const [index, { uuid }] of records.entries()) {
        if (index % each === 0) others.push(`${api}/${uuid}`, `${pages}${uuid}/`);
        if (index % (each * 10) === 0)
          others.push(`${api}/${uuid}?fields=brief`, `${api}/${uuid.toUpperCase()}`);
      }
    }
  }
  const files: string[] = [];
  for (const language of LANGUAGES) {
    others.push(
      ...OF_LANGUAGE.map((path) => `/${language}${path}`),
      ...suggestionsOf(language, fields, lines),
    );
    others.push(...OF_LIST.map((query) => `/${language}/api/search?${query}`));
    files.push(...[...names, '/api/dump/supplement.jsonl'].map((name) => `/${language}${name}`));
    const queries = new Map([
      ...queriesOf(lines, fields).map((query) => [query, false] as const),
      ...QUERIES.map((query) => [query, true] as const),
    ]);
    for (const [index, [query, isThorough]] of [...queries].entries()) {
      const q = `q=${encodeURIComponent(query)}`;
      const { count = 0 } = await json(`/${language}/api/search?${q}`);
      const last = Math.max(1, Math.ceil(count / 10));
      const pages = isThorough ? [2, 3, 4, 5, last, last + 1] : [2, last];
      const sorts = isThorough ? SORTS : [SORTS[index % SORTS.length]];
      const found = [
        q,
        ...pages.filter((page) => page <= last + 1).map((page) => `${q}&page=${page}`),
        ...sorts.map((sort) => `${q}&sort=${sort}`),
      ];
      others.push(
        ...found.map((each) => `/${language}/api/search?${each}`),
        `/${language}/api/facets?${q}`,
        `/${language}/zoeken/?${q}`,
      );
      if (!isThorough) continue;
      others.push(`/${language}/zoeken/?${q}&page=2&sort=date`);
      files.push(`/${language}${names[index % names.length]}?${q}&sort=${SORTS[index % SORTS.length]}`);
    }
    for (const query of ['', 'q=de&', 'q=-zzzz&sort=name&']) {
      const { count = 0 } = await json(`/${language}/api/search?${query}`);
      for (let number = 1; number <= Math.ceil(count / 10); number += each)
        others.push(`/${language}/api/search?${query}page=${number}`);
    }
  }
  return { dumps: [...new Set(files)], others: [...new Set(others)] };
}

/** At most so many of a list, from all over it. */
function atMost<Value>(list: readonly Value[], most: number): Value[] {
  const step = Math.max(1, Math.floor(list.length / most));
  return list.filter((_, index) => index % step === 0).slice(0, most);
}

/** Queries that find these records, and misspelt ones. */
function queriesOf(lines: readonly Line[], fields: readonly string[]): string[] {
  return lines.flatMap((line) => {
    const ofFields = fields.flatMap((field) => {
      const value = line[field];
      if (typeof value !== 'string' || value === '' || value.includes('"')) return [];
      const words = value
        .replaceAll(/<[^>]*>/g, ' ')
        .trim()
        .split(/\s+/);
      return [
        `${field}:${words.slice(0, 2).join(' ')}`,
        ...(value.length < 100 ? [`${field}:="${value}"`] : []),
      ];
    });
    const ofReferences = ['person', 'subject', 'under', 'location', 'event', 'parent', 'related'].map(
      (field) => `${field}:${line.uuid}`,
    );
    const words = String(line['title'] ?? line['name'])
      .split(/[^\p{L}]+/u)
      .filter((word) => word.length > 4);
    const misspelt = words.flatMap((word) => [
      `${word.slice(0, 2)}${word.slice(3)}`,
      `${word.slice(0, 2)}x${word.slice(3)}`,
    ]);
    return [
      ...ofFields,
      ...ofReferences,
      ...words,
      ...misspelt,
      words.join(' '),
      `"${words.slice(0, 2).join(' ')}"`,
    ];
  });
}

function suggestionsOf(language: string, fields: readonly string[], lines: readonly Line[]): string[] {
  const ofNames = lines.flatMap((line) =>
    String(line['title'] ?? line['name'])
      .split(' ')
      .map((word) => word.slice(0, 3)),
  );
  const queries = [
    ...[...PREFIXES, ...ofNames].map((prefix) => `prefix=${encodeURIComponent(prefix)}`),
    ...fields.flatMap((field) =>
      PREFIXES.map((prefix) => `field=${field}&prefix=${encodeURIComponent(prefix)}`),
    ),
    ...[...KINDS, 'x'].flatMap((kind) => ['a', 'de'].map((prefix) => `kind=${kind}&prefix=${prefix}`)),
  ];
  return queries.map((query) => `/${language}/api/suggest?${query}`);
}

/** Addresses that name an edition: a number, a key, or something else. */
export function listEditionAddresses(editions: readonly string[], more: readonly string[]): string[] {
  return editions.flatMap((edition) =>
    [...OF_EDITION, ...more].map((path) => `${path}${path.includes('?') ? '&' : '?'}edition=${edition}`),
  );
}

/** Further requests for the address of a response: other methods, and headers that change the response. */
export function listVariants(path: string, { headers }: Answer): Asked[] {
  const [tag, date] = [headers.get('etag') ?? '"none"', headers.get('last-modified') ?? OLD];
  const withHeaders = [...HEADERS, `if-modified-since=${OLD}`].map((each) => {
    const pairs = each.split('&').map((pair) => /^([^=]*)=(.*)$/.exec(pair) ?? []);
    const filled = (value = '') => value.replace('TAG', tag).replace('DATE', date).replace('~', ' ');
    return Object.fromEntries(pairs.map(([, name = '', value]) => [name, filled(value)]));
  });
  const preflight = {
    'access-control-request-method': 'GET',
    'access-control-request-headers': 'if-none-match',
  };
  return [
    ...list('HEAD OPTIONS POST DELETE TRACE PROPFIND').map((method) => ({ method, path })),
    ...withHeaders.map((more) => ({ method: 'GET', path, headers: more })),
    { method: 'HEAD', path, headers: { 'accept-encoding': 'br' } },
    { method: 'OPTIONS', path, headers: preflight },
  ];
}

/** An address with its values left out: what differs alike is counted together. */
export function patternOf(subject: string): string {
  return subject
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi, '{uuid}')
    .replace(/ \/(?:en|nl)(?=\/|$)/, ' /{lang}')
    .replaceAll(/([?&]\w+)=[^&]*/g, '$1={}');
}

/** The addresses within the archive that a page, a sitemap or a `Link` header leads to. */
export function findLinks({ headers, body }: Answer, path: string, baseUrl: string): string[] {
  const isMarkup = /html|xml/.test(headers.get('content-type') ?? '');
  const links = [...(headers.get('link') ?? '').matchAll(/<([^>]*)>/g)];
  if (isMarkup) links.push(...body.toString().matchAll(/(?:\s(?:href|src|action)="|<loc>)([^"<]*)/g));
  return links.flatMap(([, link = '']) => {
    const url = URL.parse(link.replaceAll('&amp;', '&'), baseUrl + path);
    const found = url && `${url.origin}${url.pathname}${url.search}`;
    return found?.startsWith(`${baseUrl}/`) ? [found.slice(baseUrl.length)] : [];
  });
}
