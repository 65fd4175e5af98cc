import { join } from 'node:path';
import { COLLECTIONS, type Facets, type Suggestions } from '@archiefkast/types';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ApiServer, startApi, startShared } from '../support/api-server.ts';
import { writeBundle } from '../support/fixture/fixture-bundle.ts';
import { uuidOf } from '../support/fixture/names.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { getJson, type Page } from '../support/walk.ts';

/** More words than a query has. */
const LONG =
  'the ropemaker and Tobias: Tobias, the elder, mends a boat of oak, while the ropemaker, his cousin by marriage, counts the ropes';

/** Names with what query languages, catalogues and typographers use. */
const NAMES = [
  ...['Bram Bedenksel (III)', 'Jan [Pietsz] Fantasie', 'Hout(snij)der', '{Haven}', 'Kaai (oud) [nieuw]'],
  ...['Lijnbaan?', 'Kade bij nacht, na 1535?', 'Wat nu?! ', 'Ster * in de nacht', 'vijf%', 'G*raaf'],
  ...[
    "Griet Verzonnen, 'Mooie Griet'",
    '“De Zwaan” en de eend',
    'De "Gouden" Bal',
    "'t Zand",
    '«Quai» neuf',
    'De 12" plaat',
  ],
  ...[
    'port city : map of 1652, third state',
    'street : a history',
    'Titel: ondertitel',
    'title : a story',
    'Title: a story',
  ],
  ...[
    '12:30',
    'https://example.org/ship',
    'doi:10.9999/rope',
    ':Huis',
    'Huis:',
    'date : 1650',
    'kind : of blue',
  ],
  ...[
    'winter ~ work in the yard',
    'persons ~ life at the wharf',
    'dates ~ 1650',
    'villages = many',
    'x <> y',
    'A^2',
  ],
  ...['Ideaal -HH- landschap', 'touw en –hennep', '+Kade', 'Kade OR Brug', 'Brood EN spelen'],
  ...[
    'a || b',
    'Bol & zoon',
    '/kade/',
    'a/b',
    '1650-1660',
    '[1650]',
    '…',
    '?',
    'Огород (старый)?',
    '港 : 地図',
    'نهر (قديم)؟',
  ],
  ...[
    LONG,
    `${LONG} (2)`,
    Array.from({ length: 40 }, (_, at) => `Naam${at}`).join(', '),
    'woord '.repeat(199).trim(),
  ],
  ...[
    'rope-walk',
    'Rope - Walk',
    'J.P. Verzonnen (jr.)',
    'Verzonnen, J.P. [sr]',
    'IJ(mond)',
    'Straße (Süd)',
    'a  b (  c )',
  ],
];

const named = (kind: 'person' | 'event', id: number, more: object) => ({
  id,
  uuid: uuidOf(kind, id),
  ...more,
});

const BUNDLE = {
  person: [
    ...NAMES.map((name, at) => named('person', at + 1, { title_nl: name, title_en: `${name} (en)` })),
    named('person', 900, { title_nl: 'city:Leiden', title_en: 'last_name:Bedenksel' }),
  ],
  location: [{ id: 1, uuid: uuidOf('location', 1), name_nl: 'Huis', name_en: 'House', city: 'Leiden' }],
  event: NAMES.map((name, at) => named('event', at + 1, { name_nl: `(${name})`, name_en: '' })),
};

const FIELDS = ['title_nl', 'title_en', 'name_nl', 'name_en'] as const;
type Named = Readonly<Record<(typeof FIELDS)[number], string | null | undefined>>;
const namesOf = (record: Named) => FIELDS.flatMap((field) => record[field] || []);

/** How a name is pasted. */
const PASTED: Readonly<Record<string, (name: string) => string>> = {
  whole: (name) => name,
  'in quotes': (name) => `"${name}"`,
  'without its punctuation': (name) => name.replace(/[^\p{L}\p{N}\p{M}\s]+/gu, ' '),
  'after a word of it': (name) =>
    /\s/.test(name) ? `${name.match(/[\p{L}\p{N}]+/gu)?.at(-1)} ${name}` : name,
};

/** What the contract says of `field:value` holds, whatever records are called. */
const isFieldAndValue = (name: string) => /^(?:city|last_name):\S/.test(name);

const startOddNames = async () =>
  startApi({ engine: 'sqlite', bundle: await writeBundle(join(await temporaryFolder(), 'bundle'), BUNDLE) });

const ARCHIVES: Readonly<Record<string, () => Promise<ApiServer>>> = {
  sample: () => startShared('sample', 'sqlite'),
  fixture: () => startShared('fixture', 'sqlite'),
  'odd names': startOddNames,
};

/** A name as suggestions show it. */
const inOneLine = (name: string) => name.replace(/\s+/g, ' ').trim();

