import { KINDS, PAGE_SEGMENTS } from '@archiefkast/types';
import type { Page } from './page.ts';

/** The search field, for the header and the pages of search. With scripts it suggests names. */
export function searchForm(page: Page, q = '') {
  const { language, t } = page;
  // For each kind, the segment of its pages and its name, for suggestions.
  const kinds = KINDS.map((kind) => [`data-${kind}`, `${PAGE_SEGMENTS[kind]} ${t.kinds[kind].one}`]);
  return (
    <search>
      <form
        class="search"
        action={page.linkToFile(`${language}/zoeken/`)}
        method="get"
        data-suggest={page.linkToFile(`${language}/api/suggest`)}
        data-root={page.linkToFile(language)}
        {...Object.fromEntries(kinds)}
      >
        <label class="visually-hidden" for="q">
          {t.searchLabel}
        </label>
        <input id="q" name="q" type="search" value={q} placeholder={t.placeholder} autocomplete="off" />{' '}
        {page.edition !== undefined && <input type="hidden" name="edition" value={page.edition} />}
        <button type="submit">{t.go}</button>
      </form>
    </search>
  );
}

/** The link to the help on search. */
export function searchHelpLink(page: Page) {
  return (
    <p class="small help">
      <a href={page.link(`${page.language}/zoeken/hulp/`)}>{page.t.help}</a>
    </p>
  );
}
