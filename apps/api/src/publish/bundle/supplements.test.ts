import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkBundle } from './check-bundle.ts';
import { fileOf } from './faults.ts';
import { readBundleRecords, withBundle } from './open-bundle.ts';

const PERSON = '10000000-0000-4000-8000-000000000001';
const EVENT = '40000000-0000-4000-8000-000000000001';
const SUBJECT = '20000000-0000-4000-8000-000000000001';

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
