import type { Language } from '@archiefkast/types';
import { renderPage } from '../layout/layout.tsx';
import { linkTo, type PageContext } from '../layout/page-context.ts';

const TEXTS = {
  en: {
    title: 'This page is not here',
    text: 'There is nothing at this address.',
    nearest: 'Perhaps you were looking for',
    home: 'To the front page',
  },
  nl: {
    title: 'Deze pagina is er niet',
    text: 'Op dit adres is niets.',
    nearest: 'Misschien zocht u',
    home: 'Naar de voorpagina',
  },
} as const satisfies Record<Language, Record<string, string>>;

/** What a reader sees at an address that leads nowhere: `nearest` is the path of the right one that is most like it. */
export function notFoundPage(page: PageContext, nearest: string | undefined): string {
  const texts = TEXTS[page.language];
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
            {texts.nearest} <a href={linkTo(page, nearest)}>/{nearest}</a>
          </p>
        )}
        <p>
          <a href={linkTo(page, '')}>{texts.home}</a>
        </p>
      </main>
    ),
  });
}
