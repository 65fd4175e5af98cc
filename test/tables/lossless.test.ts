import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { COLLECTIONS, KINDS } from '@archiefkast/types';
import { beforeAll, describe, expect, test } from 'vitest';
import { createRandom } from '../../apps/api/testing/random.ts';
import { runApiHere } from '../support/api-here.ts';
import { writeBundle } from '../support/fixture/fixture-bundle.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { generateRecords } from './generate-records.ts';

let folder: string;
beforeAll(async () => {
  folder = await temporaryFolder();
});

/** @throws Error with what the program says if it fails */
async function convert(from: string, to: string, format: 'jsonl' | 'tables'): Promise<string> {
  const { code, stderr } = await runApiHere(['convert', from, to, '--to', format]);
  if (code !== 0) throw new Error(stderr);
  return to;
}

async function linesOf(bundle: string): Promise<string[]> {
  return Promise.all(KINDS.map((kind) => readFile(join(bundle, `${COLLECTIONS[kind]}.jsonl`), 'utf8')));
}

describe('a round trip through tables changes nothing', () => {
  test.each(Array.from({ length: 4 }, (_, seed) => seed))('made-up archive %i', async (seed) => {
    const at = (name: string) => join(folder, `${seed}-${name}`);
    const bundle = await writeBundle(at('bundle'), generateRecords(createRandom(seed)));
    const lines = await linesOf(await convert(bundle, at('lines'), 'jsonl'));
    for (const name of ['tables', 'tables.xlsx']) {
      const tables = await convert(bundle, at(name), 'tables');
      expect(await linesOf(await convert(tables, at(`${name}-back`), 'jsonl')), name).toEqual(lines);
    }
    const again = await convert(at('tables.xlsx'), at('again.xlsx'), 'tables');
    expect(await readFile(again)).toEqual(await readFile(at('tables.xlsx')));
  });
});

test('with the description of the archive', async () => {
  const at = (name: string) => join(folder, `archive-${name}`);
  const bundle = await writeBundle(at('bundle'), {});
  const archive = {
    title: { nl: 'Proef', en: 'Test' },
    licence: { name: 'CC0', url: 'https://cc.test/0' },
    logo: 'house/logo.png',
    colours: { light: '#00539b', dark: '#9CC7EF' },
  };
  await writeFile(join(bundle, 'archive.json'), JSON.stringify(archive));
  for (const name of ['tables', 'tables.xlsx']) {
    const back = await convert(await convert(bundle, at(name), 'tables'), at(`${name}-back`), 'jsonl');
    expect(JSON.parse(await readFile(join(back, 'archive.json'), 'utf8')), name).toEqual(archive);
  }
});

test('invalid characters are reported by name, and not replaced', async () => {
  const uuid = '3f1d2c4b-5a69-4788-9b0c-1d2e3f405162';
  const bundle = await writeBundle(join(folder, 'half'), { person: [{ id: 1, uuid, title_nl: 'a\ud800' }] });
  await expect(convert(bundle, join(folder, 'half.xlsx'), 'tables')).rejects.toThrow(
    'persons.jsonl:1: title_nl: contains U+D800, an unpaired surrogate, which is not a valid character',
  );
  await expect(readFile(join(folder, 'half.xlsx'))).rejects.toThrow('ENOENT');
});

test('existing files are not overwritten', async () => {
  const bundle = await writeBundle(join(folder, 'over'), {});
  await expect(convert(bundle, bundle, 'jsonl')).rejects.toThrow(
    `${bundle} is not empty; expected a new or empty folder`,
  );
  await convert(bundle, join(folder, 'over.xlsx'), 'tables');
  await expect(convert(bundle, join(folder, 'over.xlsx'), 'tables')).rejects.toThrow('already exists');
});
