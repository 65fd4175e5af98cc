import { hash, randomUUID } from 'node:crypto';
import { type DescribedArchive, KINDS, type Manifest } from '@archiefkast/types';
import { textOfCopy } from '@archiefkast/types/internal/dump-blocks';
import { dumpOf, supplementOf } from '../dumps.ts';
import type { HarvestStore } from './store.ts';

/** What an archive says of itself, as the `archive.json` of a bundle: with a uuid that the harvest makes. */
export type ArchiveWords = Partial<DescribedArchive> & { uuid: string };

/**
 * Stores what an archive says of itself, with a uuid for its tables: an archive does not serve its own uuid, and two copies that are
 * added to must not give different records the same uuid. If all of an edition was harvested, it says of which archive it is a copy:
 * of that which the server copies, if it does.
 *
 * @param manifest with whose hashes the records were compared
 * @param held store of an earlier harvest: its uuid is kept and, of the same edition, when that was verified
 */
export function storeArchiveWords(
  manifest: Manifest,
  store: HarvestStore,
  held: HarvestStore | undefined,
  isWhole: boolean,
): void {
  if (!manifest.archive) return;
  const { mirror_of: origin, ...words } = manifest.archive;
  const known = [store, held].flatMap((one) => (one && readArchiveWords(one)) ?? []);
  const dumps = KINDS.flatMap((kind) => dumpOf(manifest, kind, 'abbreviated')?.blocks.sha256 ?? []);
  const supplement = supplementOf(manifest)?.sha256;
  const isProven = isWhole && dumps.length === KINDS.length && supplement !== undefined;
  const sha256 = isProven ? hash('sha256', textOfCopy({ words, dumps, supplement })) : undefined;
  const before = known.find(({ mirror_of: same }) => same?.key === origin.key && same.sha256 === sha256);
  const verified_at = origin.verified_at ?? before?.mirror_of?.verified_at ?? new Date().toISOString();
  const own: ArchiveWords = {
    uuid: known[0]?.uuid ?? randomUUID(),
    ...words,
    ...(sha256 && { mirror_of: { ...origin, verified_at, sha256 } }),
  };
  store.setText('archive', JSON.stringify(own));
}

/** What the archive of a store says of itself; undefined if it is missing. */
export function readArchiveWords(store: HarvestStore): ArchiveWords | undefined {
  const text = store.text('archive');
  return text === undefined ? undefined : JSON.parse(text);
}
