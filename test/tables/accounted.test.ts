import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runApiHere } from '../support/api-here.ts';
import { readCsv } from '../support/read-csv.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const COLUMNS = ['naam', 'naam', 'maker', 'jaar', 'trefwoord', 'plaats', 'opmerking', 'maker-id', 'naam (2)'];

/** The form of a cell: every `#` becomes a word that no other cell has, `$` a day that no other cell has. */
const cell = fc.constantFrom(
  ...['', '', '#', '#', '#, #', '#, # #', '#; #', '#; #; ', '# (#)', '# > #', '#/#', '# †', '?', '-#', '#!'],
  ...['$', '$', 'Mol', 'Mol', 'Vos', 'Mol; Vos', 'Mol > Vos', '0012', '7', 'onbekend', 'm', 'v', 'Jan Jan'],
);

const column = fc.constantFrom(...new Set(COLUMNS), 'naam (2) (2)');
const separator = fc.constantFrom(', ', '; ', ' ', ' (', '/', '-');
const steps = fc.record(
  {
    after: separator,
    after_last: separator,
    before: separator,
    before_last: separator,
    replace: fc.constantFrom({ m: 'male', onbekend: '' }, { Mol: 'talpa', Vos: '' }),
    date: fc.constant('D-M-YYYY'),
    name: fc.constantFrom('title', 'first_name', 'infix', 'last_name'),
  },
  { requiredKeys: [], noNullPrototype: true },
);
const some = fc.oneof({ weight: 3, arbitrary: fc.constant({}) }, { weight: 2, arbitrary: steps });
const plain = fc.tuple(column, some).map(([name, more]) => ({ column: name, ...more }));
const several = fc.array(plain, { minLength: 2, maxLength: 3 });
const value = fc.oneof(
  { weight: 3, arbitrary: plain },
  { weight: 1, arbitrary: fc.tuple(column, column).map(([month, day]) => ({ year: 'jaar', month, day })) },
  { weight: 1, arbitrary: fc.tuple(several, some).map(([join, more]) => ({ join, with: ', ', ...more })) },
  { weight: 1, arbitrary: fc.tuple(several, some).map(([first, more]) => ({ first, ...more })) },
);
const kept = value.map((one) => ({ ...one, otherwise: 'keep' }));
const list = fc
  .tuple(plain, fc.constantFrom('; ', ';', ', '))
  .map(([one, between]) => ({ ...one, list: between }));
const lists = list.map((one) => ({ ...one, otherwise: 'keep' }));

function rule(fields: Record<string, fc.Arbitrary<object>>, ids: fc.Arbitrary<object>) {
  return fc
    .record(
      {
        from: fc.constant('lijst'),
        identity: ids,
        skip: fc.constantFrom({ plaats: 'Mol' }, { maker: ['m', 'v'], plaats: '' }),
        fields: fc.record(fields, { requiredKeys: [], noNullPrototype: true }),
      },
      { requiredKeys: ['from', 'identity', 'fields'], noNullPrototype: true },
    )
    .map(({ identity, ...one }) => ({ ...one, ...identity }));
}

const id = fc.oneof(
  fc.constant({ id: { column: 'nr' }, repeated: 'numbered' }),
  fc.tuple(value).map(([one]) => ({ id: { first: [one, { column: 'nr' }] }, repeated: 'numbered' })),
);
const each = fc.oneof(list, plain, value).map((one) => ({ each: one }));
const path = plain.map((one) => ({ each: { ...one, path: ' > ' } }));
const texts = { _maker: kept, title_nl: kept, last_name: kept, birth_date: kept };
const named = { name_nl: kept, name_en: kept };
const map = fc.record(
  {
    persons: fc.array(rule({ ...texts, subjects: lists }, fc.oneof(id, each)), { maxLength: 2 }),
    subjects: fc.array(rule({ ...named, parent: kept }, fc.oneof(each, path)), { maxLength: 1 }),
    locations: fc.array(rule({ ...named, city: kept, related_locations: lists }, each), { maxLength: 1 }),
    events: fc.array(rule({ ...named, persons: lists, location: kept, date: kept }, id), {
      minLength: 1,
      maxLength: 1,
    }),
  },
  { noNullPrototype: true },
);

