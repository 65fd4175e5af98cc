import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { COLLECTIONS, KINDS, type Kind } from '@archiefkast/types';
import { copyToEdit } from '../support/edited-bundle.ts';
import { SAMPLE } from '../support/sample.ts';

type Line = Record<string, unknown>;

/** Texts that are hard to write in some format. */
const ODD = [
  '<p>Een <b>vet</b> woord<sup><a href="#fn1">1</a></sup></p><section class="footnotes"><ol><li id="fn1">Noot</li></ol></section>',
  '<script>alert(1)</script><img src=x onerror=alert(1)><a href="javascript:x">x</a>',
  '=HYPERLINK("http://a.test")',
  'a "b", c|d\\e;f\tg\r\nh',
  '\u202e😀 e\u0301 ĳ ß \u2028 日本 ]]> &amp; &lt;',
  ' '.repeat(3),
];
const TEXTS: Readonly<Record<Kind, readonly string[]>> = {
  person: ['title_nl', 'summary_en', 'content_nl', 'birth_place'],
  subject: ['name_nl', 'summary_nl', 'description_en'],
  location: ['name_en', 'street', 'content_nl'],
  event: ['name_nl', 'summary_en', 'content_en'],
};

/** Makes the bundles of three editions: of all records, and twice with added, changed, moved, removed and odd ones. */
export async function makeEditions(bundle: string, folder: string): Promise<void> {
  const first = join(folder, 'edition-1');
  await cp(bundle, first, { recursive: true });
  const description = await readFile(join(bundle, 'archive.json'), 'utf8').catch(
    () => '{"title":{"nl":"Archief","en":"Archive"}}',
  );
  const archive = JSON.stringify({ ...JSON.parse(description), partial_dates: 'first-day' });
  await writeFile(join(first, 'archive.json'), archive);
  const copy = await copyToEdit(first, join(folder, 'edited'), 7);
  for (const number of [2, 3]) {
    await copy.edit(15);
    const edition = join(folder, `edition-${number}`);
    await cp(copy.folder, edition, { recursive: true });
    await writeFile(join(edition, 'archive.json'), archive);
    for (const kind of KINDS)
      await editLines(edition, kind, (lines) => addOddTexts(lines, TEXTS[kind], number));
  }
}

function addOddTexts(lines: Line[], fields: readonly string[], seed: number): void {
  for (const [index, text] of ODD.entries()) {
    const line = lines[(index * 7 + seed) % lines.length];
    const field = fields[(index + seed) % fields.length];
    if (line && field) line[field] = text;
  }
}

async function editLines(bundle: string, kind: Kind, edit: (lines: Line[]) => void): Promise<void> {
  const file = join(bundle, `${COLLECTIONS[kind]}.jsonl`);
  const lines: Line[] = (await readFile(file, 'utf8'))
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  edit(lines);
  await writeFile(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
}

/** Values that most fields refuse. */
const BAD: unknown[] = JSON.parse(
  '[null, "", 5, -1.5, true, "x", "1650-13-45", "165X", [], ["x"], {}, "<p>"]',
);

/** Cells that most columns refuse. */
const BAD_CELLS = ['', 'x', '31-12-1650', '=1+1', 'a|b', '-5'];

/** Whole files that are not what they should be. */
const BAD_FILES: Readonly<Record<string, string>> = {
  'cut.jsonl': '{"id": 1, "uu',
  'list.jsonl': '[]\n"x"\nnull\n',
  'bytes.jsonl': '{"id":1,"name":"\xff\xfe"}\n',
  'unknown.jsonl': '{"id":1,"uuid":"0e2a4b66-0000-4000-8000-000000000000","nmae_nl":"x"}\n',
  'twice.jsonl': '{"id":1,"uuid":"0e2a4b66-0000-4000-8000-000000000000"}\n'.repeat(2),
  'empty.jsonl': '',
};

/** Makes bundles with mistakes in every field of every kind, as JSON Lines and, from `tables`, as CSV; returns their names. */
export async function makeFaulty(folder: string, tables: string): Promise<string[]> {
  const made: string[] = [];
  const add = async (from: string, name: string) => {
    const bundle = join(folder, name);
    await mkdir(folder, { recursive: true });
    await cp(from, bundle, { recursive: true });
    made.push(name);
    return bundle;
  };
  // Two values in each bundle: `check` shows fifty faults.
  const pairsOf = <Value>(values: readonly Value[]) =>
    values.flatMap((_, at) => (at % 2 ? [] : [values.slice(at, at + 2)]));
  for (const kind of KINDS) {
    for (const [number, pair] of pairsOf(BAD).entries()) {
      await editLines(await add(SAMPLE, `${kind}-${number}`), kind, (lines) => {
        const faults = Object.keys(lines[0] ?? {}).flatMap((field) => pair.map((bad) => ({ [field]: bad })));
        for (const [index, fault] of faults.entries()) lines[index] = { ...lines[index], ...fault };
      });
    }
    const table = `${COLLECTIONS[kind]}.csv`;
    const [header = '', ...rows] = (await readFile(join(tables, table), 'utf8')).split('\r\n');
    const write = async (name: string, ...lines: string[]) =>
      writeFile(join(await add(tables, `${kind}-${name}`), table), [...lines, ...rows].join('\r\n'));
    await write('header', `nonsense,${header},id`);
    const columns = header.split(',');
    for (const pair of pairsOf(BAD_CELLS)) {
      const faulty = pair.flatMap((bad) =>
        columns.map((_, at) => columns.map((_name, place) => (place === at ? bad : '')).join(',')),
      );
      await write(`cells-${BAD_CELLS.indexOf(pair[0] ?? '')}`, header, ...faulty);
    }
  }
  for (const [name, text] of Object.entries(BAD_FILES)) {
    await writeFile(join(await add(SAMPLE, name), 'subjects.jsonl'), text, 'latin1');
  }
  return made;
}
