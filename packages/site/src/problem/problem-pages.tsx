import { LANGUAGES, type Language } from '@archiefkast/types';
import { DOCS_PATH, LAYOUT_TEXTS, renderPage } from '../layout/layout.tsx';
import { linkTo, type PageContext } from '../layout/page-context.ts';

const NOT_FOUND_TEXTS = {
  en: {
    title: 'Page not found',
    text: 'There is no page at this address.',
    nearest: 'Did you mean',
    home: 'Go to the home page',
  },
  nl: {
    title: 'Pagina niet gevonden',
    text: 'Er is geen pagina op dit adres.',
    nearest: 'Bedoelde u',
    home: 'Naar de startpagina',
  },
} as const satisfies Record<Language, Record<string, string>>;

/** The page for an unknown address: `nearest` is the most similar valid path. */
export function notFoundPage(page: PageContext, nearest: string | undefined): string {
  const texts = NOT_FOUND_TEXTS[page.language];
  return renderPage({
    page,
    title: texts.title,
    description: texts.text,
    children: (
      <main id="main" class="narrow">
        <h1>{texts.title}</h1>
        <p class="lead">
          {texts.text} <code>/{page.path}</code>
        </p>
        {nearest !== undefined && (
          <p>
            {texts.nearest} <a href={linkTo(page, nearest)}>/{nearest}</a>?
          </p>
        )}
        <p>
          <a href={linkTo(page, '')}>{texts.home}</a>
        </p>
      </main>
    ),
  });
}

const ERROR_TEXTS = {
  en: { again: 'Try again', home: 'Go to the home page' },
  nl: { again: 'Probeer het opnieuw', home: 'Naar de startpagina' },
} as const satisfies Record<Language, Record<string, string>>;

/** The reason why there is no page. */
export interface PageError {
  status: number;
  title: string;
  detail: string;
  /** Whether the same address may work later. */
  canPass: boolean;
}

/** The page for an error. */
export function errorPage(page: PageContext, { status, title, detail, canPass }: PageError): string {
  const texts = ERROR_TEXTS[page.language];
  return renderPage({
    page,
    title,
    description: detail,
    isUnlisted: true,
    children: (
      <main id="main" class="narrow">
        <h1>
          {title} <span class={`status s${Math.floor(status / 100)}`}>{status}</span>
        </h1>
        <p class="lead">{detail}</p>
        <p>
          {canPass ? (
            <a href={linkTo(page, page.path)}>{texts.again}</a>
          ) : (
            <a href={linkTo(page, '')}>{texts.home}</a>
          )}
        </p>
      </main>
    ),
  });
}

/** A kind of problem, in both languages. */
export interface ProblemHelp {
  name: string;
  status: number;
  title: Readonly<Record<Language, string>>;
  help: Readonly<Record<Language, string>>;
}

/** The page about a kind of problem, to which its `type` links: in English and in Dutch. */
export function problemPage(page: PageContext, { name, status, title, help }: ProblemHelp): string {
  const { documentation, problems } = LAYOUT_TEXTS[page.language];
  return renderPage({
    page,
    title: title[page.language],
    description: help[page.language],
    children: (
      <main id="main" class="narrow">
        <p class="small">
          <a href={linkTo(page, DOCS_PATH)}>{documentation}</a> /{' '}
          <a href={linkTo(page, `${DOCS_PATH}#problems`)}>{problems}</a> / <code>{name}</code>
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
