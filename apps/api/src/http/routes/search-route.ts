import { KINDS, PAGE_SIZE, searchUrl } from '@archiefkast/types';
import { type ScoredPlace, walkPlaces } from '../../read/places.ts';
import { ALL_RECORDS, type Query, type SearchIndex } from '../../search/index.ts';
import { listAnswer, pageRange } from '../answer/envelope.ts';
import { parseSearch } from '../problems/search-problem.ts';
import { orderOf } from '../request/order-of.ts';
import { pageOf } from '../request/parameters.ts';
import { searchPageSchema, selectedSearchPageSchema } from './page-schemas.ts';
import { readRecords } from './read-records.ts';
import { type ArchiveRoute, jsonContent, type RouteDependencies } from './route.ts';

/** Search over all kinds. */
export function searchRoute(dependencies: RouteDependencies): ArchiveRoute {
  return {
    path: '/api/search',
    name: 'Search',
    description: 'Records of all kinds; with q those that match, best first; with sort in another order.',
    group: 'Search',
    content: jsonContent(searchPageSchema, selectedSearchPageSchema),
    parameters: ['edition', 'fields', 'format', 'page', 'q', 'sort'],
    async answer(request) {
      const { language, parameters, open, signal } = request;
      const { edition, search } = open;
      const q = parameters.get('q');
      const order = orderOf(parameters, language);
      const { count, places } =
        q || order
          ? await findHits(
              search,
              { ...(q ? parseSearch(q) : ALL_RECORDS), ...(order && { order }) },
              parameters,
              signal,
            )
          : { count: edition.total, places: walkPlaces(edition, pageRange(parameters, edition.total)) };
      const records = await readRecords(dependencies, request, KINDS, places);
      const results = records.map((record, index) => {
        const { kind = '', score = 0 } = places[index] ?? {};
        return [`{"type":"${kind}","instance":`, ...record, `,"score":${writeScore(q ? score : 0)}}`];
      });
      const url = searchUrl(dependencies.baseUrl, language);
      return listAnswer({ url, parameters, count, total: edition.total, language }, results);
    },
  };
}

/** The hits on a page. @throws Problem when the page is beyond the last */
async function findHits(
  search: SearchIndex,
  query: Query,
  parameters: URLSearchParams,
  signal: AbortSignal,
): Promise<{ count: number; places: ScoredPlace[] }> {
  const { count, hits } = await search.search(query, (pageOf(parameters) - 1) * PAGE_SIZE, PAGE_SIZE, signal);
  pageRange(parameters, count);
  return { count, places: hits };
}

/** A score is a number with a fraction: `0.0` where nothing was asked. */
function writeScore(score: number): string {
  return Number.isInteger(score) ? score.toFixed(1) : String(score);
}
