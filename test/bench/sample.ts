import type { Random } from '../../apps/api/testing/random.ts';
import { SHAPES, type Shape } from './rows.ts';

/** What is requested of an archive: the same of every build. */
export interface Sample {
  /** Number of pages of each list. */
  pages: { persons: number; events: number };
  /** Some persons. */
  uuids: string[];
  /** The paths of queries of each shape. */
  queries: ReadonlyMap<Shape, readonly string[]>;
}

const SAMPLE_PAGES = 30;
/** A word is common if it is among so many of the commonest. */
const COMMON = 40;
const MOST_QUERIES = 120;

/** Takes a sample of the archive that a server serves. */
export async function takeSample(origin: string): Promise<Sample> {
  const list = async (path: string) => {
    const response = await fetch(`${origin}/en/api/${path}`);
    return (await response.json()) as { count: number; results: Record<string, string>[] };
  };
  const pagesOf = async (name: string) => Math.ceil((await list(name)).count / 10);
  const pages = { persons: await pagesOf('persons'), events: await pagesOf('events') };
  const persons = [];
  for (let index = 0; index < SAMPLE_PAGES; index += 1) {
    const page = 1 + Math.floor((index * pages.persons) / SAMPLE_PAGES);
    persons.push(...(await list(`persons?page=${page}`)).results);
  }
  const uuids = [...new Set(persons.map(({ uuid = '' }) => uuid))];
  return { pages, uuids, queries: queriesOf(persons) };
}

/** Queries made of the names, places and words of persons: a mix of frequent and rare ones. */
function queriesOf(persons: readonly Record<string, string>[]): Map<Shape, string[]> {
  const valuesOf = (field: string) => persons.flatMap((person) => person[field] || []);
  const texts = valuesOf('content_nl').map((text) => text.replaceAll(/<[^>]*>/g, ' . ').split(/\s+|(?=[.])/));
  const words = texts.flat().filter((word) => /^\p{L}{2,}$/u.test(word));
  const common = commonest(words);
  const phrases = texts.flatMap((text) =>
    text.flatMap((word, at) => {
      const next = text[at + 1] ?? '';
      return common.has(word) && common.has(next) ? `"${word} ${next}"` : [];
    }),
  );
  // A field is found by a part of its value too.
  const fieldOf = (field: string, values: readonly string[]) =>
    values.flatMap((value) => [value, value.slice(0, 3), value.slice(1)]).map((value) => `${field}:${value}`);
  const queries: Record<Shape, string[]> = {
    last_name: fieldOf('last_name', valuesOf('last_name')),
    city: fieldOf('city', valuesOf('birth_place')),
    title: fieldOf('title', valuesOf('title_nl')),
    'any word': words,
    'phrase of common words': phrases,
    'prefix of three letters': words.flatMap((word) => (word.length > 3 ? `${word.slice(0, 3)}*` : [])),
    'word of two letters': words.filter((word) => word.length === 2),
    facets: words,
  };
  return new Map(
    (Object.keys(SHAPES) as Shape[]).map((shape) => {
      const address = shape === 'facets' ? 'facets' : 'search';
      const unique = [...new Set(queries[shape])].slice(0, MOST_QUERIES);
      return [shape, unique.map((query) => `/en/api/${address}?q=${encodeURIComponent(query)}`)];
    }),
  );
}

function commonest(words: readonly string[]): Set<string> {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  const sorted = [...counts].toSorted(([, a], [, b]) => b - a);
  return new Set(sorted.slice(0, COMMON).map(([word]) => word));
}

/** The values in random order. */
export function shuffled<Value>(values: readonly Value[], random: Random): Value[] {
  return values
    .map((value) => ({ value, place: random.number() }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ value }) => value);
}
