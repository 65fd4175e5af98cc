import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { COLLECTIONS, KINDS, type Kind } from '@archiefkast/types';
import { beforeAll, describe, expect, test } from 'vitest';
import { runApiHere } from '../support/api-here.ts';
import { writeBundle } from '../support/fixture/fixture-bundle.ts';
import { readCsv } from '../support/read-csv.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

let folder: string;
beforeAll(async () => {
  folder = await temporaryFolder();
});

async function run(...command: string[]): Promise<string> {
  expect(await runApiHere(command)).toMatchObject({ code: 0 });
  return command.at(-1) ?? '';
}

/** The rows of a table, as cells by column. */
async function rowsOf(tables: string, kind: Kind): Promise<Record<string, string>[]> {
  const text = await readFile(join(tables, `${COLLECTIONS[kind]}.csv`), 'utf8');
  const [header = [], ...rows] = readCsv(text.replace('\ufeff', ''));
  return rows.map((row) => Object.fromEntries(header.map((name, column) => [name, row[column] ?? ''])));
}

const at = (name: string) => join(folder, name);

describe('tables keep the form in which people wrote them', () => {
  test('the template comes back from JSON lines as it was, with uuids', async () => {
    const template = await run('template', at('template'));
    await run('convert', template, '--to', 'jsonl', at('lines'));
    const back = await run('convert', at('lines'), at('back'));
    for (const kind of KINDS) {
      const given = await rowsOf(template, kind);
      const rows = (await rowsOf(back, kind)).map(({ uuid, ...row }) => row);
      if (kind !== 'location') expect(rows).toEqual(given);
      // The template shows that references may be ids.
      else expect(rows).toMatchObject([{ related_locations: 'Hortus Botanicus, Amsterdam' }, {}]);
    }
  });

  test('ambiguous names, and those that look like something else, are ids; other HTML stays HTML', async () => {
    const uuid = (kind: Kind, id: number) => `${KINDS.indexOf(kind)}b5e8a3c-6d1f-4c7e-9a2b-3f4d5e6a7b8${id}`;
    const subjects = ['Handel', 'Handel', '1650', '\\x', 'Zee|vaart', ''].map((name_nl, id) => ({
      id,
      uuid: uuid('subject', id),
      name_nl,
    }));
    const person = {
      id: 1,
      uuid: uuid('person', 1),
      title_nl: 'Anna Vos',
      published: false,
      content_nl: '<p class="a">a</p>',
      content_en: '<p>1. <em>b</em></p>',
      subjects: subjects.map((_, id) => uuid('subject', id)),
    };
    const bundle = await writeBundle(at('given'), { person: [person], subject: subjects });
    await writeFile(join(bundle, 'archive.json'), '{"title":{"nl":"a","en":"b"}}');
    const tables = await run('convert', bundle, at('named'));
    const [row] = await rowsOf(tables, 'person');
    expect(row).toMatchObject({
      published: 'false',
      subjects: '0|1|2|3|Zee\\|vaart|5',
      content_nl: '<p class="a">a</p>',
      content_en_markdown: '1\\. *b*',
    });
    expect(row).not.toHaveProperty('pictures');
    const lines = await run('convert', tables, '--to', 'jsonl', at('named-lines'));
    expect(JSON.parse(await readFile(join(lines, 'persons.jsonl'), 'utf8'))).toMatchObject(person);
  });
});
