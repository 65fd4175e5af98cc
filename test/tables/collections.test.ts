import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { runApiHere } from '../support/api-here.ts';
import { readCsv } from '../support/read-csv.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { rowsOfCsv, writeSheets } from '../support/write-sheets.ts';

/** A collection as others make it. */
interface Collection {
  /** Files of separated text; workbooks, with their sheets as CSV. */
  files?: Record<string, string>;
  sheets?: Record<string, Record<string, string>>;
  /** Rows up to the names of columns, if there are more than one. */
  header?: number;
  /** Lines of the drafted map, without comments, and the lines in their place. */
  edits: Record<string, string>;
  /** Cells that are converted, each with what tables have of them. */
  reads?: Record<string, string>;
}

const collections: Record<string, Collection> = parse(
  await readFile(join(import.meta.dirname, 'collections.yaml'), 'utf8'),
);

/** The counts that an import prints of what it leaves out, or reads as nothing. */
const COUNTED =
  /\((\d+) cells? left out\)|(\d+) cells? above the header left out|(\d+) cells? with "\S+" read as empty|(\d+) of the cells of \S+ filled from above/g;

const withoutComment = (line: string) =>
  (/^ *# FIELD/.test(line) ? line : line.replace(/^#.*| +#.*/, '')).trimEnd();

/** The lines of a drafted map with the edits of a collection. */
function edited(draft: string, edits: Readonly<Record<string, string>>): string[] {
  const left = new Map(Object.entries(edits));
  const lines = draft.split('\n').flatMap((line) => {
    const own = line
      .replace(/(?<=FIELD: .*?) +#.*/, '')
      .replace(/(?<=[^#\s].*) +# .*/, '')
      .trim();
    const text = left.get(own);
    if (text === undefined) return withoutComment(line);
    left.delete(own);
    const indent = /^ */.exec(line)?.[0] ?? '';
    return text.split('\n').map((one) => indent + one);
  });
  expect([...left.keys()], 'lines that the draft lacks').toEqual([]);
  return lines.filter((line) => line.trim() !== '' && !line.trimStart().startsWith('#'));
}

/** How many lines of a map the draft does not have. */
function linesWritten(map: readonly string[], draft: string): number {
  const drafted = draft.split('\n').map(withoutComment);
  return map.filter((line) => {
    const at = drafted.indexOf(line);
    if (at >= 0) drafted.splice(at, 1);
    return at < 0;
  }).length;
}

describe('collections of others', () => {
  const figures: string[] = ['collection | rows | cells | lines of the map to write'];

  test.each(Object.entries(collections))(
    'every cell of %s is in the tables, or counted',
    {
      timeout: 300_000,
    },
    async (name, { files = {}, sheets = {}, header = 1, edits, reads = {} }) => {
      const folder = await temporaryFolder();
      const [map, out] = [join(folder, 'map.yaml'), join(folder, 'out')];
      const tables = [
        ...Object.entries(files).map(([file, text]) => ({ file, sheet: undefined, text })),
        ...Object.entries(sheets).flatMap(([file, own]) =>
          Object.entries(own).map(([sheet, text]) => ({ file, sheet, text })),
        ),
      ];
      const rows = await Promise.all(tables.map(({ text }) => rowsOfCsv(text)));
      const paths = [...new Set(tables.map(({ file }) => join(folder, file)))];
      /** Writes the files as they are, or with one cell less. */
      const write = async (place?: { table: number; row: number; column: number }) => {
        for (const path of paths) {
          const own: Record<string, string> = {};
          for (const [index, { file, sheet, text }] of tables.entries()) {
            if (join(folder, file) !== path) continue;
            const cells = (rows[index] ?? []).map((row, at) =>
              row.map((cell, column) =>
                place?.table === index && place.row === at && place.column === column ? '' : cell,
              ),
            );
            const [separator = ','] = /[\t;,]/.exec(text) ?? [];
            const quoted = (cell: string) =>
              separator !== '\t' && /[";,\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
            own[sheet ?? ''] = cells.map((row) => row.map(quoted).join(separator)).join('\n');
          }
          if (path.endsWith('.xlsx')) await writeSheets(path, own);
          else await writeFile(path, own[''] ?? '');
        }
      };
      const imported = async () => {
        await rm(out, { recursive: true, force: true });
        const { code, stdout, stderr } = await runApiHere(['import', ...paths, '--map', map, '--out', out]);
        const texts =
          code !== 0
            ? []
            : await Promise.all((await readdir(out)).map((file) => readFile(join(out, file), 'utf8')));
        return { code, stdout, stderr, texts };
      };

      await write();
      const { code: drafted } = await runApiHere(['import', ...paths, '--draft', map]);
      expect(drafted).toBe(0);
      const draft = await readFile(map, 'utf8');
      const wanted = edited(draft, edits);
      await writeFile(map, wanted.join('\n'));
      const whole = await imported();
      expect(whole.stderr).toBe('');

      const written = whole.texts.flatMap((text) => readCsv(text.replace('\ufeff', '')).flat()).join('\n');
      const isHead = (own: readonly string[][], at: number) =>
        at < header || own[at]?.join() === own[header - 1]?.join();
      const cells = rows.flatMap((own, table) =>
        own.flatMap((row, at) =>
          row.map((text, column) => ({ table, row: at, column, text, isHead: isHead(own, at) })),
        ),
      );
      const body = cells.filter(({ text, isHead }) => text.trim() !== '' && !isHead);
      const isThere = (text: string) => {
        const words = text.split(/[\s,;|/>]+/).filter((word) => word !== '' && word !== '-');
        return written.includes(reads[text] ?? text) || words.every((word) => written.includes(word));
      };
      const lost = body.filter(({ text }) => !isThere(text)).map(({ text }) => text);
      const counted = [...whole.stdout.matchAll(COUNTED)].flatMap(([, ...counts]) => counts).filter(Boolean);
      const told = counted.reduce((sum, count) => sum + Number(count), 0);
      expect(lost.length, JSON.stringify({ lost, stdout: whole.stdout })).toBeLessThanOrEqual(told);

      // Without a cell, the tables or what is told of them differ.
      const silent: string[] = [];
      for (const place of body.filter(({ text }) => isThere(text))) {
        await write(place);
        if (JSON.stringify(await imported()) === JSON.stringify(whole)) silent.push(place.text);
      }
      expect(silent).toEqual([]);
      const count = rows.reduce((sum, own) => sum + own.length - header, 0);
      figures.push(`${name} | ${count} | ${body.length} | ${linesWritten(wanted, draft)}`);
    },
  );

  test('the lines of maps that archivists write are as few as they were', async () => {
    await expect(`${figures.join('\n')}\n`).toMatchFileSnapshot('collections.txt');
  });
});
