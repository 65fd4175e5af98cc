import { isUuid } from '@archiefkast/types';

/** The number of pages of ten records of each list. */
export async function countPages(origin: string): Promise<{ persons: number; events: number }> {
  const pagesOf = async (list: string) => {
    const { count } = (await (await fetch(`${origin}/en/api/${list}`)).json()) as { count: number };
    return Math.ceil(count / 10);
  };
  return { persons: await pagesOf('persons'), events: await pagesOf('events') };
}

/** The uuids of all persons. */
export async function uuidsOfPersons(origin: string): Promise<string[]> {
  const [, ...rows] = (await (await fetch(`${origin}/en/api/dump/persons.csv`)).text()).split('\r\n');
  return rows.map((row) => row.slice(0, 36)).filter(isUuid);
}

/** Queries of one type, and how they are measured. */
export interface SampleQueries {
  name: string;
  queries: string[];
  /** Number of clients that send them at the same time. */
  clients: number;
  /** Aims for the median and the slowest, in milliseconds. */
  aims: { median: number; slowest?: number };
}

/** A word is common if it is among so many of the commonest. */
const COMMON = 40;

/**
 * Queries for names, places and words, a mix of frequent and rare ones; and of several clients at the same time the most
 * expensive ones: phrases of two common words, words of two letters, and the shortest prefixes.
 *
 * @param pages of the list of persons
 */
export async function sampleQueries(origin: string, pages: number): Promise<SampleQueries[]> {
  const results = await Promise.all(
    Array.from({ length: 6 }, async (_, index) => {
      const page = 1 + Math.floor((index * (pages - 1)) / 6);
      const response = await fetch(`${origin}/en/api/persons?page=${page}`);
      return ((await response.json()) as { results: Record<string, string>[] }).results;
    }),
  );
  const persons = results.flat();
  const unique = (values: (string | undefined)[]) =>
    [...new Set(values.filter((value) => value))] as string[];
  const texts = persons.map(({ content_nl = '' }) =>
    content_nl.replaceAll(/<[^>]*>/g, ' . ').split(/\s+|(?=[.])/),
  );
  const words = texts.flat().filter((word) => /^\p{L}{2,}$/u.test(word));
  const common = commonest(words, COMMON);
  const phrases = texts.flatMap((text) =>
    text.map((word, at) => {
      const next = text[at + 1] ?? '';
      return common.has(word) && common.has(next) ? `"${word} ${next}"` : undefined;
    }),
  );
  const one = (name: string, queries: string[], median: number) => ({
    name,
    queries,
    clients: 1,
    aims: { median },
  });
  const several = (name: string, queries: (string | undefined)[]) => ({
    name: `${name}, 4 clients`,
    queries: unique(queries).slice(0, 60),
    clients: 4,
    aims: { median: 50, slowest: 200 },
  });
  return [
    one(
      'last_name',
      unique(persons.flatMap(({ last_name }) => [last_name, last_name?.slice(0, 3)]))
        .slice(0, 60)
        .map((name) => `last_name:${name}`),
      30,
    ),
    one(
      'city',
      unique(persons.map(({ birth_place }) => birth_place))
        .slice(0, 40)
        .map((name) => `city:${name}`),
      30,
    ),
    one('free words', unique(words).slice(0, 200), 50),
    several('phrases of common words', phrases),
    several(
      'words of two letters',
      words.filter((word) => word.length === 2),
    ),
    several(
      'prefixes of three letters',
      words.flatMap((word) => (word.length > 3 ? `${word.slice(0, 3)}*` : [])),
    ),
  ];
}

/** The most frequent words. */
function commonest(words: readonly string[], most: number): Set<string> {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  const sorted = [...counts].toSorted(([, a], [, b]) => b - a);
  return new Set(sorted.slice(0, most).map(([word]) => word));
}

/** The address of a query. */
export function searchUrl(origin: string, query: string): string {
  return `${origin}/en/api/search?q=${encodeURIComponent(query)}`;
}

/** The numbers from 1 to `count`, shuffled with `below`, which gives a number below its limit. */
export function shuffled(count: number, below: (limit: number) => number): number[] {
  const pages = Array.from({ length: count }, (_, index) => index + 1);
  for (let index = pages.length - 1; index > 0; index -= 1) {
    const other = below(index + 1);
    [pages[index], pages[other]] = [pages[other] ?? 1, pages[index] ?? 1];
  }
  return pages;
}
