import type { RecordView } from '@archiefkast/formats/record-view';
import type { Area } from '@archiefkast/site/record-kinds';
import { barsOfYears } from '../../../edition/date-bars.ts';
import type { OpenEdition } from '../../../edition/open-editions.ts';
import { fold, parseQuery, QUOTE } from '../../../search/index.ts';

/** The most bars of a town or country. */
const MOST_BARS = 40;

/** What the archive has in the town or country that a location is; undefined for any other location. */
export async function readArea({ search }: OpenEdition, location: RecordView): Promise<Area | undefined> {
  const names = [location.name_nl, location.name_en].map((name) => fold(name ?? ''));
  const field = (['city', 'land'] as const).find(
    (each) => location[each] && names.includes(fold(location[each])),
  );
  if (field === undefined) return undefined;
  const value = `="${location[field]?.replace(QUOTE, '')}"`;
  const queries = {
    event: `kind:event ${field}:${value}`,
    location: `kind:location ${field}:${value}`,
    person: `kind:person place:${value}`,
  };
  const count = async (kind: keyof typeof queries) => {
    const { count } = await search.ask((index) => index.search(parseQuery(queries[kind]), 0, 0));
    return { kind, count, q: queries[kind] };
  };
  const counts = await Promise.all([count('event'), count('location'), count('person')]);
  const years = await search.ask((index) => index.years(parseQuery(queries.event), 'date'));
  const queryOf = (from: string, to: string) => `${queries.event} date:${from}..${to}`;
  return { field, counts, bars: barsOfYears(years, { finest: 10, most: MOST_BARS, queryOf }) };
}
