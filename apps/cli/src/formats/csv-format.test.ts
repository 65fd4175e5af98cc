import { KINDS, type Kind } from '@archiefkast/types/kinds';
import { expect, test } from 'vitest';
import { csvFormat, csvPieces } from './csv-format.ts';
import type { HarvestSource } from './harvest-source.ts';

const NAMES = ['persons.csv', 'subjects.csv', 'locations.csv', 'events.csv', 'footnotes.csv', 'files.csv'];
const NOTE = '<section class="footnotes"><ol><li>Notary</li></ol></section>';
const SUBJECT = 'https://archive.example/en/api/subjects/22222222-2222-4222-8222-222222222222';

/** Records with rows in every table. */
const RECORDS: Readonly<Record<Kind, readonly Readonly<Record<string, unknown>>[]>> = {
  person: [
    {
      uuid: '11111111-1111-4111-8111-111111111111',
      title: 'Anna',
      content: `Weaver${NOTE}`,
      subjects: [SUBJECT],
    },
    {
      uuid: '11111111-1111-4111-8111-111111111112',
      title: 'Bram',
      shoe_size: 43,
      image: { title: 'Portrait' },
    },
  ],
  subject: [{ uuid: '22222222-2222-4222-8222-222222222222', id: 7, name: 'Textile', description: NOTE }],
  location: [{ uuid: '33333333-3333-4333-8333-333333333333', name: 'Hall', main_image: { alt: 'Photo' } }],
  event: [
    { uuid: '44444444-4444-4444-8444-444444444444', name: 'Fire', files: [{ name: 'a' }, { name: 'b' }] },
  ],
};

/** A source of the records, and a log of the kinds that were read. */
function countedSource(): { source: HarvestSource; read: Kind[] } {
  const read: Kind[] = [];
  async function* records(kind: Kind) {
    read.push(kind);
    for (const record of RECORDS[kind]) yield [record];
  }
  const source: HarvestSource = {
    journalFolder: '',
    kinds: KINDS,
    async *blocks() {},
    lines: () => undefined,
    records,
    completeRecords: records,
    supplements: async () => new Map(),
    extraFields: async (kind) => (kind === 'person' ? ['shoe_size'] : []),
    walk: async () => ({
      source: 'https://archive.example',
      language: 'en',
      kinds: [...KINDS],
      edition: null,
      started_at: '',
    }),
  };
  return { source, read };
}

const options = { bom: true, both: false, html: false, warn: () => {} };

async function filesOf(names: readonly string[], source: HarvestSource): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  for await (const { name, parts } of csvPieces(names, source, options)) {
    files.set(name, (files.get(name) ?? '') + parts.join(''));
  }
  return files;
}

test('the files of the format are those that have lines', () => {
  const { source } = countedSource();
  expect(csvFormat.files(source, options).map(({ name }) => name)).toEqual(NAMES);
});

test('all files take one read of each kind, and one of subjects for their names', async () => {
  const { source, read } = countedSource();
  const files = await filesOf(NAMES, source);
  expect(read.toSorted()).toEqual(['event', 'location', 'person', 'subject', 'subject']);
  expect([...files.keys()].toSorted()).toEqual(NAMES.toSorted());
  expect(files.get('persons.csv')).toMatch(/,shoe_size\r\n.*,43\r\n$/s);
  const rows = NAMES.map((name) => files.get(name)?.split('\r\n').length);
  expect(rows).toEqual([4, 3, 3, 3, 4, 6]);
});

test.each(NAMES)('%s alone has the same bytes, and reads only the kinds it needs', async (name) => {
  const all = await filesOf(NAMES, countedSource().source);
  const { source, read } = countedSource();
  expect(await filesOf([name], source)).toEqual(new Map([[name, all.get(name)]]));
  const needed: Record<string, readonly Kind[]> = {
    'persons.csv': ['subject', 'person'],
    'subjects.csv': ['subject', 'subject'],
    'locations.csv': ['location'],
    'events.csv': ['subject', 'event'],
  };
  expect(read).toEqual(needed[name] ?? KINDS);
});
