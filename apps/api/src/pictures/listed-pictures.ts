import { setImmediate as nextTurn } from 'node:timers/promises';
import { pathOfMediaAddress } from '@archiefkast/bundle/media-path';
import { toRecordView } from '@archiefkast/formats/record-view';
import { KINDS, LANGUAGES } from '@archiefkast/types';
import { positionBatches } from '../batches.ts';
import type { Database } from '../storage/connect.ts';
import { type EditionContents, listEditions } from '../storage/edition.ts';
import { plainTextKindOf, withoutMarks } from '../storage/stored-texts.ts';
import { createTextQueries } from '../storage/texts.ts';

/** Records that are read at once. */
const BATCH_RECORDS = 500;

/** A base of links, as records are read with one. */
const BASE_URL = 'http://localhost';

/** A picture of which an edition says that there are smaller sizes. */
export interface ListedPicture {
  sha256: string;
  /** Its path in MEDIA_DIR; undefined if it is hosted elsewhere. */
  path: string | undefined;
}

/** The pictures of an edition of which it says that there are smaller sizes, by record. @throws MissingTextError if it is no longer kept */
export async function* listPictures(
  database: Database,
  { id, counts }: EditionContents,
): AsyncGenerator<ListedPicture> {
  const queries = createTextQueries(database);
  for (const kind of KINDS) {
    for (const positions of positionBatches(counts[kind], BATCH_RECORDS)) {
      await nextTurn();
      const supplements = await queries.supplementsAt(id, kind, positions);
      const listed = [...supplements].filter(([, { pictures = [] }]) =>
        pictures.some(({ sha256 }) => sha256),
      );
      const texts = await queries.listTextsAt(
        ...([id, LANGUAGES[0], plainTextKindOf(kind), listed.map(([position]) => position)] as const),
      );
      for (const [at, { text }] of texts.entries()) {
        const {
          image,
          main_image: main,
          files = [],
        } = toRecordView(kind, JSON.parse(withoutMarks(text, BASE_URL)));
        for (const { uuid, sha256 } of listed[at]?.[1].pictures ?? []) {
          const file = [image, main, ...files].find((each) => each?.uuid === uuid);
          if (sha256)
            yield { sha256, path: file?.path ? pathOfMediaAddress(BASE_URL, file.path) : undefined };
        }
      }
    }
  }
}

/** The names of the pictures that the kept editions list. */
export async function listKeptPictures(database: Database): Promise<Set<string>> {
  const kept = new Set<string>();
  for (const edition of await listEditions(database))
    for await (const { sha256 } of listPictures(database, edition)) kept.add(sha256);
  return kept;
}
