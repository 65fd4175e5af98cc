import type { Children } from './jsx-runtime.ts';
import { renderPage } from './layout.tsx';
import type { Page } from './page.ts';
import { searchForm, searchHelpLink } from './search-form.tsx';

/** The page of a search: the form with its query, and what came of it. */
export function searchFrame(page: Page, q: string, content: Children): string {
  const { t } = page;
  return renderPage(page, {
    title: page.titled(q === '' ? t.search : `${q} – ${t.search}`),
    description: `${t.searchLabel}: ${q}`,
    translation: `${page.otherLanguage}/zoeken/`,
    query: q === '' ? '' : `?${new URLSearchParams({ q })}`,
    // There are endlessly many results.
    isUnlisted: q !== '',
    hasSearch: true,
    children: (
      <main id="main" class="wide find">
        <h1>{t.search}</h1>
        {searchForm(page, q)}
        {searchHelpLink(page)}
        {content}
      </main>
    ),
  });
}
