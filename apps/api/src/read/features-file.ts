import { setImmediate as othersTurn } from 'node:timers/promises';
import type { Language } from '@archive/types';
import type { Box } from '../search/index.ts';
import type { FeatureWriter, MappedKind } from './features.ts';
import type { OpenEdition } from './follow-editions.ts';
import { fileMadeBy, type VirtualFile } from './virtual-file.ts';

/** Features written without a pause. */
const PART_FEATURES = 100;

/**
 * The records of a kind that lie in a box, as GeoJSON.
 *
 * @throws SearchTimeout when finding them takes too long
 */
export async function featuresWithin(
  writer: FeatureWriter,
  { edition, search }: OpenEdition,
  { language, kind, box }: { language: Language; kind: MappedKind; box: Box },
  signal: AbortSignal,
): Promise<VirtualFile> {
  const query = { clauses: [{ type: 'within' as const, box, of: kind }], excluded: [] };
  const { hits } = await search.search(query, 0, edition.counts[kind], signal);
  const positions = hits.map(({ position }) => position);
  return fileMadeBy(async function* () {
    yield Buffer.from('{"type":"FeatureCollection","features":[');
    for (let start = 0; start < positions.length; start += PART_FEATURES) {
      await othersTurn();
      const part = positions.slice(start, start + PART_FEATURES);
      const features = await writer.write(edition.id, language, kind, part);
      yield Buffer.from(features.map((each, at) => `${start + at > 0 ? ',' : ''}\n${each}`).join(''));
    }
    yield Buffer.from('\n]}\n');
  });
}
