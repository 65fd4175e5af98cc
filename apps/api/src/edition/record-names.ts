import { type Fields, nameOfRecord, neededNames, type RecordNames } from '@archiefkast/formats/reading';
import { KINDS, type Kind, type Language } from '@archiefkast/types';
import type { Caches } from '../cache.ts';
import type { EditionContents } from '../storage/edition.ts';
import { withoutMarks } from '../storage/marks.ts';
import type { RecordKey } from './record-keys.ts';
import type { TextQueries } from './texts.ts';

/** Memory of a cached name in bytes, besides its characters and those of its key. */
const OVERHEAD_BYTES = 128;

/** Records per statement. */
const BATCH = 200;

/** Finds the names that CSV rows show for references. */
export interface NameFinder {
  /** The names of the records that these records refer to. */
  find(edition: EditionContents, language: Language, records: readonly Fields[]): Promise<RecordNames>;
}

/** Finds names in the rendered texts of an edition, and caches them. */
export function createNameFinder(queries: TextQueries, caches: Caches): NameFinder {
  const kept = caches.open<string>('names', (name, key) => name.length + key.length + OVERHEAD_BYTES);

  /** Reads names into `found`, under the key that `nameKeys` has for the position of the record. */
  async function readNames(
    edition: EditionContents,
    language: Language,
    kind: Kind,
    nameKeys: ReadonlyMap<number, string>,
    found: Map<string, string>,
  ): Promise<void> {
    const recordKeys = [...nameKeys.keys()].map((position): RecordKey => ({ kind, position }));
    for (let start = 0; start < recordKeys.length; start += BATCH) {
      const texts = await queries.fetchTexts(edition.id, language, recordKeys.slice(start, start + BATCH));
      for (const { position, text } of texts) {
        const key = nameKeys.get(position);
        if (key !== undefined) found.set(key, nameOfRecord(JSON.parse(withoutMarks(text))));
      }
    }
  }

  return {
    async find(edition, language, records) {
      const { uuids, parents } = neededNames(records);
      const found = new Map<string, string>();
      const idOf = (key: string) => `${edition.key} ${language} ${key}`;
      const missing = (keys: readonly string[]) =>
        keys.filter((key) => {
          const name = kept.find(idOf(key));
          if (name !== undefined) found.set(key, name);
          return name === undefined;
        });

      const read = new Map<string, string>();
      for (const kind of KINDS) {
        const wanted = missing([...(uuids[kind] ?? [])]);
        if (wanted.length === 0) continue;
        const positions = await queries.findPositions(edition.id, kind, wanted);
        const keys = new Map([...positions].map(([uuid, position]) => [position, uuid]));
        await readNames(edition, language, kind, keys, read);
      }
      const ids = missing([...parents].map(String));
      if (ids.length > 0) {
        const positions = await queries.findPositionsOfIds(edition.id, 'subject', ids.map(Number));
        const keys = new Map([...positions].map(([id, position]) => [position, String(id)]));
        await readNames(edition, language, 'subject', keys, read);
      }
      for (const [key, name] of read) {
        kept.keep(idOf(key), name);
        found.set(key, name);
      }
      return { ofUuid: (_kind, uuid) => found.get(uuid), ofSubject: (id) => found.get(String(id)) };
    },
  };
}
