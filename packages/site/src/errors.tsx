import { LANGUAGES, type Language } from '@archiefkast/types';
import type { Children } from './jsx-runtime.ts';
import { DOCS_PATH, renderPage } from './layout.tsx';
import type { Page } from './page.ts';

/** The page for an unknown address: `nearest` is the most similar valid path. */
export function notFoundPage(page: Page, nearest: string | undefined): string {
  const { t } = page;
  return messagePage(page, t.notFound, t.notFoundLead, [
    <h1>{t.notFound}</h1>,
    <p class="lead">
      {t.notFoundLead} <code>/{page.path}</code>
    </p>,
    nearest !== undefined && (
      <p>
        {t.didYouMean} <a href={page.link(nearest)}>/{nearest}</a>?
      </p>
    ),
    linkTo(page, '', t.toHome),
  ]);
}

/** A kind of problem: its title, and its meaning in each language. */
export interface ProblemHelp extends Readonly<Record<Language, string>> {
  name: string;
  status: number;
  title: Readonly<Record<Language, string>>;
}

/** The page for a request that failed, which search engines should not index. */
export function errorPage(page: Page, help: ProblemHelp): string {
  const { language, t } = page;
  const [title, detail] = [help.title[language], help[language]];
  // A fault of the server may be over soon.
  const [next, words] = help.status >= 500 ? [page.path, t.again] : ['', t.toHome];
  const content = [
    statusHeading(title, help.status),
    <p class="lead">{detail}</p>,
    linkTo(page, next, words),
  ];
  return messagePage(page, title, detail, content, true);
}

/** The page about a kind of problem, to which its `type` links: in English and in Dutch. */
export function problemPage(page: Page, help: ProblemHelp): string {
  const { language, t } = page;
  const { name, status, title } = help;
  return messagePage(page, title[language], help[language], [
    <p class="small">
      <a href={page.link(DOCS_PATH)}>{t.documentation}</a> / {t.problems} / <code>{name}</code>
    </p>,
    statusHeading(title[language], status),
    LANGUAGES.map((each) => (
      <section lang={each}>
        {each !== language && <h2>{title[each]}</h2>}
        <p class="lead">{help[each]}</p>
      </section>
    )),
  ]);
}

function messagePage(page: Page, title: string, description: string, content: Children, isUnlisted = false) {
  const children = (
    <main id="main" class="narrow">
      {content}
    </main>
  );
  return renderPage(page, { title, description, isUnlisted, scripts: [], children });
}

function linkTo(page: Page, path: string, words: string) {
  return (
    <p>
      <a href={page.link(path)}>{words}</a>
    </p>
  );
}

function statusHeading(title: string, status: number) {
  return (
    <h1>
      {title} <span class="status">{status}</span>
    </h1>
  );
}
