import { COLLECTIONS, KINDS, type Kind, LANGUAGES, PAGE_SEGMENTS } from '@archiefkast/types';
import type { Answer, Asked } from './ask.ts';
import {
  HEADERS,
  list,
  OF_EDITION,
  OF_LANGUAGE,
  OF_LIST,
  OLD,
  PLAIN,
  PREFIXES,
  QUERIES,
  SORTS,
} from './requests.ts';

type Line = Record<string, unknown> & { id: number; uuid: string };

/** The body of a response of the other build, as text. */
type Get = (path: string) => Promise<string>;

/**
 * Lists addresses: every n-th page of each list and every n-th record, pages, queries with words of the archive, and all
 * single resources.
 */
export async function listAddresses(get: Get, each: number): Promise<string[]> {
  const { dumps } = JSON.parse(await get('/en/api/dump/manifest.json'));
  const names: string[] = dumps.map(({ url }: { url: string }) => /\/en(\/api\/[^?]*)/.exec(url)?.[1]);
  const { fields } = JSON.parse(await get('/en/api/search?q=nope:1'));
  const listed = [...PLAIN];
  const examples: Line[] = [];
  for (const kind of KINDS) {
    const dump = await get(`/en/api/dump/${COLLECTIONS[kind]}.jsonl`);
    const records: Line[] = dump.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));
    examples.push(...atMost(records, 3));
    listed.push(...LANGUAGES.flatMap((language) => addressesOfKind(language, kind, records, each)));
  }
  for (const language of LANGUAGES) {
    const own = [...OF_LANGUAGE, ...names, '/api/dump/supplement.jsonl', '/api/dump/nope.csv'];
    listed.push(...own.map((path) => `/${language}${path}`), ...suggestionsOf(language, fields, examples));
    listed.push(...OF_LIST.map((query) => `/${language}/api/search?${query}`));
    const countOf = async (query: string) =>
      JSON.parse(await get(`/${language}/api/search?${query}`)).count ?? 0;
    for (const [index, query] of [...queriesOf(examples, fields), ...QUERIES].entries()) {
      const q = `q=${encodeURIComponent(query)}`;
      const last = Math.max(1, Math.ceil((await countOf(q)) / 10));
      const isThorough = QUERIES.includes(query);
      const pages = (isThorough ? [2, 3, 4, 5, last, last + 1] : [2, last]).filter(
        (page) => page <= last + 1,
      );
      const sorts = isThorough ? SORTS : [SORTS[index % SORTS.length]];
      const found = ['', ...pages.map((page) => `&page=${page}`), ...sorts.map((sort) => `&sort=${sort}`)];
      listed.push(...found.map((more) => `/${language}/api/search?${q}${more}`));
      listed.push(...[`api/facets?${q}`, `zoeken/?${q}`].map((path) => `/${language}/${path}`));
      if (isThorough)
        listed.push(`/${language}${names[index % names.length]}?${q}&sort=${sorts[index % sorts.length]}`);
    }
    for (const query of ['', 'q=de&', 'q=-zzzz&sort=name&']) {
      const last = Math.ceil((await countOf(query)) / 10);
      for (let page = 1; page <= last; page += each)
        listed.push(`/${language}/api/search?${query}page=${page}`);
    }
  }
  return [...new Set(listed)];
}

function addressesOfKind(language: string, kind: Kind, records: readonly Line[], each: number): string[] {
  const [api, pages] = [`/${language}/api/${COLLECTIONS[kind]}`, `/${language}/${PAGE_SEGMENTS[kind]}/`];
  const last = Math.ceil(records.length / 10);
  const numbers = Array.from({ length: last }, (_, index) => index + 1).filter(
    (page) => page % each === 1 % each,
  );
  const ofRecords = records
    .filter((_, index) => index % each === 0)
    .flatMap(({ uuid }, index) => [
      ...[`${api}/${uuid}`, `${pages}${uuid}/`],
      ...(index % 10 === 0 ? [`${api}/${uuid}?fields=brief`, `${api}/${uuid.toUpperCase()}`] : []),
    ]);
  return [
    ...[
      '',
      ...[...numbers, last, last + 1].map((page) => `?page=${page}`),
      ...OF_LIST.map((query) => `?${query}`),
    ].map((query) => api + query),
    ...['', '?page=2', '?page=x'].map((query) => pages + query),
    ...[1, 2].map((number) => `/sitemap-${COLLECTIONS[kind]}-${number}.xml`),
    ...ofRecords,
  ];
}

/** At most so many of a list, from all over it. */
function atMost<Value>(values: readonly Value[], most: number): Value[] {
  const step = Math.max(1, Math.floor(values.length / most));
  return values.filter((_, index) => index % step === 0).slice(0, most);
}

const REFERENCES = list('person subject under location event parent related');

/** Queries that find these records, and misspelt ones. */
function queriesOf(lines: readonly Line[], fields: readonly string[]): string[] {
  return lines.flatMap((line) => {
    const ofFields = fields.flatMap((field) => {
      const value = line[field];
      if (typeof value !== 'string' || value === '' || value.includes('"')) return [];
      const [first = '', second = ''] = list(value.replaceAll(/<[^>]*>/g, ' ').trim());
      return [`${field}:${first} ${second}`, ...(value.length < 100 ? [`${field}:="${value}"`] : [])];
    });
    const words = String(line['title'] ?? line['name']).match(/\p{L}{5,}/gu) ?? [];
    const misspelt = words.flatMap((word) =>
      ['', 'x'].map((letter) => word.slice(0, 2) + letter + word.slice(3)),
    );
    const ofReferences = REFERENCES.map((field) => `${field}:${line.uuid}`);
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
  const names = lines.flatMap((line) =>
    list(String(line['title'] ?? line['name'])).map((word) => word.slice(0, 3)),
  );
  const queries = [
    ...[...PREFIXES, ...names].map((prefix) => `prefix=${encodeURIComponent(prefix)}`),
    ...fields.flatMap((field) =>
      PREFIXES.map((prefix) => `field=${field}&prefix=${encodeURIComponent(prefix)}`),
    ),
    ...[...KINDS, 'x'].flatMap((kind) => ['a', 'de'].map((prefix) => `kind=${kind}&prefix=${prefix}`)),
  ];
  return queries.map((query) => `/${language}/api/suggest?${query}`);
}

/** Addresses that name an edition: a number, a key, or something else. */
export function listEditionAddresses(editions: readonly string[], listed: readonly string[]): string[] {
  const records = ['/api/persons', '/personen'].map(
    (of) => listed.find((path) => path.startsWith(`/en${of}/`)) ?? '',
  );
  return editions.flatMap((edition) =>
    [...OF_EDITION, ...records].map((path) => `${path}${path.includes('?') ? '&' : '?'}edition=${edition}`),
  );
}

/** Files without ranges, which they had before 2.0: those whose size is not known. */
const WITHOUT_RANGES = /\.csv|\.geojson|changes\.jsonl|supplement\.jsonl|\.jsonl\?.*\b(?:q|sort)=/;

/** Further requests for the address of a response: other methods, and headers that change the response. */
export function listVariants(path: string, { headers }: Answer): Asked[] {
  const [tag, date] = [headers.get('etag') ?? '"none"', headers.get('last-modified') ?? OLD];
  const chosen = HEADERS.filter((each) => !each.startsWith('range=') || !WITHOUT_RANGES.test(path));
  const withHeaders = [...chosen, `if-modified-since=${OLD}`].map((each) => {
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