/** Cells of rows, with words and days of their own. */
const rows = fc.array(fc.tuple(...COLUMNS.map(() => cell)), { minLength: 1, maxLength: 6 }).map((forms) => {
  let count = 0;
  const own = (form: string) =>
    form.replaceAll(/[#$]/g, (mark) => {
      count += 1;
      return ownText(mark, count);
    });
  return forms.map((row, index) => [String(100 + index), ...row.map(own)]);
});

function ownText(mark: string, count: number): string {
  return mark === '#' ? `w${count}w` : `${(count % 28) + 1}-3-${1700 + count}`;
}

/** What a text becomes by the steps that convert one. */
function converted(word: string): string[] {
  const date = /^(\d+)-(\d+)-(\d+)$/.exec(word);
  const iso = date
    ?.slice(1)
    .reverse()
    .map((part) => part.padStart(2, '0'))
    .join('-');
  const replaced: Readonly<Record<string, string>> = { m: 'male', Mol: 'talpa' };
  return [word, iso, replaced[word]].filter((one) => one !== undefined);
}

test('every cell of random tables is in the tables that a random map makes, or is counted', {
  timeout: 300_000,
}, async () => {
  const folder = await temporaryFolder();
  const [source, mapFile, out] = ['lijst.csv', 'map.yaml', 'out'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  let imported = 0;
  await fc.assert(
    fc.asyncProperty(rows, map, fc.boolean(), async (cells, rules, isDropped) => {
      await rm(out, { recursive: true, force: true });
      await mkdir(folder, { recursive: true });
      const quoted = [['nr', ...COLUMNS], ...cells].map((row) => row.map((text) => `"${text}"`).join(','));
      await writeFile(source, quoted.join('\n'));
      const archive = {
        uuid: '6b0f8a52-7d1c-4d0e-8f57-2a3f5b6c7d80',
        title_nl: 'Lijst',
        title_en: 'List',
        partial_dates: 'first-day',
      };
      const lijst = { file: 'lijst.csv', ...(isDropped && { drop: 'opmerking' }) };
      await writeFile(mapFile, JSON.stringify({ archive, sources: { lijst }, ...rules }));
      const { code, stdout, stderr } = await runApiHere(['import', source, '--map', mapFile, '--out', out]);
      // Of what is refused, nothing is written: such as a parent that is in a cycle.
      if (code !== 0) {
        expect(stderr).toMatch(/the import has \d+ faults?; nothing was changed/);
        return;
      }
      imported += 1;
      const tables = await Promise.all((await readdir(out)).map((name) => readFile(join(out, name), 'utf8')));
      const written = tables
        .flatMap((text) => readCsv(text.replace('\ufeff', '')))
        .flat()
        .join('\n');
      const lost = cells.flatMap((row, line) =>
        row.flatMap((text, at) => {
          if (isDropped && at === 1 + COLUMNS.indexOf('opmerking')) return [];
          const words = text.split(/[\s,;|/>]+/).filter((word) => word !== '' && word !== '-');
          const isThere = (word: string) => converted(word).some((one) => written.includes(one));
          return words.every(isThere) || written.includes(text) ? [] : [{ line, text }];
        }),
      );
      const [, leftOut = '0'] = /without a record \((\d+) cells? left out\)/.exec(stdout) ?? [];
      expect(lost.length, JSON.stringify({ lost, stdout })).toBeLessThanOrEqual(Number(leftOut));
      // A row is left out as a whole.
      for (const { line } of lost) {
        const own = cells[line]?.flatMap((text) => text.match(/w\d+w/g) ?? []) ?? [];
        expect(own.filter((word) => written.includes(word))).toEqual([]);
      }
    }),
    { numRuns: 400 },
  );
  expect(imported).toBeGreaterThan(50);
});
