import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { TAKEN_NAMES } from '@archiefkast/bundle';
import { manifestSchema } from '@archiefkast/types';
import { beforeAll, describe, expect, test } from 'vitest';
import { runHere } from '../faults/run-here.ts';
import { publishHere, runApiHere, type ServerHere, serveHere } from '../support/api-here.ts';
import { ITSELF, serveDatabase } from '../support/api-server.ts';
import { callOf, callTool, speakOverStdio } from '../support/ask-archive.ts';
import { writeBundle } from '../support/fixture/fixture-bundle.ts';
import { uuidOf } from '../support/fixture/names.ts';
import { faultsOfHtml } from '../support/html-checks.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { createTestDatabase, describeEngines, type TestDatabase } from '../support/test-database.ts';

const [ABOVE, BELOW] = [uuidOf('subject', 1), uuidOf('subject', 2)];
const [PERSON, PLACE, EVENT] = [uuidOf('person', 1), uuidOf('location', 1), uuidOf('event', 1)];
const OTHER = uuidOf('person', 2);

const WORDS = {
  title: { nl: 'Proef', en: 'Test' },
  publisher: { nl: 'Wij', en: 'We' },
  contact: { nl: 'Studiezaal', en: 'Reading room' },
  email: 'post@archive.test',
  corrections: 'fout@archive.test',
  removal: 'weg@archive.test',
  policy: { nl: 'https://archive.test/beleid', en: 'https://archive.test/policy' },
  accessibility: { nl: 'https://archive.test/toegankelijk', en: 'https://archive.test/accessible' },
  note: { nl: 'Woorden van hun tijd.', en: 'Terms of their time.' },
  notes: { nl: { [ABOVE]: 'Over slavernij.' }, en: { [ABOVE]: 'On slavery.' } },
  reuse: { mining: 'yes', training: 'no' },
  about: ['http://vocab.getty.edu/aat/300026877', 'https://topic.test/b'],
} as const;

const PICTURE = {
  ...{ id: 9, uuid: uuidOf('person', 9), filetype: 'image', url: 'https://archive.test/a.jpg' },
  ...{ alt: 'Collectie Wij', width: 10, height: 20 },
};

/** Markdown with all that could do harm, a picture of the media folder and one of elsewhere. */
const ABOUT = `# Over dit archief

Tekst met <script>alert(1)</script>, [een link](https://a.test/) en [een val](javascript:alert(1)).

## Beeld

![Een huis](huis/a b.jpg) ![Elders](https://a.test/b.png)
`.replace('a b', 'a');

async function writeWords(change: object = {}): Promise<string> {
  const bundle = await writeBundle(await temporaryFolder(), {
    subject: [
      { id: 1, uuid: ABOVE, name_nl: 'Handel', name_en: 'Trade' },
      { id: 2, uuid: BELOW, name_nl: 'Suiker', name_en: 'Sugar', parent: 1 },
      { id: 3, uuid: uuidOf('subject', 3), name_nl: 'Kunst', name_en: 'Art' },
    ],
    person: [
      { id: 1, uuid: PERSON, title_nl: 'Anna', subjects: [BELOW], image: PICTURE },
      { id: 2, uuid: OTHER, title_nl: 'Bram', subjects: [uuidOf('subject', 3)] },
    ],
    location: [{ id: 1, uuid: PLACE, name_nl: 'Huis', name_en: 'House', subjects: [ABOVE] }],
    event: [{ id: 1, uuid: EVENT, name_nl: 'Koop', name_en: 'Sale', subjects: [BELOW], location: PLACE }],
  });
  await writeFile(join(bundle, 'archive.json'), JSON.stringify({ ...WORDS, ...change }));
  await mkdir(join(bundle, 'pages'));
  const pages = {
    'about.nl.md': ABOUT,
    'about.en.md': '# About\n\nText.',
    'home.nl.md': '# Thuis\n\nWelkom.',
  };
  for (const [name, text] of Object.entries({ ...pages, 'home.en.md': '# Home\n\nWelcome.' }))
    await writeFile(join(bundle, 'pages', name), text);
  return bundle;
}

