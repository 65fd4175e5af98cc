import { PAGE_SIZE, searchUrl } from '@archive/types';
import { type ScoredPlace, walkPlaces } from '../../archive/places.ts';
import type { Query, SearchIndex } from '../../search/index.ts';
import { listAnswer, pageRange } from '../envelope.ts';
import { pageOf } from '../parameters.ts';
import { parseSearch } from '../search-problem.ts';
import { searchPageSchema } from './page-schemas.ts';
import { type ArchiveRoute, jsonContent, type RouteDependencies } from './route.ts';

/** Search over all kinds. */
export function searchRoute({ reader, baseUrl }: RouteDependencies): ArchiveRoute {
  return {
    path: '/api/search',
    name: 'Search',
    description: 'Records of all kinds; with q those that match, best first.',
    group: 'Search',
    content: jsonContent(searchPageSchema),
    parameters: ['edition', 'format', 'page', 'q'],
    async answer({ language, parameters, open: { edition, search } }) {
      const q = parameters.get('q');
      const { count, places } = q
        ? await findHits(search, parseSearch(q), parameters)
        : { count: edition.total, places: walkPlaces(edition, pageRange(parameters, edition.total)) };
      const records = await reader.read(edition, language, places);
      const results = records.map((record, index) => {
        const { kind = '', score = 0 } = places[index] ?? {};
        return [`{"type":"${kind}","instance":`, ...record, `,"score":${writeScore(score)}}`];
      });
      const url = searchUrl(baseUrl, language);
      return listAnswer({ url, parameters, count, total: edition.total, language }, results);
    },
  };
}

/** The hits on a page. @throws Problem when the page is beyond the last */
async function findHits(
  search: SearchIndex,
  query: Query,
  parameters: URLSearchParams,
): Promise<{ count: number; places: ScoredPlace[] }> {
  const { count, hits } = await search.search(query, (pageOf(parameters) - 1) * PAGE_SIZE, PAGE_SIZE);
  pageRange(parameters, count);
  return { count, places: hits };
}

/** A score is a number with a fraction: `0.0` where nothing was asked. */
function writeScore(score: number): string {
  return Number.isInteger(score) ? score.toFixed(1) : String(score);
}
