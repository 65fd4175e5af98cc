import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { COLLECTIONS, KINDS, type Kind } from '@archiefkast/types';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkBundle } from './check-bundle.ts';
import { BundleError } from './faults.ts';
import { withBundle } from './open-bundle.ts';

const DIGIT: Record<Kind | 'file', number> = { person: 1, subject: 2, location: 3, event: 4, file: 5 };
const uuidOf = (kind: Kind | 'file', id: number) =>
  `${DIGIT[kind]}0000000-0000-4000-8000-${String(id).padStart(12, '0')}`;

const person = (more: object) => ({ id: 1, uuid: uuidOf('person', 1), ...more });
const subject = (id: number, more: object = {}) => ({ id, uuid: uuidOf('subject', id), ...more });
const location = (more: object) => ({ id: 1, uuid: uuidOf('location', 1), ...more });
const event = (more: object) => ({ id: 1, uuid: uuidOf('event', 1), ...more });
const file = (more: object) => ({ id: 1, uuid: uuidOf('file', 1), ...more });

const NOBODY = uuidOf('person', 99);
const NO_SUBJECT = uuidOf('subject', 99);
const NO_PLACE = uuidOf('location', 99);

/** Name of the case, kind, invalid line, expected message. */
const INVALID: readonly [name: string, kind: Kind, line: object | string, expected: string][] = [
  ['broken JSON', 'person', '{"id":1', 'persons.jsonl:2: is not JSON: '],
  ['not an object', 'person', '[1]', 'persons.jsonl:2: expected a JSON object with the fields of a person'],
  ['null', 'event', 'null', 'events.jsonl:2: expected a JSON object with the fields of an event'],
  ['no id', 'person', { uuid: NOBODY }, 'persons.jsonl:2: id: is missing: every record needs an id'],
  ['no uuid', 'person', { id: 1 }, 'persons.jsonl:2: uuid: is missing: every record needs a uuid'],
  [
    'an id as text',
    'person',
    person({ id: '1' }),
    'persons.jsonl:2: id: expected a number, got the text "1"',
  ],
  ['a fraction as id', 'person', person({ id: 1.5 }), 'persons.jsonl:2: id: expected a whole number'],
  [
    'a negative id',
    'person',
    person({ id: -1 }),
    'persons.jsonl:2: id: out of range: an id is from 0 to 9007199254740991 (2^53−1)',
  ],
  [
    'an id beyond 2^53−1',
    'person',
    `{"id":9007199254740992,"uuid":"${NOBODY}"}`,
    'persons.jsonl:2: id: out of range: an id is from 0 to 9007199254740991 (2^53−1)',
  ],
  ['a bad uuid', 'person', person({ uuid: 'abc' }), 'persons.jsonl:2: uuid: expected a UUID'],
  [
    'a number in a text field',
    'person',
    person({ last_name: 3 }),
    'persons.jsonl:2: last_name: expected string, got number',
  ],
  [
    'a misspelt field',
    'person',
    person({ lastname: 'x' }),
    'persons.jsonl:2: lastname: is not a field of a person; did you mean last_name?',
  ],
  [
    'an unknown field',
    'person',
    person({ shoe_size: 3 }),
    'persons.jsonl:2: shoe_size: is not a field of a person',
  ],
  [
    'an invalid month',
    'person',
    person({ birth_date: '1632-13-01' }),
    'persons.jsonl:2: birth_date: expected a calendar date written YYYY-MM-DD, got "1632-13-01"',
  ],
  [
    '29 February in a common year',
    'event',
    event({ date: '1601-02-29' }),
    'events.jsonl:2: date: expected a calendar date written YYYY-MM-DD, got "1601-02-29"',
  ],
  [
    'a year instead of a date',
    'event',
    event({ date_start: '1602' }),
    'events.jsonl:2: date_start: "1602" is a year, but dates need a day: set partial_dates to first-day in ' +
      'the description of the archive (the API then has 1602-01-01; pages and tables keep 1602), or leave it empty ' +
      'and mention it in the text',
  ],
  [
    'a control character',
    'person',
    person({ content_nl: 'a\u0001b' }),
    'persons.jsonl:2: content_nl: contains the control character U+0001, which is not allowed',
  ],
  [
    'a control character nested in pictures',
    'person',
    person({ pictures: ['plain', { credits: ['\u0002person\u0002'] }] }),
    'persons.jsonl:2: pictures[1]: contains a control character, which is not allowed',
  ],
  [
    'an unpaired surrogate in a name',
    'person',
    person({ last_name: 'a\ud800b' }),
    'persons.jsonl:2: last_name: contains U+D800, an unpaired surrogate, which is not a valid character',
  ],
  [
    'an unpaired surrogate in a link of a text',
    'event',
    event({ content_en: '<a href="#\udfff">x</a>' }),
    'events.jsonl:2: content_en: contains U+DFFF, an unpaired surrogate, which is not a valid character',
  ],
  [
    'an unpaired surrogate in a path',
    'location',
    location({ main_image: file({ path: 'a\udc00.jpg' }) }),
    'locations.jsonl:2: main_image.path: contains U+DC00, an unpaired surrogate, which is not a valid character',
  ],
  [
    'an unpaired surrogate in a key within pictures',
    'person',
    person({ pictures: [{ '\ud83d': 1 }] }),
    'persons.jsonl:2: pictures[0]: contains U+D83D, an unpaired surrogate, which is not a valid character',
  ],
  [
    'published as text',
    'person',
    person({ published: 'yes' }),
    'persons.jsonl:2: published: expected boolean, got string',
  ],
  [
    'same_as on a person',
    'person',
    person({ same_as: ['https://x.test'] }),
    'persons.jsonl:2: same_as: expected null: only subjects have vocabulary URLs',
  ],
  [
    'an invalid vocabulary URL',
    'subject',
    subject(1, { same_as: ['aat'] }),
    'subjects.jsonl:2: same_as[0]: expected an absolute http or https URL, got "aat"',
  ],
  [
    'a file without uuid',
    'person',
    person({ image: { id: 1 } }),
    'persons.jsonl:2: image.uuid: is missing: every record needs a uuid',
  ],
  [
    'a file: URL',
    'event',
    event({ files: [file({}), file({ url: 'file:///etc/passwd' })] }),
    'events.jsonl:2: files[1].url: expected an absolute http or https URL, got "file:///etc/passwd", which is a path on one computer; copy the file into MEDIA_DIR and write its path there, such as passwd',
  ],
  [
    'a file path that is an incomplete URL',
    'person',
    person({ image: file({ path: 'http:foo.jpg' }) }),
    'persons.jsonl:2: image.path: expected an absolute http or https URL, or a path in MEDIA_DIR such as ' +
      'portraits/vos.jpg (.jpg, .jpeg, .png, .gif, .webp, .avif, .pdf), got "http:foo.jpg"',
  ],
  [
    'a file URL whose host contains CSP directives',
    'location',
    location({ main_image: file({ url: 'https://a;script-src-elem/x.jpg' }) }),
    'locations.jsonl:2: main_image.url: expected an absolute http or https URL, got "https://a;script-src-elem/x.jpg"' +
      '; a host consists of letters, digits, ".", "-" and "_", or is an IPv6 address, and a port is a number',
  ],
  [
    'a misspelt field of a file',
    'location',
    location({ main_image: file({ ulr: '' }) }),
    'locations.jsonl:2: main_image.ulr: is not a field of a file',
  ],
  [
    'a latitude beyond the pole',
    'location',
    location({ latitude: '91' }),
    'locations.jsonl:2: latitude: expected decimal degrees from -90 to 90 as text, got "91"; ' +
      'are latitude and longitude swapped?',
  ],
  [
    'a longitude in minutes',
    'location',
    location({ longitude: '4° 30′' }),
    'locations.jsonl:2: longitude: expected decimal degrees from -180 to 180 as text, got "4° 30′"',
  ],
  [
    'a latitude as a number',
    'location',
    location({ latitude: 52.1 }),
    'locations.jsonl:2: latitude: expected string, got number',
  ],
  [
    'an invalid reference',
    'person',
    person({ subjects: ['science'] }),
    'persons.jsonl:2: subjects[0]: expected a reference: a uuid, an API URL that ends in one, or a record with a uuid; got "science"',
  ],
  [
    'a reference to a missing record',
    'person',
    person({ subjects: [NO_SUBJECT] }),
    `persons.jsonl:2: subjects: refers to the subject ${NO_SUBJECT}, which is not in subjects.jsonl (person 1)`,
  ],
  [
    'a reference to another kind',
    'event',
    event({ persons: [uuidOf('subject', 1000)] }),
    `events.jsonl:2: persons: refers to the person ${uuidOf('subject', 1000)}, which is not in persons.jsonl (event 1)`,
  ],
  [
    'one missing record among several references',
    'event',
    event({ persons: [uuidOf('person', 1000), NOBODY] }),
    `events.jsonl:2: persons[1]: refers to the person ${NOBODY}, which is not in persons.jsonl (event 1)`,
  ],
  [
    'a missing location',
    'event',
    event({ location: NO_PLACE }),
    `events.jsonl:2: location: refers to the location ${NO_PLACE}, which is not in locations.jsonl (event 1)`,
  ],
  [
    'a missing related location',
    'location',
    location({ related_locations: [NO_PLACE] }),
    `locations.jsonl:2: related_locations: refers to the location ${NO_PLACE}, which is not in locations.jsonl (location 1)`,
  ],
  [
    'a missing subject of an abbreviated event',
    'location',
    location({ events: [{ uuid: uuidOf('event', 1000), subjects: [NO_SUBJECT] }] }),
    `locations.jsonl:2: events[].subjects: refers to the subject ${NO_SUBJECT}, which is not in subjects.jsonl (location 1)`,
  ],
  [
    'a missing parent',
    'subject',
    subject(1, { parent: 99 }),
    'subjects.jsonl:2: parent: refers to the subject with id 99, which is not in subjects.jsonl (subject 1)',
  ],
  [
    'a subject that is its own parent',
    'subject',
    subject(1, { parent: 1 }),
    'subjects.jsonl:2: parent: is a cycle: 1 → 1',
  ],
  [
    'a duplicate id',
    'person',
    person({ id: 1000 }),
    'persons.jsonl:2: id: 1000 is already used at persons.jsonl:1',
  ],
  [
    'a duplicate uuid',
    'person',
    person({ uuid: uuidOf('person', 1000) }),
    `persons.jsonl:2: uuid: ${uuidOf('person', 1000)} is already used at persons.jsonl:1`,
  ],
  [
    'a uuid of a record of another kind',
    'event',
    event({ uuid: uuidOf('person', 1000) }),
    `events.jsonl:2: uuid: ${uuidOf('person', 1000)} is already used at persons.jsonl:1`,
  ],
];

