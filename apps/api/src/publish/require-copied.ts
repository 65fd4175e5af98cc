import { createHash, hash } from 'node:crypto';
import { type ArchiveDescription, BundleError, type Origin } from '@archiefkast/bundle';
import { COLLECTIONS, KINDS, LANGUAGES, type Language } from '@archiefkast/types';
import { textOfCopy } from '@archiefkast/types/internal';
import { ABBREVIATED_BLOCKS, findBlocks } from '../storage/blocks.ts';
import type { Database } from '../storage/connect.ts';
import type { EditionContents } from '../storage/edition.ts';
import { createTextQueries, readSupplementLines } from '../storage/texts.ts';

/**
 * Checks that a written edition says what was copied of its original, neither more nor less: its records by the hashes of their dumps.
 *
 * @param at where the bundle says of which archive it is a copy
 * @throws BundleError if it does not
 */
export async function requireCopied(
  database: Database,
  edition: EditionContents,
  archive: ArchiveDescription & { mirror_of: NonNullable<ArchiveDescription['mirror_of']> },
  at: Origin,
): Promise<void> {
  const { uuid: _, partial_dates: __, mirror_of: original, ...words } = archive;
  const lines = createHash('sha256');
  for await (const some of readSupplementLines(createTextQueries(database), edition))
    lines.update(some.join(''));
  const supplement = lines.digest('hex');
  for (const language of LANGUAGES) {
    const dumps = await hashDumps(database, edition, language);
    if (hash('sha256', textOfCopy({ words, dumps, supplement })) === original.sha256) return;
  }
  const reason =
    `this is not what was copied of ${original.address}. If it was edited, and is an archive of its own, take ` +
    'mirror_of away (derived_from may have that address); if it is to be a copy, harvest again; if it is the archive ' +
    `itself, set BASE_URL or IDENTITY_URL to ${original.address}`;
  throw new BundleError([{ ...at, field: 'mirror_of', reason }]);
}

/** The hash of each dump of records in a language, as the manifest has it: by kind, events abbreviated. */
async function hashDumps(database: Database, { id, counts }: EditionContents, language: Language) {
  const hashes: string[] = [];
  for (const kind of KINDS) {
    const dump = kind === 'event' ? ABBREVIATED_BLOCKS : COLLECTIONS[kind];
    const blocks = (await findBlocks(database, id, language, dump, counts[kind])) ?? [];
    hashes.push(hash('sha256', blocks.map(({ sha256 }) => sha256).join('')));
  }
  return hashes;
}
