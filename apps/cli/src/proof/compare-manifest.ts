import { dumpOf } from '@archiefkast/client';
import type { Manifest } from '@archiefkast/types';
import { COLLECTIONS, type Kind } from '@archiefkast/types/kinds';
import type { KindContent } from './kind-content.ts';

/** Name of the manifest in a harvest's folder: an exact copy of the served one. */
export const MANIFEST_FILE = 'manifest.json';

/**
 * Compares a harvest with the hashes in a manifest.
 *
 * @returns the differences as sentences; undefined if the manifest does not list all kinds
 */
export function compareManifest(
  manifest: Manifest,
  kinds: ReadonlyMap<Kind, Pick<KindContent, 'differences'>>,
): string[] | undefined {
  const problems: string[] = [];
  for (const [kind, content] of kinds) {
    const dump = dumpOf(manifest, kind);
    if (!dump) return undefined;
    for (const difference of content.differences(dump)) {
      problems.push(
        `${COLLECTIONS[kind]}: ${difference} differ from what the archive published as edition ${manifest.edition.id}`,
      );
    }
  }
  return problems;
}