let folder: string;
let bundles = 0;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'archive-check-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** A bundle with a valid first line in every file, followed by `lines` in the file of `kind`. */
async function bundleWith(kind: Kind, ...lines: (object | string)[]): Promise<string> {
  bundles += 1;
  const bundle = await mkdtemp(join(folder, String(bundles)));
  for (const each of KINDS) {
    const all = [{ id: 1000, uuid: uuidOf(each, 1000) }, ...(each === kind ? lines : [])];
    const text = all.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join('');
    await writeFile(join(bundle, `${COLLECTIONS[each]}.jsonl`), text);
  }
  return bundle;
}

const check = (bundle: string) => withBundle(bundle, (opened) => checkBundle(opened));

/** The message of the BundleError for an invalid bundle. */
async function refusal(bundle: string): Promise<string> {
  try {
    await check(bundle);
  } catch (error) {
    if (error instanceof BundleError) return error.message;
    throw error;
  }
  return expect.fail('the bundle was accepted');
}

describe('an invalid line is rejected', () => {
  test.each(INVALID)('%s', async (_, kind, line, expected) => {
    const message = await refusal(await bundleWith(kind, line));
    expect(expected.endsWith(': ') ? message.slice(0, expected.length) : message).toBe(expected);
  });
});

test('invalid UTF-8 is rejected', async () => {
  const bundle = await bundleWith('person');
  await writeFile(join(bundle, 'persons.jsonl'), Buffer.from([0x7b, 0xff, 0x7d, 0x0a]));
  expect(await refusal(bundle)).toBe('persons.jsonl:1: is not UTF-8 text');
});

