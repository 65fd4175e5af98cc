import type { Language } from '@archiefkast/types';
import { renderPage } from '../layout/layout.tsx';
import { linkTo, type PageContext } from '../layout/page-context.ts';

const TEXTS = {
  en: { again: 'Try again in a moment', home: 'To the front page' },
  nl: { again: 'Probeer het zo dadelijk opnieuw', home: 'Naar de voorpagina' },
} as const satisfies Record<Language, Record<string, string>>;

/** Why a reader does not get a page. */
export interface PageError {
  status: number;
  title: string;
  detail: string;
  /** Whether the same address may well have its page in a moment. */
  canPass: boolean;
}

/** What a reader sees in place of a page that cannot be made. */
export function errorPage(page: PageContext, { status, title, detail, canPass }: PageError): string {
  const texts = TEXTS[page.language];
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
