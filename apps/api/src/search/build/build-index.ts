import { replaceWhole } from '@archiefkast/system';
import { createPause } from '../../pause.ts';
import { fillIndex, INDEX_TABLES } from '../file/index-file.ts';
import type { IndexedRecord } from './record-values.ts';
import { RecordWriter } from './record-writer.ts';

/**
 * Writes the search index of an edition. The file is replaced atomically when it is complete; on failure nothing is
 * left behind.
 *
 * @param file path of the index; a temporary file is written beside it
 * @param records all published records, fastest in the order of `KINDS`, then of id
 * @param signal stops the build
 * @throws the signal's reason; any error of `records`
 */
export async function buildSearchIndex(
  file: string,
  records: AsyncIterable<IndexedRecord>,
  signal?: AbortSignal,
): Promise<void> {
  const pause = createPause(signal);
  await replaceWhole(file, (temporary) =>
    fillIndex(temporary, async (database) => {
      database.exec(INDEX_TABLES);
      const writer = new RecordWriter(database);
      let slot = 0;
      for await (const record of records) {
        slot += 1;
        writer.insert(slot, record);
        await pause();
      }
      await writer.finish(pause);
    }),
  );
}
