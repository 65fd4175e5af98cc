import { OTHER_LANGUAGE, renderPage } from '../layout/layout.tsx';
import { linkTo, linkToFile, type PageContext } from '../layout/page-context.ts';
import { FIND_TEXTS } from './find-texts.ts';
import { SearchForm } from './search-form.tsx';
import { type ExampleName, SEARCH_HELP_TEXTS } from './search-help-texts.ts';

/** A query that finds something in the archive. */
export interface SearchExample {
  name: ExampleName;
  q: string;
  count: number;
}

/** The page that explains queries, with examples from the archive. */
export function searchHelpPage(page: PageContext, examples: readonly SearchExample[]): string {
  const texts = SEARCH_HELP_TEXTS[page.language];
  return renderPage({
    page,
    title: [texts.title, page.archiveName].filter(Boolean).join(' · '),
    description: texts.lead,
    translation: `${OTHER_LANGUAGE[page.language]}/zoeken/hulp/`,
    styles: ['record.css', 'find.css'],
    scripts: ['suggest.js'],
    children: (
      <main id="main" class="wide find">
        <h1>{texts.title}</h1>
        <p class="lead">{texts.lead}</p>
        <SearchForm page={page} />
        <dl class="examples">
          {examples.map(({ name, q, count }) => (
            <div key={name}>
              <dt>
                <a href={linkTo(page, `${page.language}/zoeken/?${new URLSearchParams({ q })}`)}>
                  <code>{q}</code>
                </a>{' '}
                <span class="count">
                  {FIND_TEXTS[page.language].found(count, count.toLocaleString(page.language))}
                </span>
              </dt>
              <dd>{texts.examples[name]}</dd>
            </div>
          ))}
        </dl>
        <p>{texts.folding}</p>
        <p>
          <a href={linkToFile(page, 'en/docs#query')}>{texts.fields}</a>
        </p>
      </main>
    ),
  });
}
