import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkBundle } from './check-bundle.ts';
import { BundleError, fileOf } from './faults.ts';
import { readBundleRecords, withBundle } from './open-bundle.ts';

const PERSON = '10000000-0000-4000-8000-000000000001';
const EVENT = '40000000-0000-4000-8000-000000000001';
const SUBJECT = '20000000-0000-4000-8000-000000000001';
const NOBODY = '10000000-0000-4000-8000-000000000099';

const LINES = {
  person: [{ id: 1, uuid: PERSON, title_nl: 'a', birth_date: '1852-01-01', death_date: '1900-05-06' }],
  subject: [{ id: 1, uuid: SUBJECT, name_nl: 'b' }],
  location: [],
  event: [{ id: 1, uuid: EVENT, name_nl: 'c' }],
};

/** Checks a bundle with a supplement of these lines; returns what `look` sees. */
async function withSupplement<Seen>(
  lines: readonly (object | string)[],
  look: (bundle: Awaited<ReturnType<typeof checkBundle>>) => Promise<Seen>,
): Promise<Seen> {
  const folder = await mkdtemp(join(tmpdir(), 'archive-supplements-'));
  const textOf = (some: readonly (object | string)[]) =>
    some.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join('');
  try {
    for (const kind of ['person', 'subject', 'location', 'event'] as const) {
      await writeFile(join(folder, fileOf(kind)), textOf(LINES[kind]));
    }
    await writeFile(join(folder, 'supplement.jsonl'), textOf(lines));
    return await withBundle(folder, async (opened) => look(await checkBundle(opened)));
  } finally {
    await rm(folder, { recursive: true });
  }
}

test('dates and subjects of a supplement are those of its records', async () => {
  const lines = [
    { kind: 'person', id: 1, uuid: PERSON, dates: { birth_date: '1852' } },
    { kind: 'event', id: 1, uuid: EVENT, subjects: [SUBJECT] },
  ];
  await withSupplement(lines, async (bundle) => {
    expect(bundle).toMatchObject({ firstDays: 1, warnings: { counts: new Map([['no-english', 3]]) } });
    expect(bundle.subjectsOf(EVENT)).toEqual([SUBJECT]);
    for await (const { dates } of readBundleRecords(bundle, 'person')) {
      expect(dates).toEqual({ birth_date: '1852' });
    }
  });
});

test('a date that the record does not have is not used, with a warning', async () => {
  const lines = [
    { kind: 'person', id: 1, uuid: PERSON, dates: { birth_date: '1853', death_date: '1900-05' } },
  ];
  const { firstDays, warnings } = await withSupplement(lines, async (bundle) => bundle);
  expect(firstDays).toBe(0);
  expect(warnings.shown.filter(({ code }) => code === 'supplement-differs')).toEqual([
    {
      code: 'supplement-differs',
      file: 'persons.jsonl',
      line: 1,
      field: 'birth_date',
      reason: '1852-01-01 is not the first day of 1853, which supplement.jsonl has; that is not used',
    },
    {
      code: 'supplement-differs',
      file: 'persons.jsonl',
      line: 1,
      field: 'death_date',
      reason: '1900-05-06 is not the first day of 1900-05, which supplement.jsonl has; that is not used',
    },
  ]);
});

const person = { kind: 'person', id: 1, uuid: PERSON };

test.each([
  ['broken JSON', ['{'], /^supplement\.jsonl:1: is not JSON: /],
  ['another kind', [{ ...person, kind: 'subject' }], /^supplement\.jsonl:1: kind: expected one of/],
  [
    'another date',
    [{ ...person, dates: { birth_date: '1852?~' } }],
    /dates\.birth_date: expected a date in EDTF/,
  ],
  [
    'an unknown field',
    [{ ...person, dates: { date_of_birth: '1852' } }],
    /dates: Unrecognized key: "date_of_birth"/,
  ],
  [
    'a second line',
    [person, person],
    /^supplement\.jsonl:2: is a second supplement of the person; .* line 1$/,
  ],
  [
    'nobody',
    [{ ...person, uuid: NOBODY }],
    /:1: uuid: refers to the person .*99, which is not in persons\.jsonl$/,
  ],
  [
    'no subject',
    [{ kind: 'event', id: 1, uuid: EVENT, subjects: [NOBODY] }],
    /:1: subjects: refers to the subject .*99, which is not in subjects\.jsonl$/,
  ],
])('%s is a fault', async (_, lines, message) => {
  await expect(withSupplement(lines, async () => {})).rejects.toThrow(message);
  await expect(withSupplement(lines, async () => {})).rejects.toThrow(BundleError);
});
