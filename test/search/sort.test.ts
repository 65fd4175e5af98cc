import { expect, test } from 'vitest';
import { BASE_URL } from '../support/api-server.ts';
import { describeFixture } from '../support/contract-archive.ts';
import { TOTAL } from '../support/fixture/fixture-bundle.ts';
import { getJson, type Json, type Page, walkPages } from '../support/walk.ts';

describeFixture('sort', (archive) => {
  const walk = async (query: string, language = 'en') => {
    const pages = await walkPages(archive(), `/${language}/api/search?${query}`);
    const results = pages.flatMap((page) => page.results);
    return {
      first: pages[0],
      instances: results.map(({ instance }) => instance as Json),
      scores: results.map(({ score }) => Number(score)),
    };
  };

  test('by name: persons by last name, then first, without case and diacritics', async () => {
    const { instances } = await walk('q=kind:person&sort=name');
    const names = instances.map(({ last_name, first_name }) => String(last_name || first_name).toLowerCase());
    expect(names.slice(0, 4)).toEqual(['100%_*', 'bosch', 'bosch - reitz', 'devries']);
    expect(names.indexOf('huygens')).toBeLessThan(names.indexOf('meer'));
    expect(names.at(-2)).toBe('vries - jansen');
  });

  test('by name: others by the name in the language of the request', async () => {
    for (const language of ['en', 'nl']) {
      const { instances } = await walk('q=kind:event&sort=name', language);
      const names = instances.map(({ name }) => String(name).toLowerCase()).filter(Boolean);
      expect(names).toEqual(names.toSorted());
    }
  });

  test('by date: the earliest or latest first, records without a date last', async () => {
    const dates = async (query: string) =>
      (await walk(query)).instances.map(
        ({ birth_date, date, date_start, date_end }) => birth_date ?? date ?? date_start ?? date_end ?? null,
      );
    const [rising, falling] = [await dates('sort=date'), await dates('sort=-date')];
    expect(rising).toHaveLength(TOTAL);
    const dated = rising.filter((date) => date !== null);
    expect(dated).toEqual(['1500-02-29', '1602-03-20', '1629-04-14', '1659-07-01']);
    expect(rising.slice(0, 4)).toEqual(dated);
    expect(falling.slice(0, 4)).toEqual(dated.toReversed());
    expect(new Set([...rising.slice(4), ...falling.slice(4)])).toEqual(new Set([null]));
  });

  test('by id: all kinds together', async () => {
    const { instances } = await walk('sort=id');
    const ids = instances.map(({ id }) => Number(id));
    expect(ids).toEqual(ids.toSorted((a, b) => a - b));
  });

  test('keeps the scores of a query', async () => {
    const [sorted, best] = [await walk('q=last_name:vries&sort=id'), await walk('q=last_name:vries')];
    expect(sorted.scores.toSorted()).toEqual(best.scores.toSorted());
  });

  test('links contain it, but for relevance, which is the default', async () => {
    const bodies = ['q=vries&sort=relevance', 'q=vries'].map(async (query) =>
      (await archive().fetch(`/en/api/search?${query}`)).text(),
    );
    const [one, other] = await Promise.all(bodies);
    expect(one).toBe(other);
    const { next } = await getJson<Page>(archive(), '/en/api/search?sort=-date&q=last_name:nummer');
    expect(next).toBe(`${BASE_URL}/en/api/search?page=2&q=last_name%3Anummer&sort=-date`);
  });

  test.each(['names', 'date,id', '--date'])('%j is an invalid order', async (sort) => {
    const response = await archive().fetch(`/nl/api/search?sort=${sort}`);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      type: `${BASE_URL}/problems/invalid-sort`,
      detail: `Unknown sort order "${sort}".`,
      orders: ['relevance', 'name', 'date', '-date', 'id'],
    });
  });
});
