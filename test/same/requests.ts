/** What is requested of every archive. */

/** Queries of every operator, and mistaken ones. */
export const QUERIES = [
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
export const SORTS = ['relevance', 'name', 'date', '-date', 'id', 'x'];
export const PREFIXES = ['', 'a', 'd', 'h', 'am', 'va', 'van', 'é', 'ij', '1', 'zzzz', 'de ', '%'];

export const PLAIN =
  list(`/ /health /favicon.ico /robots.txt /sitemap.xml /sitemap-pages.xml /sitemap-x.xml /openapi.json /docs /docs/
  /en/docs/ /nope /nope/ /en /en/nope /fr/ /fr/api/persons /nl/api/nope /en/persons /api /api/ /api/editions /api/changes
  /api/changes?since=x /api/changes?since=1 /api/dump/manifest.json /api/persons /problems/ /problems/nope /media/ /media/../x.jpg
  /media/nope.jpg /assets/nope.css /% /%ff /EN/API/PERSONS //en/api /en//api /en/api/persons/ /en/api/persons/x /en/personen
  /en/personen/x/ /?a=1 /problems/not-found /problems/invalid-query /problems/search-busy /problems/internal-error
  /problems/method-not-allowed /problems/edition-gone /problems/starting`);
export const OF_LANGUAGE =
  list(`/ /api /api/ /docs /feed.atom /zoeken/ /zoeken/hulp/ /zoeken /api/facets /api/suggest /api/search
  /api/editions /api/changes /api/changes?since=1 /api/changes?since=0 /api/changes.jsonl?since=1 /api/changes?since=
  /api/dump/manifest.json /api/facets?of=kind,city /api/facets?of= /api/facets?of=x /api/locations.geojson?bbox=1,2
  /api/locations.geojson?bbox=4.8,52.3,5.0,52.4 /api/events.geojson?bbox=170,-90,-170,90 /zoeken/?from=1600&to=1650&date=date
  /zoeken/?q=&from=x /zoeken/?q=de&date=birth_date&from=1600 /zoeken/?page=0 /zoeken/?page=99999 /?edition=x`);
export const OF_LIST =
  list(`fields=brief fields=uuid fields=brief,id&page=2 fields=x fields= format=api format=xml format=api&page=2
  page=1 page=0 page=x page=01 page=2&page=3 limit=50 page=2&x=1&format= edition=&page=2 sort=name q=de`);

/** Addresses that can name an edition. */
export const OF_EDITION =
  list(`/en/api /nl/api/persons /en/api/events?page=2 /en/api/search?q=de /nl/api/search?q=de&page=2
  /en/api/facets?q=de /nl/api/suggest?prefix=a /en/api/dump/manifest.json /nl/api/dump/persons.csv /en/ /nl/docs
  /en/api/dump/events.jsonl?q=de /en/api/locations.geojson /nl/personen/ /nl/zoeken/?q=de /nl/api/editions
  /en/api/dump/supplement.jsonl /en/feed.atom /api/changes?since=1 /nl/api/changes.jsonl?since=2 /api/changes?since=2
  /en/api/changes.jsonl?since=3 /nl/api/changes?since=4 /en/api/changes?since=99`);

/** Headers that change a response, in the form of a query; `TAG` and `DATE` stand for its own. */
export const HEADERS =
  list(`accept-encoding=gzip accept-encoding=br accept-encoding=zstd accept-encoding=* accept-encoding=gzip;q=0.5,br;q=0.1
  accept-encoding=identity;q=0 accept=text/html accept=application/xml accept=text/html;q=0.5,application/json
  accept=text/html&accept-language=nl range=bytes=10-99 range=bytes=-20 range=bytes=99999999- range=bytes=0-0,5-9 range=x
  range=bytes=5-&if-range=TAG&accept-encoding=gzip range=bytes=5-&if-range="other" if-none-match=TAG if-none-match=W/TAG
  if-none-match=* if-none-match="other" if-none-match="other",TAG if-modified-since=DATE
  x-request-id=given&origin=https://other.test x-request-id=not~valid`);
export const OLD = 'Thu, 01 Jan 1970 00:00:00 GMT';

/** Unusual requests. */
export const RAW = [
  'GET / HTTP/1.0\r\n\r\n',
  `GET /${'x'.repeat(33_000)} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`,
  'GET http://other.test/en/api HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
  'GET /en/api/persons?page=2 HTTP/1.1\r\nHost: a\r\n\r\nGET /nope HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
];

/** The words of a text. */
export function list(text: string): string[] {
  return text.split(/\s+/);
}
