import type { Language } from '@archiefkast/types';
import type { Order } from '../../search/index.ts';
import { SORTS } from './parameters.ts';

/**
 * The order that is asked for: names are sorted in the language of the request.
 *
 * @returns undefined for hits by score
 */
export function orderOf(parameters: URLSearchParams, language: Language): Order | undefined {
  const sort = SORTS.find((each) => each === parameters.get('sort'));
  if (sort === undefined || sort === 'relevance') return undefined;
  return sort === 'name' ? `name_${language}` : sort;
}
