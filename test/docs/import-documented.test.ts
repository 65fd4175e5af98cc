import { mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { mapSchema } from '@archiefkast/import';
import { beforeAll, describe, expect, test } from 'vitest';
import { publishHere, runApiHere } from '../support/api-here.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { createTestDatabase } from '../support/test-database.ts';
import { writeSheets } from '../support/write-sheets.ts';

const page = await readFile(fileURLToPath(new URL('../../docs/import.md', import.meta.url)), 'utf8');
const examples = page.split(/^## /m).filter((section) => section.startsWith('Example'));

/** The blocks of code of an example, each with the paragraph before it. */
function blocksOf(section: string): { before: string; text: string }[] {
  const parts = section.split(/^```\n/m);
  return parts.flatMap((text, index) => {
    if (index % 2 === 0) return [];
    return [{ before: parts[index - 1]?.trim().split('\n\n').at(-1) ?? '', text }];
  });
}

const NUMBERS =
  'none one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen'.split(
    ' ',
  );

let folder: string;
beforeAll(async () => {
  folder = await temporaryFolder();
});

/** Writes the files of an example; returns the paths of its sources. */
async function writeSources(section: string, into: string): Promise<string[]> {
  const sheets = new Map<string, Record<string, string>>();
  const paths: string[] = [];
  for (const { before, text } of blocksOf(section)) {
    const [, file = '', sheet] =
      /^`([\w.-]+\.(?:csv|tsv|xlsx))`(?:, sheet `(\w+)`)?(?!.* is now)/.exec(before) ?? [];
    if (sheet !== undefined) sheets.set(file, { ...sheets.get(file), [sheet]: text });
    else if (file !== '') {
      paths.push(join(into, file));
      await writeFile(join(into, file), text, before.includes('Windows-1252') ? 'latin1' : 'utf8');
    }
  }
  for (const [file, content] of sheets) paths.push(await writeSheets(join(into, file), content));
  return paths;
}

test('docs/import.md has three examples', () => {
  expect(examples).toHaveLength(3);
});

describe.each(examples.map((section) => [section.split('\n', 1)[0], section]))(
  'docs/import.md: %s',
  (_, section = '') => {
    test('prints what it shows; its tables are those shown, have no faults, and are published', async () => {
      const own = await mkdtemp(join(folder, 'example-'));
      await writeSources(section, own);
      const blocks = blocksOf(section);
      const map = blocks.find(({ before }) => before.includes('`map.yaml`'))?.text ?? '';
      await writeFile(join(own, 'map.yaml'), map);
      const shown = blocks.find(({ text }) => text.startsWith('$ '))?.text ?? '';
      const [, command = '', output = ''] = /^\$ archive-api (.*)\n([\s\S]*)$/.exec(shown) ?? [];
      const args = command.split(' ').map((word) => (/^--|^import$/.test(word) ? word : join(own, word)));
      const imported = await runApiHere(args);
      expect(imported.stderr).toBe('');
      expect(imported.stdout.replaceAll(`${own}/`, '')).toBe(output);

      const out = args.at(-1) ?? '';
      const tables = blocks.filter(({ before }) => before.endsWith('is now:'));
      expect(tables.length).toBeGreaterThan(0);
      for (const { before, text } of tables) {
        const [, table = ''] = /`(\w+\.csv)` is now:$/.exec(before) ?? [];
        const written = await readFile(join(out, table), 'utf8');
        expect(written.replace('\ufeff', '').replaceAll('\r\n', '\n')).toBe(text);
      }
      const checked = await runApiHere(['check', out]);
      expect(checked.stdout).toMatch(/^No faults, /m);
      const database = await createTestDatabase('sqlite');
      try {
        expect((await publishHere(database, out)).stdout).toMatch(/^Published edition 1: [2-9] persons/m);
      } finally {
        await database.drop();
      }

      const again = join(own, 'again');
      await runApiHere([...args.slice(0, -1), again]);
      for (const table of await readdir(out)) {
        expect(await readFile(join(again, table))).toEqual(await readFile(join(out, table)));
      }
      const workbook = join(own, 'again.xlsx');
      await runApiHere([...args.slice(0, -1), workbook]);
      const verdict = (output: string) => output.trimEnd().split('\n').at(-1);
      expect(verdict((await runApiHere(['check', workbook])).stdout)).toBe(verdict(checked.stdout));
    });

    test('says how many lines of its map are not those of the draft', async () => {
      const own = await mkdtemp(join(folder, 'lines-'));
      const sources = await writeSources(section, own);
      await runApiHere(['import', ...sources, '--draft', join(own, 'map.yaml')]);
      const linesOf = (map: string) =>
        map.split('\n').flatMap((line) => line.replace(/(?:^ *| +)# .*/, '') || []);
      const drafted = linesOf(await readFile(join(own, 'map.yaml'), 'utf8'));
      const shown = linesOf(
        blocksOf(section).find(({ before }) => before.includes('`map.yaml`'))?.text ?? '',
      );
      const changed = shown.filter((line) => {
        const found = drafted.indexOf(line);
        if (found >= 0) drafted.splice(found, 1);
        return found < 0 && !line.startsWith('  uuid:');
      });
      const [said = ''] = /\w+(?= lines were\s+changed)/.exec(section) ?? [];
      expect([changed.length, changed]).toEqual([NUMBERS.indexOf(said.toLowerCase()), changed]);
    });
  },
);

test('docs/import.md names every key of a map', () => {
  const rule = mapSchema.shape.persons.unwrap().element;
  const source = mapSchema.shape.sources.valueType;
  for (const key of [
    ...Object.keys(mapSchema.shape),
    ...Object.keys(rule.shape),
    ...Object.keys(source.shape),
  ]) {
    expect(page).toMatch(new RegExp(`\`${key}\\b|^${key}:`, 'm'));
  }
});