test('a cycle of parents is reported once, with its subjects', async () => {
  const lines = [subject(1, { parent: 2 }), subject(2, { parent: 3 }), subject(3, { parent: 1 })];
  const outside = subject(4, { parent: 1 });
  expect((await refusal(await bundleWith('subject', ...lines, outside))).split('\n')[0]).toBe(
    'subjects.jsonl:2: parent: is a cycle: 1 → 2 → 3 → 1',
  );
});

test('a long cycle is shortened', async () => {
  const lines = Array.from({ length: 30 }, (_, index) => subject(index, { parent: (index + 1) % 30 }));
  expect((await refusal(await bundleWith('subject', ...lines))).split('\n')[0]).toBe(
    'subjects.jsonl:2: parent: is a cycle: 0 → 1 → 2 → 3 → 4 → 5 → 6 → 7 → 8 → 9 → …',
  );
});

test('a deep tree of subjects is valid in any order', async () => {
  const lines = Array.from({ length: 3000 }, (_, id) =>
    subject(id + 2000, id > 0 ? { parent: id + 1999 } : {}),
  );
  const { index } = await check(await bundleWith('subject', ...lines.toReversed()));
  expect(index.kinds.subject.count).toBe(3001);
});

test('all faults of all files are reported, in reading order, those that hide others first', async () => {
  const bundle = await bundleWith('person', person({ last_name: 1, birth_date: 'x' }), '{');
  await writeFile(join(bundle, 'events.jsonl'), '{}\n');
  const places = (await refusal(bundle)).split('\n').map((line) => line.split(': ').slice(0, 2).join(': '));
  expect(places).toEqual([
    'persons.jsonl:3: is not JSON',
    'events.jsonl:1: id',
    'events.jsonl:1: uuid',
    'persons.jsonl:2: last_name',
    'persons.jsonl:2: birth_date',
  ]);
});

