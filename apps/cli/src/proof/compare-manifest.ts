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
  kinds: ReadonlyMap<Kind, Pick<KindContent, 'lines'>>,
): string[] | undefined {
  const problems: string[] = [];
  for (const [kind, content] of kinds) {
    const dump = dumpOf(manifest, kind);
    if (!dump) return undefined;
    const lines = content.lines();
    if (dump.sha256 === lines.sha256) continue;
    problems.push(
      `${COLLECTIONS[kind]}: the ${lines.bytes} bytes received differ from the ${dump.bytes} bytes that the archive ` +
        `published as edition ${manifest.edition.id}`,
    );
  }
  return problems;
}
