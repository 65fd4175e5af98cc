import { LANGUAGES, type Language } from '@archiefkast/types';
import { renderPage } from '../layout/layout.tsx';
import { LAYOUT_TEXTS } from '../layout/layout-texts.ts';
import { linkTo, type PageContext } from '../layout/page-context.ts';

/** A kind of problem, in both languages. */
export interface ProblemHelp {
  name: string;
  status: number;
  title: Readonly<Record<Language, string>>;
  help: Readonly<Record<Language, string>>;
}

/** The help page of a kind of problem, to which its `type` leads: in English and in Dutch. */
export function problemPage(page: PageContext, { name, status, title, help }: ProblemHelp): string {
  const { documentation, problems } = LAYOUT_TEXTS[page.language];
  return renderPage({
    page,
    title: title[page.language],
    description: help[page.language],
    children: (
      <main id="main" class="narrow">
        <p class="small">
          <a href={linkTo(page, `${page.language}/docs`)}>{documentation}</a> /{' '}
          <a href={linkTo(page, `${page.language}/docs#problems`)}>{problems}</a> / <code>{name}</code>
        </p>
        <h1>
          {title[page.language]} <span class={`status s${Math.floor(status / 100)}`}>{status}</span>
        </h1>
        {LANGUAGES.map((language) => (
          <section key={language} lang={language}>
            {language !== page.language && <h2>{title[language]}</h2>}
            <p class="lead">{help[language]}</p>
          </section>
        ))}
      </main>
    ),
  });
}