/** Where each word of the archive is to be found: its text, by path. The paths of records are those of one with the note of a subject. */
const PLACES: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  'the note of the archive': {
    'Terms of their time.': [
      ...[
        '/en/',
        '/en/personen/',
        '/en/dataset/',
        `/en/personen/${OTHER}/`,
        `/id/${OTHER}.ttl`,
        '/dataset.nt',
      ],
      ...['/iiif/collection.json', `/iiif/${PERSON}/manifest.json`, '/en/api/dump/manifest.json', '/en/docs'],
      '/oai?verb=ListRecords&metadataPrefix=oai_dc',
    ],
    'Woorden van hun tijd.': ['/nl/', `/nl/personen/${PERSON}/`, `/id/${EVENT}.nt`, '/dataset.jsonld'],
  },
  'the note of a subject': {
    'On slavery.': [
      ...[`/en/onderwerpen/${ABOVE}/`, `/en/onderwerpen/${BELOW}/`, `/en/personen/${PERSON}/`],
      ...[
        `/en/locaties/${PLACE}/`,
        `/en/gebeurtenissen/${EVENT}/`,
        `/id/${BELOW}.ttl`,
        `/id/${PERSON}.jsonld`,
      ],
      ...[
        `/iiif/${PERSON}/manifest.json`,
        `/oai?verb=GetRecord&metadataPrefix=oai_dc&identifier=ID/${EVENT}`,
      ],
      ...['/en/api/dump/supplement.jsonl', '/nl/api/dump/manifest.json', '/en/api/search.ris?q=sale'],
    ],
    'Over slavernij.': [`/nl/personen/${PERSON}/`, `/id/${PLACE}.nt`],
  },
  'the policy': {
    'https://archive.test/policy': [
      '/en/',
      `/en/personen/${OTHER}/`,
      '/en/dataset/',
      '/dataset.ttl',
      '/en/docs',
    ],
    'https://archive.test/beleid': ['/nl/', '/dataset.ttl', '/api/dump/manifest.json'],
  },
  'the accessibility statement': {
    'https://archive.test/accessible': ['/en/', '/en/zoeken/', '/dataset.ttl', '/api/dump/manifest.json'],
    'https://archive.test/toegankelijk': ['/nl/', '/nl/zoeken/hulp/'],
  },
  'the mailboxes': {
    'fout@archive.test': ['/en/', '/dataset.jsonld', '/nl/dataset/', '/api/dump/manifest.json'],
    'weg@archive.test': ['/en/', `/nl/personen/${OTHER}/`, '/dataset.jsonld', '/nl/dataset/'],
    [`mailto:fout@archive.test?subject=BASE%2Fid%2F${PERSON}`]: [`/nl/personen/${PERSON}/`],
  },
  'the topics': {
    'https://topic.test/b': ['/dataset.nt', '/dataset.jsonld', '/en/dataset/', '/api/dump/manifest.json'],
  },
  'what may be done': {
    'Text and data mining: allowed. Training of models: not allowed.': [
      '/en/dataset/',
      '/dataset.ttl',
      '/llms.txt',
    ],
    'Training van modellen: niet toegestaan.': ['/nl/dataset/', '/dataset.jsonld'],
    '"reuse":{"mining":"yes","training":"no"}': ['/api/dump/manifest.json'],
  },
  'own pages': {
    'Over dit archief': ['/nl/over/', '/nl/', '/nl/personen/', '/nl/about/', '/api/dump/manifest.json'],
    '<p>Welkom.</p>': ['/nl/'],
    '/en/about/</loc>': ['/sitemap-pages.xml'],
  },
};

