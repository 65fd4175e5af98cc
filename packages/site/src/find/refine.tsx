import type { PageContext } from '../layout/page-context.ts';
import { FIND_TEXTS } from './find-texts.ts';
import { addressWith } from './pager.tsx';

/** A query that a page links to, with what it is called. */
export interface LinkedQuery {
  label: string;
  q: string;
}

/** A linked query, and the number of its results. */
export interface CountedQuery extends LinkedQuery {
  count: number;
}

/** The date fields of results, and the chosen range of one of them. */
export interface DateChoice {
  fields: readonly string[];
  field: string;
  from: string;
  to: string;
}

/** What refines a search: the conditions in use, values of facets, and dates. */
export interface Refinement {
  /** The conditions of the query; each links to the query without it. */
  used: readonly LinkedQuery[];
  facets: readonly { name: string; values: readonly CountedQuery[] }[];
  /** Absent if no result can have a date. */
  dates?: DateChoice;
}

/** The parameters of a search, as in the address of its page. */
export type SearchParameters = Readonly<Record<string, string>>;

/** The conditions in use, each with a link that removes it. */
export function UsedConditions({
  page,
  used,
  query,
}: {
  page: PageContext;
  used: readonly LinkedQuery[];
  query: SearchParameters;
}) {
  if (used.length === 0) return null;
  const texts = FIND_TEXTS[page.language];
  return (
    <ul class="used" aria-label={texts.used}>
      {used.map(({ label, q }) => (
        <li key={label}>
          <a href={addressWith(page, { ...query, q })} aria-label={texts.remove(label)}>
            {label} <span aria-hidden="true">×</span>
          </a>
        </li>
      ))}
    </ul>
  );
}

/** Facets and dates, folded on narrow screens. */
export function Refine({
  page,
  refinement: { facets, dates },
  query,
}: {
  page: PageContext;
  refinement: Refinement;
  query: SearchParameters;
}) {
  const texts = FIND_TEXTS[page.language];
  const useful = facets.filter(({ values }) => values.length > 0);
  if (useful.length === 0 && !dates) return null;
  return (
    <details class="refine">
      <summary>{texts.narrow}</summary>
      {useful.length > 0 && (
        <nav class="facets" aria-label={texts.narrow}>
          {useful.map(({ name, values }) => (
            <details key={name} open={name === 'kind'}>
              <summary>{texts.facets[name] ?? name}</summary>
              <ul>
                {values.map(({ label, count, q }) => (
                  <li key={q}>
                    <a href={addressWith(page, { ...query, q })}>{label}</a>{' '}
                    <span class="count">{count.toLocaleString(page.language)}</span>
                  </li>
                ))}
              </ul>
            </details>
          ))}
        </nav>
      )}
      {dates && <DateForm page={page} dates={dates} query={query} />}
    </details>
  );
}

/** The years between which a date of the results lies. */
function DateForm({ page, dates, query }: { page: PageContext; dates: DateChoice; query: SearchParameters }) {
  const texts = FIND_TEXTS[page.language];
  const hidden = { ...query, ...(page.edition !== undefined && { edition: page.edition }) };
  return (
    <form class="dates" method="get">
      {Object.entries(hidden).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <label>
        {texts.dateField}{' '}
        <select name="date">
          {dates.fields.map((field) => (
            <option key={field} value={field} selected={field === dates.field}>
              {texts.dates[field] ?? field}
            </option>
          ))}
        </select>
      </label>
      <label>
        {texts.from}{' '}
        <input type="text" name="from" value={dates.from} placeholder="1600" autocomplete="off" />
      </label>
      <label>
        {texts.to} <input type="text" name="to" value={dates.to} placeholder="1699" autocomplete="off" />
      </label>
      <button type="submit">{texts.choose}</button>
    </form>
  );
}