test.each([
  ['{', 'archive.json: is not JSON: '],
  ['{"title":{"nl":"x"}}', 'archive.json: title.en: '],
  [
    '{"title":{"nl":"a\\u0000","en":"\\u001b[31m"},"publisher":{"nl":"\\ud800","en":"y"},"logo":"\\udfff.png"}',
    'archive.json: title.nl: contains the control character U+0000, which is not allowed\n' +
      'archive.json: title.en: contains the control character U+001B, which is not allowed\n' +
      'archive.json: publisher.nl: contains U+D800, an unpaired surrogate, which is not a valid character\n' +
      'archive.json: logo: contains U+DFFF, an unpaired surrogate, which is not a valid character',
  ],
  ['{"title":{"nl":"x","en":"y"},"homepage":"x"}', 'archive.json: homepage: expected an absolute http'],
  ...[
    ['ftp://x.test/logo.png', '/logo.png', '../logo.png', 'a//b', 'a\\\\b', 'javascript:1', ''],
    ['http:logo.png', 'https://a;sandbox/logo.png', 'http://host:port/logo.png', 'https://*/logo.png'],
  ]
    .flat()
    .map((logo) => [
      `{"title":{"nl":"x","en":"y"},"logo":"${logo}"}`,
      'archive.json: logo: expected an http or https URL, or a path such as logo.png below MEDIA_DIR',
    ]),
  [
    '{"title":{"nl":"x","en":"y"},"colours":{"light":"#e9a48f","dark":"#7a2e1d"}}',
    'archive.json: colours.light: #e9a48f has a contrast of 1.74:1 with the page (#f2ebdf); expected 4.5:1\n' +
      'archive.json: colours.dark: #7a2e1d has a contrast of 1.59:1 with the page (#2b2621); expected 4.5:1',
  ],
  [
    '{"title":{"nl":"x","en":"y"},"colours":{"light":"red","dark":"#e9a48f"}}',
    'archive.json: colours.light: expected a colour such as #7a2e1d, got "red"',
  ],
  ['{"title":{"nl":"x","en":"y"},"colours":{"light":"#7a2e1d"}}', 'archive.json: colours.dark: is missing'],
])('archive.json %s is rejected', async (text, said) => {
  const bundle = await bundleWith('person');
  await writeFile(join(bundle, 'archive.json'), text);
  expect((await refusal(bundle)).slice(0, said.length)).toBe(said);
});