describeEngines('what an archive says of itself (%s)', (engine) => {
  let database: TestDatabase;
  let server: ServerHere;
  let bundle: string;
  const get = (path: string) => fetch(server.origin + path, { redirect: 'manual' });
  const read = async (path: string) => (await get(path)).text();
  beforeAll(async () => {
    database = await createTestDatabase(engine);
    bundle = await writeWords();
    await publishHere(database, bundle);
    server = await serveHere(database, { BASE_URL: 'http://archive.test' });
  });

  describe.each(Object.entries(PLACES))('%s', (_, places) => {
    const rows = Object.entries(places).flatMap(([text, paths]) =>
      paths.map((path) => [text, path] as const),
    );
    test.each(rows)('"%s" is at %s', async (text, path) => {
      const page = await read(
        path.replace('ID', 'http://archive.test/id').replace('/nl/over/', '/nl/about/'),
      );
      expect(page).toContain(text.replace('BASE', encodeURIComponent('http://archive.test')));
    });
  });

  test('own pages are cleaned, have their pictures, and are valid HTML', async () => {
    const page = await read('/nl/about/');
    expect(page).toContain('<h1>Over dit archief</h1>');
    expect(page).toContain('<h2>Beeld</h2>');
    expect(page).not.toMatch(/<script>|href="javascript:/);
    expect(page).toContain('<img src="../../media/huis/a.jpg" alt="Een huis" loading="lazy" />');
    expect(page).toContain('<img src="https://a.test/b.png" alt="Elders" loading="lazy" />');
    expect(page).toContain('aria-current="page">Over dit archief</a>');
    for (const path of ['/nl/about/', '/en/', `/nl/personen/${PERSON}/`, '/nl/dataset/'])
      expect(await faultsOfHtml(await read(path)), path).toEqual([]);
  });

  test('no path of the program is free for a page', async () => {
    const sources = new URL('../../apps/api/src/', import.meta.url).pathname;
    const files = (await readdir(sources, { recursive: true })).filter((file) =>
      /(?:http|protocols)\/.*\.ts$/.test(file),
    );
    const texts = await Promise.all(files.map((file) => readFile(join(sources, file), 'utf8')));
    const names = new Set(texts.join('').match(/(?<=['`]\/)[a-z][a-z.]*(?=[/'`:])/g));
    const taken = [];
    for (const name of [...names, ...TAKEN_NAMES])
      for (const path of [`/en/${name}`, `/en/${name}/`])
        if ((await get(path)).status !== 404) taken.push(name);
    expect(taken.length).toBeGreaterThan(10);
    expect(new Set(taken)).toEqual(new Set(TAKEN_NAMES));
  });

  test('an assistant is told the notes of the archive, and of each record, by server and command line', async () => {
    const notes = ['Terms of their time.', 'On slavery.'];
    const call = async (name: string, given: object) =>
      (await callTool(server.origin, name, given)).result.structuredContent;
    expect((await call('describe_archive', {})).content_note).toBe(notes[0]);
    const records = [PERSON, ABOVE, OTHER];
    const expected = [notes, notes, notes.slice(0, 1)];
    const told = await Promise.all(records.map((record) => call('get_record', { record })));
    expect(told.map(({ content_notes }) => content_notes)).toEqual(expected);
    const messages = records.map((record, at) => callOf('get_record', { record }, at + 2));
    const { replies } = await speakOverStdio(server.origin, messages);
    const byId = replies.slice(1).toSorted((one, other) => one.id - other.id);
    expect(byId.map(({ result }) => result.structuredContent.content_notes)).toEqual(expected);
    const { content_notes } = await call('get_record', { record: PERSON, part: 'relations', language: 'nl' });
    expect(content_notes).toEqual(['Woorden van hun tijd.', 'Over slavernij.']);
    expect(await (await get('/nl/api')).json()).toMatchObject({ note: 'Woorden van hun tijd.' });
  });

  test('robots.txt leads to the dumps, and keeps crawlers from searches', async () => {
    const rules = (await read('/robots.txt')).split('\n').flatMap((line) => {
      const [, rule = '', prefix = ''] = /^(Allow|Disallow): (.*)$/.exec(line) ?? [];
      return rule ? { isAllowed: rule === 'Allow', prefix } : [];
    });
    // RFC 9309: the longest rule that matches; some robots take the first.
    const allowed = (path: string) => {
      const found = rules.filter(({ prefix }) => path.startsWith(prefix));
      const [longest] = found.toSorted((one, other) => other.prefix.length - one.prefix.length);
      expect(longest?.isAllowed, path).toBe(found[0]?.isAllowed);
      return longest?.isAllowed;
    };
    const files = [
      '/en/api/dump/manifest.json',
      '/en/api/dump/persons.jsonl',
      '/nl/api/changes.jsonl?since=1',
    ];
    for (const path of [...files, '/en/personen/', '/nl/zoeken/hulp/'])
      expect(allowed(path), path).toBe(true);
    const costly = [
      '/en/zoeken/?q=a',
      '/nl/api/search?q=a',
      '/nl/api/facets',
      '/en/reconcile',
      '/oai?verb=x',
      '/mcp',
    ];
    for (const path of costly) expect(allowed(path), path).toBe(false);
    expect(await read('/en/')).toContain(
      '<link rel="collection" type="application/json" href="../en/api/dump/manifest.json"/>',
    );
    const earlier = await get(`/en/personen/${PERSON}/?edition=1`);
    expect(earlier.headers.get('x-robots-tag')).toBe('noindex, nofollow');
    expect((await get(`/en/personen/${PERSON}/`)).headers.get('x-robots-tag')).toBeNull();
  });

  test('an own page has one address; a name that none has is unknown', async () => {
    const moved = await get('/nl/about');
    expect([moved.status, moved.headers.get('location')]).toEqual([308, './about/']);
    for (const path of ['/nl/none', '/nl/none/', '/nl/home/', '/nl/constructor/', '/nl/about/x'])
      expect((await get(path)).status, path).toBe(404);
  });

  test('a note that changes is one changed record, and moves the datestamps of all', async () => {
    const place = await createTestDatabase(engine);
    await publishHere(place, await writeWords());
    const other = await serveHere(place);
    const datestamps = async () => {
      const list = await fetch(`${other.origin}/oai?verb=ListIdentifiers&metadataPrefix=oai_dc`);
      return [...(await list.text()).matchAll(/<datestamp>([^<]+)/g)].map(([, at]) => Date.parse(at ?? ''));
    };
    const before = await datestamps();
    expect(before).toHaveLength(7);
    const notes = { nl: { [ABOVE]: 'Anders.' }, en: { [ABOVE]: 'Other.' } };
    const { stdout } = await publishHere(place, await writeWords({ notes }));
    expect(stdout).toContain('Published edition 2');
    await expect
      .poll(async () => (await fetch(`${other.origin}/id/${PERSON}.nt`)).text(), { timeout: 5_000 })
      .toContain('"Other."@en');
    const changes = await (await fetch(`${other.origin}/en/api/changes?since=1`)).json();
    const changed = { added: [], removed: [], changed: [] };
    expect(changes).toMatchObject({
      subjects: { ...changed, changed: [ABOVE] },
      ...{ persons: changed, locations: changed, events: changed },
    });
    const after = await datestamps();
    expect(Math.min(...after)).toBeGreaterThan(Math.max(...before));
    await other.stop();
  });

  test('goes through tables, a workbook, a harvest and a copy', async () => {
    const folder = await temporaryFolder();
    const at = (name: string) => join(folder, name);
    const lines = async (path: string) => JSON.parse(await readFile(join(path, 'archive.json'), 'utf8'));
    for (const name of ['tables', 'tables.xlsx']) {
      const made = await runApiHere(['convert', bundle, at(name)]);
      expect([made.code, made.code === 0 ? '' : made.stderr]).toEqual([0, '']);
      await runApiHere(['convert', at(name), at(`${name}-back`), '--to', 'jsonl']);
      expect(await lines(at(`${name}-back`)), name).toEqual({
        ...WORDS,
        pages: {
          nl: { about: ABOUT, home: '# Thuis\n\nWelkom.' },
          en: { about: '# About\n\nText.', home: '# Home\n\nWelcome.' },
        },
      });
    }
    const own = await createTestDatabase(engine);
    await publishHere(own, bundle);
    const origin = await serveDatabase(own, { BASE_URL: ITSELF });
    const manifestOf = async (of: { origin: string }) =>
      manifestSchema.parse(await (await fetch(`${of.origin}/api/dump/manifest.json`)).json()).archive;
    const args = ['harvest', '--base-url', origin.origin, '--out', at('harvest'), '--format', 'jsonl'];
    expect(await runHere(args)).toMatchObject({ code: 0 });
    const copied = await createTestDatabase(engine);
    await publishHere(copied, at('harvest'));
    const copy = await serveDatabase(copied, { BASE_URL: ITSELF });
    const { mirror_of: _, ...words } = (await manifestOf(origin)) ?? {};
    expect(await manifestOf(copy)).toMatchObject(words);
    for (const path of [`/id/${EVENT}.nt`, `/en/api/dump/supplement.jsonl`])
      expect(await (await fetch(copy.origin + path)).text(), path).toContain('On slavery.');
    await Promise.all([origin.stop(), copy.stop()]);
  });
});

describe('what an archive says of reuse', () => {
  const ask = async (reuse: object | undefined, work: (server: ServerHere) => Promise<void>) => {
    const database = await createTestDatabase('sqlite');
    const bundle = await writeWords({ reuse });
    await publishHere(database, bundle);
    const server = await serveHere(database, { PAGES: 'off', BASE_URL: 'http://archive.test/a' });
    await work(server);
    await server.stop();
  };
  test.each([
    [{ mining: 'yes' }, '0', '# Text and data mining: allowed.'],
    [
      { mining: 'no', training: 'no' },
      '1',
      '# Text and data mining: not allowed. Training of models: not allowed.',
    ],
    [{ training: 'yes' }, null, '# Training of models: allowed.'],
    [{ mining: 'unsaid', training: 'unsaid' }, null, undefined],
    [undefined, null, undefined],
  ])('%j gives the header %s', async (reuse, reservation, sentence) => {
    await ask(reuse, async ({ origin }) => {
      for (const path of ['/en/api/persons', `/id/${PERSON}.nt`, '/en/nothing'])
        expect((await fetch(origin + path)).headers.get('tdm-reservation'), path).toBe(reservation);
      const file = await fetch(`${origin}/.well-known/tdmrep.json`);
      expect(file.status).toBe(reservation === null ? 404 : 200);
      if (reservation !== null)
        expect(await file.json()).toEqual([{ location: '/a', 'tdm-reservation': Number(reservation) }]);
      const robots = await (await fetch(`${origin}/robots.txt`)).text();
      expect(robots.match(/^# (?:Text|Training).*$/m)?.[0]).toBe(sentence);
      // Without pages, those of the archive are kept, and not served.
      expect((await fetch(`${origin}/nl/about/`)).status).toBe(404);
      expect(await (await fetch(`${origin}/api/dump/manifest.json`)).text()).toContain('Over dit archief');
    });
  });
});

describe('faults in what an archive says', () => {
  test.each<[object | Readonly<Record<string, string>>, string]>([
    [{ policy: 'https://a.test/' }, 'archive.json: policy: expected object'],
    [
      { policy: { nl: 'x', en: 'https://a.test/' } },
      'archive.json: policy.nl: expected an absolute http or https URL',
    ],
    [{ removal: 'x' }, 'archive.json: removal: expected an e-mail address'],
    [{ reuse: { mining: 'maybe' } }, 'archive.json: reuse.mining: expected yes, no or unsaid'],
    [{ notes: { nl: { [ABOVE]: 'x' }, en: {} } }, `archive.json: notes.en.${ABOVE}: is missing`],
    [
      { notes: { nl: { x: 'x' }, en: { x: 'x' } } },
      'archive.json: notes.nl.x: expected the UUID of a subject',
    ],
    [
      { notes: { nl: { [ABOVE]: 'a|b' }, en: { [ABOVE]: 'x' } } },
      `archive.json: notes.nl.${ABOVE}: expected a text without "|"`,
    ],
    [
      { notes: { nl: { [PERSON]: 'x' }, en: { [PERSON]: 'x' } } },
      `archive.json: notes.${PERSON}: refers to the subject ${PERSON}, which is not in the bundle`,
    ],
    [{ pages: { nl: { about: '# A' }, en: {} } }, 'pages/about.nl.md: is a page that the description'],
    [{ file: 'About.nl.md', text: '# A' }, 'pages/About.nl.md: expected a name such as about.nl.md'],
    [{ file: 'more.nl.md', text: '# A' }, 'pages/more.en.md: is missing: the page has it in nl only'],
    [{ file: 'about.en.md', text: 'A' }, 'pages/about.en.md: expected a title in the first line'],
    [
      { file: 'about.en.md', text: '# A\n![a](../x.png)' },
      'pages/about.en.md: the picture "../x.png" is neither',
    ],
    [
      { file: 'zoeken.nl.md', text: '# A' },
      'pages/zoeken.nl.md: zoeken: is the path of a page of the program',
    ],
    [
      { file: 'about.en.md', text: `# A\n${'['.repeat(4_001)}` },
      'pages/about.en.md: has more than 4,000 "["',
    ],
  ])('%j: %s', async (given, expected) => {
    const { file, text, ...change } = { file: undefined, text: '', ...given };
    const bundle = await writeWords(change);
    if (file) await writeFile(join(bundle, 'pages', file), text);
    const { code, stderr } = await runApiHere(['check', bundle]);
    expect([code, stderr]).toEqual([1, expect.stringContaining(expected)]);
  });

  test('in a sheet are at their column', async () => {
    const bundle = await writeWords();
    const tables = join(await temporaryFolder(), 'tables');
    await runApiHere(['convert', bundle, tables, '--to', 'tables']);
    const file = join(tables, 'archive.csv');
    const text = await readFile(file, 'utf8');
    await writeFile(file, text.replace('https://archive.test/beleid', 'beleid'));
    const { stderr } = await runApiHere(['check', tables]);
    expect(stderr).toMatch(/archive\.csv:2: policy_nl: expected an absolute http or https URL/);
  });
});
