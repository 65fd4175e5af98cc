import { linkTo, type PageContext } from '../layout/page-context.ts';
import { FIND_TEXTS } from './find-texts.ts';

/** The field in which to search. With scripts it suggests names. */
export function SearchForm({ page, q = '' }: { page: PageContext; q?: string }) {
  const texts = FIND_TEXTS[page.language];
  return (
    <search>
      <form
        class="search"
        action={linkTo(page, `${page.language}/zoeken/`)}
        method="get"
        data-suggest={linkTo(page, `${page.language}/api/suggest`)}
        data-root={linkTo(page, page.language)}
      >
        <label class="visually-hidden" for="q">
          {texts.searchLabel}
        </label>
        <input id="q" name="q" type="search" value={q} placeholder={texts.placeholder} autocomplete="off" />{' '}
        <button type="submit">{texts.go}</button>
      </form>
    </search>
  );
}