describe.each(Object.entries(ARCHIVES))('every name of the archive %s', (_, start) => {
  let archive: ApiServer;
  let names: string[] = [];
  beforeAll(async () => {
    archive = await start();
    const records = await Promise.all(
      Object.values(COLLECTIONS).map(async (collection) => {
        const lines = await (await archive.fetch(`/en/api/dump/${collection}.jsonl`)).text();
        return lines
          .split('\n')
          .filter(Boolean)
          .map((line): Named => JSON.parse(line));
      }),
    );
    names = [...new Set(records.flat().flatMap(namesOf))].filter((name) => !isFieldAndValue(name));
  });
  afterAll(() => archive.stop());

  /** The names of the hits on the first page; the problem of a query that is refused. */
  const search = async (q: string): Promise<string[] | string> => {
    const answer = await archive.fetch(`/nl/api/search?q=${encodeURIComponent(q)}`);
    const body = await answer.text();
    const { results }: { results?: { instance: Named }[] } = JSON.parse(body);
    return results?.flatMap(({ instance }) => namesOf(instance)) ?? body;
  };

  test.each(Object.entries(PASTED))('is a query that finds it, pasted %s', async (_, paste) => {
    expect(names.length).toBeGreaterThan(10);
    for (const name of names) {
      const q = paste(name);
      if (q.trim() !== '') expect(await search(q), q).toContain(name);
    }
  });

  test('is found as it is suggested, and facets of it find what they count', async () => {
    const prefixes = [...new Set(names.map((name) => name.slice(0, 3)))];
    for (const prefix of prefixes.filter((_, at) => at % 6 === 0)) {
      const { values } = await getJson<Suggestions>(
        archive,
        `/nl/api/suggest?prefix=${encodeURIComponent(prefix)}`,
      );
      for (const { value } of values) {
        if (isFieldAndValue(value)) continue;
        expect(await search(value), value).toContain(
          names.find((name) => inOneLine(name) === inOneLine(value)),
        );
        const { facets } = await getJson<Facets>(archive, `/nl/api/facets?q=${encodeURIComponent(value)}`);
        for (const { q, count } of Object.values(facets).flatMap((values) => values ?? [])) {
          if (q === null) continue;
          const page = await getJson<Page>(archive, `/nl/api/search?q=${encodeURIComponent(q)}`);
          expect(page.count, q).toBe(count);
        }
      }
    }
  });

  test('has a page of results without a fault', async () => {
    for (const name of names) {
      const page = await (await archive.fetch(`/nl/zoeken/?q=${encodeURIComponent(name)}`)).text();
      expect(page, name).toContain('<ol class="results"');
      expect(page, name).not.toContain('class="fault"');
    }
  });
});

describe('queries beside names', () => {
  let archive: ApiServer;
  beforeAll(async () => {
    archive = await startOddNames();
  });
  afterAll(() => archive.stop());

  const count = async (q: string, path = 'en/api/search'): Promise<number> =>
    (await getJson<Page>(archive, `/${path}?q=${encodeURIComponent(q)}`)).count;
  const correctionsOf = async (q: string): Promise<string[]> => {
    const answer = await archive.fetch(`/en/api/search?q=${encodeURIComponent(q)}`);
    expect(answer.status, q).toBe(400);
    return (await answer.json()).corrections ?? [];
  };

  test('a field and its value are no name, whatever records are called', async () => {
    expect(await count('city:Leiden')).toBe(1);
    expect(await count('city:Haarlem')).toBe(0);
    expect(await count('last_name:Bedenksel')).toBe(0);
  });

  test('a query that excludes something finds no name instead', async () => {
    expect(await count('Lijnbaan')).toBe(2);
    expect(await count('Lijnbaan -lijnbaan*')).toBe(0);
  });

  test('a word before a name is one that the record has', async () => {
    expect(await count('Fantasie Bram Bedenksel (III)', 'en/api/dump/persons.csv').catch(() => 0)).toBe(0);
    expect(await correctionsOf('Fantasie Bram Bedenksel (III)')).toEqual([]);
  });

  test('a name is found without the signs in its words', async () => {
    expect(await count('Houtsnijder')).toBe(2);
    expect(await count('Graaf')).toBe(2);
    expect(await count('12 30')).toBe(await count('1230'));
  });

  test('corrections find something, and nothing is left out', async () => {
    expect(await correctionsOf('dates ~ wharf')).toEqual([]);
    expect(await correctionsOf('persons ~ wharf')).toEqual(['kind:person wharf', 'persons wharf']);
    expect(await correctionsOf('dates ~ life')).toEqual([]);
    expect(await correctionsOf('kade~1')).toEqual(['kade']);
    expect(await correctionsOf('a b c d e f g h i j k l m n o p q r')).toEqual([]);
    expect(await correctionsOf('gender:male city:Leiden')).toEqual([]);
  });

  test('a page shows the nearest query in the place of an invalid one, and says so', async () => {
    const page = await (await archive.fetch('/en/zoeken/?q=persons+~+wharf')).text();
    expect(page).toContain(
      'Results of <a href="?q=kind%3Aperson+wharf" rel="nofollow">kind:person wharf</a>',
    );
    expect(page).toContain('persons wharf</a> <span class="count">2</span>');
    expect(page).toContain('class="fault"');
    expect(page).toContain('<ol class="results"');
    expect(page).toContain('value="persons ~ wharf"');
    expect(page).toContain('<meta name="robots" content="noindex"/>');
    expect(page).toContain('/en/zoeken/?q=persons+%7E+wharf"/>');
    const none = await (await archive.fetch('/en/zoeken/?q=dates+~+hennep')).text();
    expect(none).toContain('class="fault"');
    expect(none).not.toContain('Results of');
  });
});
