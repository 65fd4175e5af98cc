import { type Fields, nameOfRecord, neededNames, type RecordNames } from '@archiefkast/formats/reading';
import { KINDS, type Kind, type Language } from '@archiefkast/types';
import { inBatches } from '../batches.ts';
import type { Caches } from '../cache.ts';
import type { EditionContents } from '../storage/edition.ts';
import { withoutMarks } from '../storage/stored-texts.ts';
import type { TextQueries } from '../storage/texts.ts';

/** Memory of a cached name in bytes, besides its characters and those of its key. */
const OVERHEAD_BYTES = 128;

/** Records per statement. */
const BATCH = 200;

/** Finds the names that CSV rows show for references. */
export type NameFinder = ReturnType<typeof createNameFinder>;

/** Finds names in the rendered texts of an edition, and caches them. */
export function createNameFinder(queries: TextQueries, caches: Caches) {
  const kept = caches.open<string>('names', (name, key) => name.length + key.length + OVERHEAD_BYTES);

  /** Reads the names of records by their UUID or id into `found`. */
  async function readNames(
    edition: EditionContents,
    language: Language,
    kind: Kind,
    column: 'uuid' | 'id',
    wanted: readonly string[],
    found: Map<string, string>,
  ): Promise<void> {
    for (const batch of inBatches(wanted, BATCH)) {
      const records = await queries.listRecords(edition.id, kind, column, batch);
      const keys = new Map(records.map((record) => [record.position, String(record[column])]));
      const texts = await queries.listTexts(
        edition.id,
        language,
        records.map(({ position }) => ({ kind, position })),
      );
      for (const { position, text } of texts)
        found.set(keys.get(position) ?? '', nameOfRecord(JSON.parse(withoutMarks(text))));
    }
  }

  return {
    /** The names of the records that these records refer to. */
    async find(
      edition: EditionContents,
      language: Language,
      records: readonly Fields[],
    ): Promise<RecordNames> {
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
        await readNames(edition, language, kind, 'uuid', missing([...(uuids[kind] ?? [])]), read);
      }
      await readNames(edition, language, 'subject', 'id', missing([...parents].map(String)), read);
      for (const [key, name] of read) {
        kept.keep(idOf(key), name);
        found.set(key, name);
      }
      return { ofUuid: (_kind, uuid) => found.get(uuid), ofSubject: (id) => found.get(String(id)) };
    },
  };
}
