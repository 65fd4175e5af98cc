import { DOCS_PATH, renderPage } from './layout.tsx';
import type { Page } from './page.ts';
import { searchForm } from './search-form.tsx';

/** The page that explains queries by examples. */
export function searchHelpPage(page: Page): string {
  const { t } = page;
  return renderPage(page, {
    hasSearch: true,
    title: page.titled(t.help),
    description: t.helpLead,
    translation: `${page.otherLanguage}/zoeken/hulp/`,
    children: (
      <main id="main" class="wide find">
        <h1>{t.help}</h1>
        <p class="lead">{t.helpLead}</p>
        {searchForm(page)}
        <dl class="examples">
          {Object.entries(t.examples).map(([q, meaning]) => (
            <div>
              <dt>
                <a href={page.linkToSearch({ q })} rel="nofollow">
                  <code>{q}</code>
                </a>
              </dt>
              <dd>{meaning}</dd>
            </div>
          ))}
        </dl>
        <p>{t.folding}</p>
        <p>
          <a href={page.linkToFile(DOCS_PATH)}>{t.allFields}</a>
        </p>
      </main>
    ),
  });
}
