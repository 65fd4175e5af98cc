import { dumpOf } from '@archiefkast/client';
import type { Manifest } from '@archiefkast/types';
import { COLLECTIONS, type Kind } from '@archiefkast/types/kinds';
import type { KindContent } from './kind-content.ts';

/** The name of the manifest in a harvest's folder: as the archive served it. */
export const MANIFEST_FILE = 'manifest.json';

/**
 * Compares what was harvested with the hashes that the archive publishes.
 *
 * @returns what differs, in sentences; undefined when the manifest does not name the records of all kinds
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
      `${COLLECTIONS[kind]}: the ${lines.bytes} bytes that came are not the ${dump.bytes} that the archive ` +
        `published as edition ${manifest.edition.id}`,
    );
  }
  return problems;
}
