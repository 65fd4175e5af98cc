import { COLLECTIONS, KINDS } from '@archiefkast/types';
import { type Fields, isObject } from '@archiefkast/types/internal';
import { isRegistered } from './dataset-register.ts';

/** What was found of a requirement: `yours` is what a program cannot do or see. */
export interface NdeFinding {
  /** The number of the section, and its address. */
  requirement: string;
  address: string;
  name: string;
  level: 'met' | 'not met' | 'yours';
  says: string;
}

/** The requirements for systems of the Dutch Network Digital Heritage, of 28 August 2025. */
const REQUIREMENTS = 'https://netwerk-digitaal-erfgoed.github.io/requirements-collection-management-systems/';

/** Records of each kind whose linked data is looked at. */
const RECORDS = 5;

const PATIENCE_MILLISECONDS = 30_000;

/** An answer after redirects. */
interface Answer {
  status: number;
  type: string;
  text: string;
}

/** An archive as a client sees it. */
interface Visit {
  baseUrl: string;
  register: string;
  /** GET of a path below the base URL, or of an address. */
  get(path: string, accept?: string, redirect?: 'follow' | 'manual'): Promise<Answer>;
  /** The description of the archive as a dataset. */
  dataset: Fields;
  /** Addresses that name records, and the linked data of each. */
  records: readonly { name: string; graph: Fields }[];
}

type Verdict = Pick<NdeFinding, 'level' | 'says'>;

const met = (says: string): Verdict => ({ level: 'met', says });
const unmet = (says: string): Verdict => ({ level: 'not met', says });
const yours = (says: string): Verdict => ({ level: 'yours', says });

/** A requirement: the number of its section, its fragment and name, and how it is examined. */
type Rule = readonly [
  section: string,
  fragment: string,
  name: string,
  examine: (visit: Visit) => Verdict | Promise<Verdict>,
];

/** The requirements, in their order. */
const RULES: readonly Rule[] = [
  [
    '2.1',
    'persistent-uri',
    'names of records are https',
    ({ records }) => {
      const plain = records.find(({ name }) => !name.startsWith('https://'));
      if (records.length === 0) return yours('the archive has no records yet');
      return plain ? unmet(`${plain.name} is not https; set BASE_URL or IDENTITY_URL`) : met('they are');
    },
  ],
  [
    '2.1.1',
    'pid-implementations',
    'the policy on lasting addresses is documented',
    ({ dataset }) => {
      const [policy] = addressesIn(dataset['publishingPrinciples']);
      return policy ? met(policy) : yours('document it, and say where: policy in archive.json');
    },
  ],
  [
    '2.1.2',
    'linking-to-removed-resources',
    'names of removed records answer 301 or 410',
    async ({ get }) => {
      const gone = JSON.parse((await get('/api/gone')).text || '{}')['records'] ?? [];
      for (const { uuid } of gone.slice(0, RECORDS)) {
        const { status } = await get(`/id/${uuid}`, undefined, 'manual');
        if (status !== 301 && status !== 410) return unmet(`/id/${uuid} answers ${status}`);
      }
      return met(gone.length > 0 ? 'they do' : 'none was removed');
    },
  ],
  [
    '2.2.1',
    'serving-data',
    'level 1: names of records lead to linked data and to a page, as the client prefers',
    async ({ get, records: [first] }) => {
      if (!first) return yours('the archive has no records yet');
      for (const type of ['text/turtle', 'application/ld+json', 'application/n-triples']) {
        const answer = await get(first.name, type);
        if (answer.status !== 200 || !answer.type.startsWith(type))
          return unmet(`${first.name} as ${type}: ${answer.status} ${answer.type}`);
      }
      const page = await get(first.name, 'text/html');
      return page.status === 200 ? met('they do') : unmet(`${first.name} as text/html: ${page.status}`);
    },
  ],
  [
    '2.2.1',
    'serving-data',
    'level 2: all records are in one file of linked data',
    async ({ get, dataset }) => {
      const file = objectsIn(dataset['distribution']).find((each) =>
        textsIn(each['encodingFormat']).some((type) => type.startsWith('application/n-triples')),
      );
      const [address] = addressesIn(file?.['contentUrl']);
      if (!address) return unmet('/dataset names no such file');
      const { status } = await get(address);
      return status === 200 ? met(address) : unmet(`${address} answers ${status}`);
    },
  ],
  [
    '2.2.1',
    'serving-data',
    'level 3: a SPARQL endpoint (recommended)',
    () => yours('load the file of linked data into a triple store'),
  ],
  [
    '2.2.2',
    'data-modelling',
    'records are schema.org, by SCHEMA-AP-NDE',
    ({ records }) => {
      const faults = records.flatMap(({ name, graph }) =>
        faultsOfProfile(graph).map((fault) => `${name}: ${fault}`),
      );
      if (records.length === 0) return yours('the archive has no records yet');
      return faults.length > 0 ? unmet(faults.join('; ')) : met(`${records.length} records looked at`);
    },
  ],
  [
    '2.3',
    'implementation-of-the-nde-network-of-terms',
    'terms are of the Network of Terms',
    () => yours('choose them where records are edited: same_as of subjects'),
  ],
  [
    '2.4',
    'DatasetRegister',
    'the dataset is described, with a licence and a publisher',
    ({ dataset }) => {
      const missing = DATASET_PROPERTIES.filter((property) => [dataset[property] ?? []].flat().length === 0);
      if (missing.length > 0) return unmet(`/dataset lacks ${missing.join(', ')}; complete archive.json`);
      return met(addressesIn(dataset['license']).join());
    },
  ],
  [
    '2.4',
    'DatasetRegister',
    'the dataset is registered',
    async ({ register, baseUrl }) => {
      const address = `${baseUrl}/dataset`;
      return (await isRegistered(register, address))
        ? met(`${register} knows ${address}`)
        : unmet(`${register} does not know ${address}; run the command register`);
    },
  ],
  [
    '2.5',
    'serving-images-through-iiif',
    'pictures have manifests (IIIF Presentation API), and an image service (Image API)',
    async ({ get, records }) => {
      const pictured = records.filter(({ graph }) => graph['image'] ?? graph['associatedMedia']);
      const manifests = pictured.flatMap(({ graph }) =>
        objectsIn(graph['associatedMedia']).flatMap((each) => addressesIn(each)),
      );
      const [manifest] = manifests;
      if (pictured.length === 0)
        return yours(`none of the ${records.length} records looked at has a picture`);
      if (!manifest) return unmet('pictures have no manifest, as their size is not known');
      const { status, text } = await get(manifest);
      if (status !== 200) return unmet(`${manifest} answers ${status}`);
      return /"type":"ImageService[23]"/.test(text)
        ? met(manifest)
        : unmet(`${manifest} is there; its pictures have no image service`);
    },
  ],
];

