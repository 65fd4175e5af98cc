import { htmlOfMarkdown } from '@archiefkast/formats/markdown';
import { readPage } from '@archiefkast/formats/markdown-page';
import { cleanHtml } from './clean-html.ts';
import { type Children, cleanMarkup } from './jsx-runtime.ts';
import { renderPage } from './layout.tsx';
import { withFocusableTables } from './long-text.ts';
import { HOME_PAGE } from './own-pages.ts';
import type { Page } from './page.ts';

/** A page of the archive itself, in the frame of the site; undefined if it has none of this name. */
export function ownPage(page: Page, name: string): string | undefined {
  const { archive, language, otherLanguage } = page;
  const pages = archive?.pages?.[language] ?? {};
  const markdown = name !== HOME_PAGE && Object.hasOwn(pages, name) ? pages[name] : undefined;
  if (markdown === undefined) return undefined;
  const { title = name } = readPage(markdown);
  return renderPage(page, {
    title: page.titled(title),
    description: title,
    translation: `${otherLanguage}/${name}/`,
    children: (
      <main id="main" class="wide">
        <h1>{title}</h1>
        {proseOf(page, markdown)}
      </main>
    ),
  });
}

/** The text that the archive has for its front page; nothing if it has none. */
export function homeText(page: Page): Children {
  const markdown = page.archive?.pages?.[page.language][HOME_PAGE];
  return markdown && proseOf(page, markdown);
}

/** The text of a page below its title, cleaned as the texts of records are, with pictures. */
function proseOf(page: Page, markdown: string): Children {
  const html = htmlOfMarkdown(readPage(markdown).text);
  const clean = withFocusableTables(cleanHtml(html, page.t, page.linkToAddress));
  return <div class="prose">{cleanMarkup(clean)}</div>;
}
