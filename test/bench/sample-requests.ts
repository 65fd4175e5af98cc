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

/** Queries by type. */
export type SampleQueries = Record<'last_name' | 'city' | 'free words', string[]>;

/**
 * Queries for names, places and words: a mix of frequent and rare ones.
 *
 * @param pages of the list of persons
 */
export async function sampleQueries(origin: string, pages: number): Promise<SampleQueries> {
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
  return {
    last_name: unique(persons.flatMap(({ last_name }) => [last_name, last_name?.slice(0, 3)]))
      .slice(0, 60)
      .map((name) => `last_name:${name}`),
    city: unique(persons.map(({ birth_place }) => birth_place))
      .slice(0, 40)
      .map((name) => `city:${name}`),
    'free words': unique(
      persons.flatMap(({ content_nl = '' }) => content_nl.replaceAll(/<[^>]*>|[.]/g, ' ').split(/\s+/)),
    )
      .filter((word) => /^\p{L}{2,}$/u.test(word))
      .slice(0, 200),
  };
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
