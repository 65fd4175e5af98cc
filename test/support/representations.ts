import type { IncomingHttpHeaders } from 'node:http';

/** What clients send as `Accept`: none, curl, a browser, and readers of linked data such as rdflib. */
const ACCEPTED: readonly (string | undefined)[] = [
  ...[
    undefined,
    '*/*',
    'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
    'application/json',
  ],
  ...['text/turtle', 'application/ld+json', 'application/n-triples', 'application/ld+json;profile="x"'],
  ...['text/turtle, */*;q=0.1', 'text/html;q=0.5, text/turtle', 'text/html, text/turtle;q=0.5'],
  'application/rdf+xml;q=0.9, text/turtle;q=1, application/n-triples, application/ld+json, */*;q=0.1',
];

const LANGUAGES = ['nl', 'en-GB, nl;q=0.5', 'fr'];
const CODINGS = ['gzip', 'identity'];

/** Requests for every address that has several representations, and for others: each with what is negotiated. */
export function listNegotiated(uuid: string): { path: string; headers: Record<string, string> }[] {
  const paths = [
    `/id/${uuid}`,
    `/en/personen/${uuid}/`,
    '/dataset',
    '/nl/dataset/',
    '/en/personen/',
    '/en/nothing',
  ];
  return [
    ...[...paths, '/en/api/persons', '/sitemap.xml'].flatMap((path) =>
      ACCEPTED.map((accept) => ({ path, headers: { ...(accept && { Accept: accept }) } })),
    ),
    ...['/', '/dataset', `/id/${uuid}`].flatMap((path) =>
      LANGUAGES.map((language) => ({ path, headers: { 'Accept-Language': language } })),
    ),
    ...CODINGS.map((coding) => ({ path: '/en/personen/', headers: { 'Accept-Encoding': coding } })),
  ];
}

/** What a client is given: the same through a proxy. */
export function representationOf({ status, headers }: { status: number; headers: IncomingHttpHeaders }) {
  const { location, 'content-type': type, 'content-encoding': coding = 'identity' } = headers;
  return { status, location, type, coding };
}
