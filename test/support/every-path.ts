import { LANGUAGES } from '@archiefkast/types';
import { uuidOf } from './fixture/names.ts';
import { send } from './send.ts';

/** Pages, which the OpenAPI document does not list. @param uuids see `listEveryPath` */
const pagesOf = (uuids: typeof UUIDS) => [
  '/en/',
  '/nl/zoeken/?q=leiden',
  '/nl/personen/',
  `/en/personen/${uuids['persons']}/`,
  `/nl/gebeurtenissen/${uuids['events']}/`,
  '/en/docs',
  `/nl/embed/${uuids['persons']}`,
  '/problems/not-found',
  '/assets/archive-widget.js',
  '/robots.txt',
  '/favicon.ico',
];

/** The first record of each kind of the fixture, by the path segment of its list. */
const UUIDS: Readonly<Record<string, string>> = {
  persons: uuidOf('person', 101),
  subjects: uuidOf('subject', 1),
  locations: uuidOf('location', 201),
  events: uuidOf('event', 301),
};

/** Required parameters of a path, and some of its optional ones. */
const QUERIES: Readonly<Record<string, readonly string[]>> = {
  persons: ['', '?page=2', '?format=api&page=3'],
  search: ['', '?page=2', '?q=city:leiden', '?q=last_name:nummer&page=2'],
  'locations.geojson': ['', '?q=leiden&sort=name&bbox=4,52,5,53'],
  'search.ris': ['', '?q=leiden&sort=name'],
  suggest: ['?field=last_name&prefix=h'],
  changes: ['?since=1'],
  'changes.jsonl': ['?since=1'],
};

/**
 * One address for every GET route of the OpenAPI document and for every page, in every language.
 *
 * @param uuids a record of each kind, by the path segment of its list
 */
export async function listEveryPath(origin: string, uuids = UUIDS): Promise<string[]> {
  const { body } = await send(`${origin}/openapi.json`);
  const { paths }: { paths: Record<string, object> } = JSON.parse(body.toString());
  const ofApi = Object.keys(paths)
    .flatMap((template) => LANGUAGES.map((language) => template.replace('{lang}', language)))
    .filter((path, index, all) => all.indexOf(path) === index)
    .flatMap((template) => {
      const [, collection = ''] = /api\/([\w.]+)/.exec(template) ?? [];
      const path = template.replace(/\{(\w+)\}/g, (_, name: string) => {
        return (name === 'uuid' ? uuids[collection] : undefined) ?? `no value for ${name}`;
      });
      const queries = template.endsWith(`/${collection}`) ? QUERIES[collection] : undefined;
      return (queries ?? ['']).map((query) => path + query);
    });
  return [...ofApi, ...pagesOf(uuids)];
}