/** What the register asks of a dataset in any case. */
const DATASET_PROPERTIES = ['name', 'description', 'license', 'publisher', 'creator', 'distribution'];

/**
 * Examines an archive by the requirements of the Dutch Network Digital Heritage, as a client: its address, twenty of its records, its
 * description and the register of datasets.
 *
 * @param register address of the API of the register
 * @throws Error if the archive does not answer
 */
export async function examineNde(baseUrl: string, register: string): Promise<NdeFinding[]> {
  const get: Visit['get'] = async (path, accept = '*/*', redirect = 'follow') => {
    const url = path.startsWith('/') ? baseUrl + path : path;
    const response = await fetch(url, {
      headers: { Accept: accept },
      redirect,
      signal: AbortSignal.timeout(PATIENCE_MILLISECONDS),
    });
    const isLarge = /\.gz$|\.jsonl$/.test(url);
    if (isLarge) await response.body?.cancel();
    const text = isLarge ? '' : await response.text();
    return { status: response.status, type: response.headers.get('content-type') ?? '', text };
  };
  const read = async (path: string): Promise<Fields> => {
    const { status, text } = await get(path);
    if (status !== 200) throw new Error(`${baseUrl}${path} answers ${status}; expected an archive`);
    return JSON.parse(text);
  };
  const records: { name: string; graph: Fields }[] = [];
  for (const kind of KINDS) {
    const { results } = await read(`/en/api/${COLLECTIONS[kind]}`);
    for (const { uuid } of objectsIn(results).slice(0, RECORDS)) {
      const graph = await read(`/id/${uuid}.jsonld`);
      records.push({ name: String(graph['@id']), graph });
    }
  }
  const visit = { baseUrl, register, get, dataset: await read('/dataset.jsonld'), records };
  const findings: NdeFinding[] = [];
  for (const [requirement, fragment, name, examine] of RULES) {
    const verdict = await Promise.resolve(examine(visit)).catch((error: unknown) =>
      unmet(error instanceof Error ? error.message : String(error)),
    );
    findings.push({ requirement, address: `${REQUIREMENTS}#${fragment}`, name, ...verdict });
  }
  return findings;
}

/** The classes of SCHEMA-AP-NDE of which records are made: each has a name, once in a language. */
const NAMED = ['Person', 'Place', 'Organization', 'CreativeWork'];

/** Where the linked data of a record does not follow SCHEMA-AP-NDE, in it and in all that is in it. */
function faultsOfProfile(graph: Fields): string[] {
  const types = [graph['@type'] ?? []].flat().map(String);
  const place = objectsIn(graph['geo']);
  const own = [
    ...types.filter((type) => NAMED.includes(type) && !isOncePerLanguage(graph['name'])),
    ...place.filter((each) => !each['latitude'] || !each['longitude']).map(() => 'GeoCoordinates'),
  ].map((type) => `a ${type} lacks what it must have, or has it twice`);
  return [...own, ...Object.values(graph).flatMap((value) => objectsIn(value).flatMap(faultsOfProfile))];
}

function isOncePerLanguage(value: unknown): boolean {
  const languages = objectsIn(value).map((each) => each['@language']);
  return languages.length > 0 && new Set(languages).size === languages.length;
}

function objectsIn(value: unknown): Fields[] {
  return [value ?? []].flat().filter(isObject);
}

function addressesIn(value: unknown): string[] {
  return objectsIn(value).flatMap((each) => (typeof each['@id'] === 'string' ? each['@id'] : []));
}

function textsIn(value: unknown): string[] {
  return objectsIn(value).map((each) => String(each['@value']));
}
