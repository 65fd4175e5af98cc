import { randomUUID } from 'node:crypto';
import { COLLECTIONS, KINDS, type Kind } from '@archive/types';
import { READING_ORDER, readRecords } from '../bundle/bundle.ts';
import { type CheckedBundle, checkBundle } from '../bundle/check-bundle.ts';
import type { DatabaseConfig } from '../config.ts';
import type { Database } from '../database/connect.ts';
import { createRenderer } from '../render/render-record.ts';
import { checkEdition } from './check-edition.ts';
import { type Edition, type EditionContents, servedEditionId } from './edition.ts';
import { EditionWriter } from './edition-writer.ts';
import { withPublishLock } from './publish-lock.ts';
import { serveNewEdition } from './serve-edition.ts';
import { sweepEditions } from './sweep-editions.ts';

/** A step of publishing, and how many records it has done. */
export interface PublishProgress {
  step: 'checking' | 'writing' | 'indexing';
  done: number;
  /** How many there are; unknown while checking. */
  of?: number;
}

/** How a bundle is published. */
export interface PublishOptions {
  database: Database;
  config: DatabaseConfig;
  /** How many editions stay: the new one, the one served until now, and then the newest; at least these two. */
  keep: number;
  /** Called on every record. */
  onProgress?: (progress: PublishProgress) => void;
  /** Called with the new edition, complete but not yet served: derives what nodes keep beside the database. */
  prepare?: (edition: EditionContents, onRecord: () => void) => Promise<void>;
}

/** What a publish did. */
export interface Published {
  edition: Edition;
  /** Ids of the editions that are no longer kept. */
  swept: number[];
}

/**
 * Compiles a bundle into a new edition and switches to it in one step. Until then readers see the edition
 * before; when anything fails, nothing has changed for them, and the next publish sweeps what was written.
 *
 * @throws BundleError when the bundle has faults; PublishLockedError when another publish is under way;
 *   EditionError when the database does not hold what was written
 */
export async function publish(folder: string, options: PublishOptions): Promise<Published> {
  const { database, config, keep, onProgress = () => {}, prepare } = options;
  const counter = (step: PublishProgress['step'], of?: number) => {
    let done = 0;
    return () => {
      done += 1;
      onProgress(of === undefined ? { step, done } : { step, done, of });
    };
  };
  const bundle = await checkBundle(folder, counter('checking'));
  return withPublishLock(database, config, async () => {
    await sweepEditions(database, keep);
    const written = await writeEdition(database, bundle, (total) => counter('writing', total));
    await prepare?.(written, counter('indexing', written.total));
    const before = await servedEditionId(database);
    const edition = await serveNewEdition(database, written);
    return { edition, swept: await sweepEditions(database, keep, before) };
  });
}

/** Writes and checks the edition; nobody sees it yet. */
async function writeEdition(
  database: Database,
  bundle: CheckedBundle,
  counter: (total: number) => () => void,
): Promise<EditionContents> {
  const { index, archive } = bundle;
  const counts = { person: 0, subject: 0, location: 0, event: 0 };
  for (const kind of KINDS) counts[kind] = index.kinds[kind].count;
  const total = KINDS.reduce((sum, kind) => sum + counts[kind], 0);
  const key = randomUUID();
  const [id = 0] = await database('editions').insert({
    key,
    status: 'writing',
    archive: archive ? JSON.stringify(archive) : null,
    ...Object.fromEntries(KINDS.map((kind) => [COLLECTIONS[kind], counts[kind]])),
  });
  await writeRecords(new EditionWriter(database, id, index), bundle, counter(total));
  await checkEdition(database, id, counts);
  return { id, key, counts, total };
}

async function writeRecords(
  writer: EditionWriter,
  bundle: CheckedBundle,
  onRecord: () => void,
): Promise<void> {
  const render = createRenderer(bundle);
  const writeKind = async <K extends Kind>(kind: K) => {
    for await (const record of readRecords(bundle.folder, kind)) {
      if (!record.published) continue;
      await writer.add(kind, record, render(kind, record));
      onRecord();
    }
  };
  for (const kind of READING_ORDER) await writeKind(kind);
  await writer.finish();
}
