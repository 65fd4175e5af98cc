import { linkTo, linkToFile, type PageContext } from '../layout/page-context.ts';
import { RECORD_TEXTS } from '../record/record-texts.ts';
import { FIND_TEXTS } from './find-texts.ts';

/** The search form. With scripts it suggests names. */
export function SearchForm({ page, q = '' }: { page: PageContext; q?: string }) {
  const texts = FIND_TEXTS[page.language];
  return (
    <search>
      <form
        class="search"
        action={linkToFile(page, `${page.language}/zoeken/`)}
        method="get"
        data-suggest={linkToFile(page, `${page.language}/api/suggest`)}
        data-kinds={JSON.stringify(RECORD_TEXTS[page.language].kind)}
        data-root={linkToFile(page, page.language)}
      >
        <label class="visually-hidden" for="q">
          {texts.searchLabel}
        </label>
        <input id="q" name="q" type="search" value={q} placeholder={texts.placeholder} autocomplete="off" />{' '}
        {page.edition !== undefined && <input type="hidden" name="edition" value={page.edition} />}
        <button type="submit">{texts.go}</button>
      </form>
      <p class="small help">
        <a href={linkTo(page, `${page.language}/zoeken/hulp/`)}>{texts.help}</a>
      </p>
    </search>
  );
}
