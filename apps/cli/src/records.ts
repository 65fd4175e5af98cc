import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Fields, FolderError, HarvestStore, STORE_FILE } from '@archiefkast/client/node';
import { readTextLines } from '@archiefkast/system';
import { COLLECTIONS, KINDS, type Kind } from '@archiefkast/types/kinds';
import { isObject } from './proof/references.ts';

/** The kinds whose records a store has. */
export function kindsOf(store: HarvestStore): Kind[] {
  return KINDS.filter((kind) => store.kindWalk(kind));
}

/**
 * Opens the records of a folder: a harvest, or a bundle as JSON lines or tables, which is read into a temporary store.
 *
 * @throws FolderError if it has none, or a line or row of a bundle is no record
 */
export async function openRecords(folder: string): Promise<HarvestStore> {
  const harvest = HarvestStore.read(join(folder, STORE_FILE));
  if (harvest) return harvest;
  const store = HarvestStore.open('');
  try {
    const archive = await uuidOfArchive(folder);
    for (const kind of KINDS) {
      const path = join(folder, `${COLLECTIONS[kind]}.jsonl`);
      if (existsSync(path)) await storeRecords(store, kind, path, readLines(path, kind, archive));
    }
    const supplement = join(folder, 'supplement.jsonl');
    let supplements = '';
    if (existsSync(supplement))
      for await (const { text } of readTextLines(supplement)) supplements += `${text}\n`;
    store.setText('supplement', supplements);
    if (kindsOf(store).length === 0) {
      const { readTables } = await import('./diff/read-tables.ts');
      for (const [kind, records] of (await readTables(folder, archive)) ?? [])
        await storeRecords(store, kind, folder, records);
    }
    if (kindsOf(store).length === 0) throw new FolderError(`${folder} contains no records`);
    return store;
  } catch (error) {
    store[Symbol.dispose]();
    throw error;
  }
}

/** Records that are stored together. */
const BATCH = 100;

async function storeRecords(
  store: HarvestStore,
  kind: Kind,
  path: string,
  records: Iterable<Fields> | AsyncIterable<Fields>,
): Promise<void> {
  store.begin(kind);
  let waiting: Fields[] = [];
  let page = 0;
  const unknown = {
    retrieved_at: '',
    next: null,
    edition: null,
    etag: null,
    moved: [],
    retries: 0,
    waited_ms: 0,
  };
  const add = () => {
    page += 1;
    const lines = waiting.map((record) => `${JSON.stringify(record)}\n`).join('');
    const facts = { ...unknown, page, url: path, count: 0, total: 0, records: 0 };
    store.addPage(kind, facts, waiting, Buffer.from(lines));
    waiting = [];
  };
  for await (const record of records) {
    waiting.push(record);
    if (waiting.length === BATCH) add();
  }
  if (waiting.length > 0) add();
}

/** The uuid in the description of an archive, from which those of its records are derived. */
async function uuidOfArchive(folder: string): Promise<unknown> {
  const text = await readFile(join(folder, 'archive.json'), 'utf8').catch(() => '{}');
  return Object(JSON.parse(text)).uuid;
}

async function* readLines(path: string, kind: Kind, archive: unknown): AsyncGenerator<Fields> {
  for await (const { number, text = '' } of readTextLines(path)) {
    let record: unknown;
    try {
      record = JSON.parse(text);
    } catch {}
    const place = `${path}:${number}`;
    if (!isObject(record)) throw new FolderError(`${place}: expected a record, as a line of JSON`);
    if (typeof record['uuid'] === 'string') yield record;
    else if (typeof archive === 'string') {
      const { deriveUuid } = await import('@archiefkast/formats');
      yield { ...record, uuid: deriveUuid(archive, `${kind}/${record['id']}`) };
    } else throw new FolderError(`${place}: expected a record with a uuid, as a line of JSON`);
  }
}
