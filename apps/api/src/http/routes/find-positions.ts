import type { Kind } from '@archiefkast/types';
import { ALL_RECORDS, type Clause } from '../../search/index.ts';
import { Problem } from '../problems/problems.ts';
import { parseSearch } from '../problems/search-problem.ts';
import { boxOf } from '../request/bbox.ts';
import { orderOf } from '../request/order-of.ts';
import type { ArchiveRequest } from './route.ts';

/**
 * The positions of the records of a kind that a request asks for with `q`, `bbox` and `sort`, in the order of search.
 *
 * @param mapped the kind, where its records can lie in a box
 * @param most records that may be found
 * @returns undefined where the request asks for none of this: it is for all records, by id
 * @throws Problem when more are found, or the query cannot be understood; SearchTimeout when finding them takes too long
 */
export async function findPositions(
  { parameters, language, open: { search }, signal }: ArchiveRequest,
  { kind, mapped, most }: { kind: Kind; mapped: 'location' | 'event' | undefined; most: number },
): Promise<Uint32Array | undefined> {
  const q = parameters.get('q');
  const bbox = parameters.get('bbox');
  const order = orderOf(parameters, language);
  if (q === null && bbox === null && order === undefined) return undefined;
  const asked = q === null ? ALL_RECORDS : parseSearch(q);
  const within: Clause[] = mapped && bbox !== null ? [{ type: 'within', box: boxOf(bbox), of: mapped }] : [];
  const clauses: Clause[] = [{ type: 'kind', kind }, ...asked.clauses, ...within];
  const { count, hits } = await search.search(
    { clauses, excluded: asked.excluded, ...(order && { order }) },
    0,
    most,
    signal,
  );
  if (count > most) throw tooMany(count, most);
  return Uint32Array.from(hits, ({ position }) => position);
}

function tooMany(count: number, most: number): Problem {
  return new Problem(
    'too-many-hits',
    { en: `${count} records match.`, nl: `${count} records voldoen.` },
    {
      en: `at most ${most}: a narrower query, or the whole file without q, bbox and sort`,
      nl: `hoogstens ${most}: een nauwere vraag, of het hele bestand zonder q, bbox en sort`,
    },
  );
}