test('archive.json is read', async () => {
  const bundle = await bundleWith('person');
  expect((await check(bundle)).archive).toBeUndefined();
  const archive = {
    title: { nl: 'Proef', en: 'Test' },
    licence: { name: 'CC0', url: 'https://cc.test/0' },
    logo: 'house/logo.png',
    colours: { light: '#00539b', dark: '#9cc7ef' },
  };
  await writeFile(join(bundle, 'archive.json'), JSON.stringify(archive));
  expect((await check(bundle)).archive).toEqual(archive);
});

test('every missing file of a folder is reported', async () => {
  const bundle = await bundleWith('person');
  await rm(join(bundle, 'persons.jsonl'));
  await rm(join(bundle, 'events.jsonl'));
  expect(await refusal(bundle)).toBe(
    [
      `persons.jsonl: is missing in ${bundle}; use an empty file for a kind without records`,
      `events.jsonl: is missing in ${bundle}; use an empty file for a kind without records`,
    ].join('\n'),
  );
});

const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);

test('deep nesting is a fault of its line', async () => {
  const UUID = uuidOf('person', 1);
  const deep = await bundleWith('person', `{"id":1,"uuid":"${UUID}","pictures":[${nested(20_000)}]}`);
  expect(await refusal(deep)).toBe('persons.jsonl:2: pictures[0]: is nested deeper than 100 levels');
  const unknown = await bundleWith('person', `{"id":1,"uuid":"${UUID}","more":${nested(20_000)}}`);
  expect(await refusal(unknown)).toBe('persons.jsonl:2: more: is not a field of a person');
  const alone = await bundleWith('person');
  await writeFile(join(alone, 'persons.jsonl'), `${nested(20_000)}\n`);
  expect(await refusal(alone)).toMatch(/^persons\.jsonl: is a JSON array; expected one record per line/);
});

test('100 levels of nesting are valid, and derived fields have no limit', async () => {
  const fields = `"pictures":[${nested(100)}],"content":${nested(20_000)}`;
  const bundle = await bundleWith('person', `{"id":1,"uuid":"${uuidOf('person', 1)}",${fields}}`);
  expect((await check(bundle)).index.kinds.person.count).toBe(2);
});

test('messages escape control characters and shorten long values', async () => {
  const lines = [
    `{"id":1,"uuid":"${uuidOf('person', 1)}","\\u001b[2J":1}`,
    `{"id":2,"uuid":"${uuidOf('person', 2)}","subjects":["\\u009b31m\\u202e"]}`,
    `{"id":3,"uuid":"\u001b]0;title\u0007"}`,
    `{"id":4,"uuid":"${uuidOf('person', 4)}","subjects":["${'x'.repeat(100_000)}"]}`,
  ];
  const said = (await refusal(await bundleWith('person', ...lines))).split('\n');
  expect(said).toHaveLength(4);
  expect(said.join('')).not.toMatch(/[\p{Cc}\u202e]/u);
  expect(said[0]).toMatch(/^persons\.jsonl:4: is not JSON: /);
  expect(said[1]).toBe('persons.jsonl:2: \\u001b[2J: is not a field of a person');
  expect(said[2]).toMatch(/; got "\\u009b31m\\u202e"$/);
  expect(said[3]?.length).toBeLessThan(600);
});

test('archive.json may begin with a byte order mark', async () => {
  const archive = { title: { nl: 'Proef', en: 'Test' } };
  const bundle = await bundleWith('person');
  await writeFile(join(bundle, 'archive.json'), `\ufeff${JSON.stringify(archive)}`);
  expect((await check(bundle)).archive).toEqual(archive);
});
