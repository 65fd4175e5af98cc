import { createHash } from 'node:crypto';
import { COLLECTIONS, KINDS, LANGUAGES } from '@archiefkast/types';
import { createRandom } from '../../../apps/api/testing/random.ts';
import { createVocabulary } from '../../bench/words.ts';
import { publishBundle } from '../../support/api-process.ts';
import { type ApiServer, serveDatabase } from '../../support/api-server.ts';
import { makeBundle } from '../../support/bundles.ts';
import { createTestDatabase } from '../../support/test-database.ts';

/** Number of records of each archive. */
const RECORDS = 2_000;

/** The response of an archive to every path, as a status and a hash of the body. */
export type Answers = ReadonlyMap<string, string>;

/** Archives that are published in turn, and the responses of each. */
export interface Oracle {
  bundles: readonly string[];
  answers: readonly Answers[];
  paths: readonly string[];
}

/** A response in one line, for comparison. */
export async function digest(response: Response): Promise<string> {
  const body = Buffer.from(await response.arrayBuffer());
  return `${response.status} ${createHash('sha256').update(body).digest('base64url')}`;
}

/**
 * Creates bundles, and requests every path of each from a separate, undisturbed server on SQLite.
 *
 * @param folder for the bundles
 */
export async function consult(folder: string, seeds: readonly number[]): Promise<Oracle> {
  const bundles: string[] = [];
  const servers: ApiServer[] = [];
  const databases = await Promise.all(seeds.map(() => createTestDatabase('sqlite')));
  for (const [index, database] of databases.entries()) {
    const bundle = await makeBundle(folder, { records: RECORDS, seed: seeds[index] ?? 0, busyPlace: 100 });
    await publishBundle(database, bundle);
    bundles.push(bundle);
    servers.push(await serveDatabase(database));
  }
  const paths = [...mixedPaths(), ...(await detailPaths(servers))];
  const answers = await Promise.all(
    servers.map(async (server) => {
      const all = new Map<string, string>();
      for (const path of paths) all.set(path, await digest(await server.fetch(path)));
      return all;
    }),
  );
  for (const server of servers) await server.stop();
  for (const database of databases) await database.drop();
  return { bundles, answers, paths };
}

/** Lists, searches, suggestions, counts, dumps, and missing pages, in realistic shares. */
function mixedPaths(): string[] {
  const random = createRandom(1);
  const vocabulary = createVocabulary(random, RECORDS);
  const language = () => random.pick(LANGUAGES);
  const some = (count: number, make: () => string) => Array.from({ length: count }, make);
  const q = (query: string) => `q=${encodeURIComponent(query)}`;
  return [
    ...some(120, () => `/${language()}/api/${COLLECTIONS[random.pick(KINDS)]}?page=${1 + random.below(20)}`),
    ...some(20, () => `/${language()}/api/search?page=${1 + random.below(200)}`),
    ...some(30, () => `/${language()}/api/search?${q(`last_name:${vocabulary.lastName().slice(0, 4)}`)}`),
    ...some(40, () => `/${language()}/api/search?${q(`${vocabulary.word()} ${vocabulary.word()}`)}`),
    ...some(15, () => `/${language()}/api/search?${q(`city:${vocabulary.place()} kind:location`)}`),
    ...some(
      15,
      () => `/${language()}/api/suggest?field=last_name&prefix=${vocabulary.lastName().slice(0, 2)}`,
    ),
    ...some(5, () => `/${language()}/api/facets?${q(vocabulary.word())}`),
    ...KINDS.flatMap((kind) => [
      `/en/api/dump/${COLLECTIONS[kind]}.jsonl`,
      `/nl/api/dump/${COLLECTIONS[kind]}.csv`,
    ]),
    '/en/api/locations.geojson',
    '/en/api/persons?page=0',
    '/en/api/persons?page=100000',
    '/en/api/search?q=colour:red',
    '/nothing/here',
  ];
}

/** Records of each archive: they are missing in the others. */
async function detailPaths(servers: readonly ApiServer[]): Promise<string[]> {
  const paths: string[] = [];
  for (const server of servers) {
    for (const kind of KINDS) {
      const list = `/en/api/${COLLECTIONS[kind]}`;
      const { results }: { results: { uuid: string }[] } = await (
        await server.fetch(`${list}?page=3`)
      ).json();
      paths.push(...results.map(({ uuid }) => `${list}/${uuid}`));
    }
  }
  return paths;
}
