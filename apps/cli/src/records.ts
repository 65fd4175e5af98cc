import { existsSync } from 'node:fs';
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
 * Opens the records of a folder: a harvest, or a bundle as JSON lines, which is read into a temporary store.
 *
 * @throws FolderError if it has none, or a line of a bundle is no record
 */
export async function openRecords(folder: string): Promise<HarvestStore> {
  const harvest = HarvestStore.read(join(folder, STORE_FILE));
  if (harvest) return harvest;
  const store = HarvestStore.open('');
  try {
    for (const kind of KINDS) await readLines(join(folder, `${COLLECTIONS[kind]}.jsonl`), kind, store);
    const supplement = join(folder, 'supplement.jsonl');
    let supplements = '';
    if (existsSync(supplement))
      for await (const { text } of readTextLines(supplement)) supplements += `${text}\n`;
    store.setText('supplement', supplements);
    if (kindsOf(store).length === 0) throw new FolderError(`${folder} contains no records`);
    return store;
  } catch (error) {
    store[Symbol.dispose]();
    throw error;
  }
}

/** Records that are stored together. */
const BATCH = 100;

async function readLines(path: string, kind: Kind, store: HarvestStore): Promise<void> {
  if (!existsSync(path)) return;
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
  for await (const { number, text = '' } of readTextLines(path)) {
    waiting.push(parseRecord(text, `${path}:${number}`));
    if (waiting.length === BATCH) add();
  }
  if (waiting.length > 0) add();
}

function parseRecord(line: string, place: string): Fields {
  let record: unknown;
  try {
    record = JSON.parse(line);
  } catch {}
  if (isObject(record) && typeof record['uuid'] === 'string') return record;
  throw new FolderError(`${place}: expected a record with a uuid, as a line of JSON`);
}
