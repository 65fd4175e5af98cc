import type { Page, Query } from './page.ts';
import type { CountedQuery, LinkedQuery } from './search.tsx';
import type { Texts } from './texts.ts';

/** The date fields of results, and the chosen range of one of them. */
export interface DateChoice {
  fields: readonly (keyof Texts['dates'])[];
  field: string;
  from: string;
  to: string;
}

/** What refines a search: the conditions in use, values of facets, and dates. */
export interface Refinement {
  /** The conditions of the query; each links to the query without it. */
  used: readonly LinkedQuery[];
  facets: readonly { name: keyof Texts['facets']; values: readonly CountedQuery[] }[];
  /** Absent if no result can have a date. */
  dates?: DateChoice;
}

/** The conditions in use, each with a link that removes it. */
export function usedConditions(page: Page, used: readonly LinkedQuery[], query: Query) {
  if (used.length === 0) return null;
  return (
    <ul class="used" aria-label={page.t.used}>
      {used.map(({ label, q }) => (
        <li>
          <a href={page.linkWith({ ...query, q })} rel="nofollow" aria-label={page.t.remove(label)}>
            {label} <span aria-hidden="true">×</span>
          </a>
        </li>
      ))}
    </ul>
  );
}

/** Facets and dates, folded on narrow screens. */
export function refine(page: Page, { facets, dates }: Refinement, query: Query) {
  const { t } = page;
  const useful = facets.filter(({ values }) => values.length > 0);
  if (useful.length === 0 && !dates) return null;
  return (
    <details class="refine">
      <summary>{t.narrow}</summary>
      {useful.length > 0 && (
        <nav class="facets" aria-label={t.narrow}>
          {useful.map(({ name, values }) => (
            <details open={name === 'kind'}>
              <summary>{t.facets[name]}</summary>
              <ul>
                {values.map((value) => (
                  <li>{countedLink(page, value, query)}</li>
                ))}
              </ul>
            </details>
          ))}
        </nav>
      )}
      {dates && dateForm(page, dates, query)}
    </details>
  );
}

/** A link to a search, and the number of its results. */
export function countedLink(page: Page, { label, count, q }: CountedQuery, query: Query = {}) {
  return (
    <>
      <a href={page.linkWith({ ...query, q })} rel="nofollow">
        {label}
      </a>{' '}
      <span class="count">{page.number(count)}</span>
    </>
  );
}

/** The years between which a date of the results lies. */
function dateForm({ t, edition }: Page, dates: DateChoice, query: Query) {
  const hidden = { ...query, ...(edition !== undefined && { edition }) };
  return (
    <form class="dates" method="get">
      {Object.entries(hidden).map(([name, value]) => (
        <input type="hidden" name={name} value={value} />
      ))}
      <label>
        {t.dateField}{' '}
        <select name="date">
          {dates.fields.map((field) => (
            <option value={field} selected={field === dates.field}>
              {t.dates[field]}
            </option>
          ))}
        </select>
      </label>
      <label>
        {t.from} <input type="text" name="from" value={dates.from} placeholder="1600" autocomplete="off" />
      </label>
      <label>
        {t.to} <input type="text" name="to" value={dates.to} placeholder="1699" autocomplete="off" />
      </label>
      <button type="submit">{t.choose}</button>
    </form>
  );
}
