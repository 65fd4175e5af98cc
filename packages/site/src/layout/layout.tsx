import { KINDS, type Kind, type Language, PAGE_SEGMENTS } from '@archiefkast/types';
import { type Children, toHtml } from '#html/jsx-runtime';
import { type AssetName, assetPath, themePath } from '../assets.ts';
import { linkTo, linkToAddress, linkToFile, type PageContext } from './page-context.ts';

/** The texts around every page. */
export const LAYOUT_TEXTS = {
  en: {
    archive: 'Archive',
    skip: 'Skip to content',
    search: 'Search',
    kinds: { person: 'Persons', subject: 'Subjects', location: 'Locations', event: 'Events' },
    licence: 'Licence',
    documentation: 'For developers',
    otherLanguage: 'Nederlands',
    site: 'Main menu',
    problems: 'Errors',
  },
  nl: {
    archive: 'Archief',
    skip: 'Naar de inhoud',
    search: 'Zoeken',
    kinds: { person: 'Personen', subject: 'Onderwerpen', location: 'Locaties', event: 'Gebeurtenissen' },
    licence: 'Licentie',
    documentation: 'Voor ontwikkelaars',
    otherLanguage: 'English',
    site: 'Hoofdmenu',
    problems: 'Foutmeldingen',
  },
} as const satisfies Record<Language, Record<string, string | Readonly<Record<Kind, string>>>>;

/** The path of the documentation for developers, which is in English only. */
export const DOCS_PATH = 'en/docs';

/** The other language of the site. */
export const OTHER_LANGUAGE = { en: 'nl', nl: 'en' } as const satisfies Record<Language, Language>;

/** The properties of a page. */
export interface PageParts {
  page: PageContext;
  title: string;
  /** A sentence for search engines and previews. */
  description: string;
  /** Path of the same page in the other language; missing if there is none. */
  translation?: string;
  /** Query of both addresses, with `?`, for a page that has one. */
  query?: string;
  styles?: readonly AssetName[];
  scripts?: readonly AssetName[];
  /** Absolute address of the same content as JSON. */
  json?: string;
  /** Preview for sharing (Open Graph); by default of a website with the title of the page. */
  preview?: { title: string; type: 'article' | 'profile'; image?: string };
  /** Elements of the head that are particular to the page. */
  metadata?: Children;
  /** Structured data (JSON-LD). */
  data?: Readonly<Record<string, unknown>>;
  /** Whether search engines should not index it. */
  isUnlisted?: boolean;
  /** Above the licence at the end of the page. */
  footer?: Children;
  children: Children;
}

/** A complete page as HTML. */
export function renderPage(parts: PageParts): string {
  // Search engines index the served edition only.
  const isUnlisted = parts.isUnlisted || parts.page.edition !== undefined;
  return `<!DOCTYPE html>${toHtml(<Layout {...parts} isUnlisted={isUnlisted} />)}`;
}

function Layout(parts: PageParts) {
  const { page, translation, query = '', footer, children } = parts;
  return (
    <html lang={page.language}>
      <Head {...parts} />
      <body>
        <a class="skip" href="#main">
          {LAYOUT_TEXTS[page.language].skip}
        </a>
        <SiteHeader page={page} translation={translation && translation + query} />
        {children}
        {(footer || page.licence) && (
          <footer class="site-footer">
            <div class="wide">
              {footer}
              {page.licence && <Licence page={page} licence={page.licence} />}
            </div>
          </footer>
        )}
      </body>
    </html>
  );
}

function Head(parts: PageParts) {
  const { page, title, description, styles = [], scripts = [], json, data, isUnlisted } = parts;
  return (
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <title>{title}</title>
      <meta name="description" content={description} />
      <meta name="color-scheme" content="light dark" />
      {isUnlisted && <meta name="robots" content="noindex" />}
      {(['site.css', ...styles] as const).map((style) => (
        <link key={style} rel="stylesheet" href={linkToFile(page, assetPath(style))} />
      ))}
      {page.colours && <link rel="stylesheet" href={linkToFile(page, themePath(page.colours))} />}
      <link rel="icon" href={linkToFile(page, assetPath('icon.svg'))} type="image/svg+xml" />
      <Addresses {...parts} />
      {page.hasPages && (
        <link
          rel="alternate"
          type="application/atom+xml"
          href={linkToFile(page, `${page.language}/feed.atom`)}
        />
      )}
      {json && <link rel="alternate" type="application/json" href={json} />}
      <Preview {...parts} />
      {parts.metadata}
      {scripts.map((script) => (
        <script key={script} src={linkToFile(page, assetPath(script))} defer />
      ))}
      {data && <script type="application/ld+json" dangerouslySetInnerHTML={{ __html: escapeJson(data) }} />}
    </head>
  );
}

/** The addresses of the page in both languages. */
function Addresses({ page, translation, query = '', isUnlisted }: PageParts) {
  if (translation === undefined || isUnlisted) return null;
  const own = `${page.baseUrl}/${page.path}${query}`;
  const other = `${page.baseUrl}/${translation}${query}`;
  return (
    <>
      <link rel="canonical" href={own} />
      <link rel="alternate" hreflang={page.language} href={own} />
      <link rel="alternate" hreflang={OTHER_LANGUAGE[page.language]} href={other} />
      <link rel="alternate" hreflang="x-default" href={page.language === 'en' ? own : other} />
    </>
  );
}

function Preview({ page, title, description, preview }: PageParts) {
  return (
    <>
      <meta property="og:title" content={preview?.title ?? title} />
      <meta property="og:type" content={preview?.type ?? 'website'} />
      <meta property="og:url" content={`${page.baseUrl}/${page.path}`} />
      <meta property="og:description" content={description} />
      <meta property="og:locale" content={page.language === 'nl' ? 'nl_NL' : 'en_GB'} />
      {page.archiveName && <meta property="og:site_name" content={page.archiveName} />}
      {preview?.image && <meta property="og:image" content={preview.image} />}
      <meta name="twitter:card" content={preview?.image ? 'summary_large_image' : 'summary'} />
    </>
  );
}

/** JSON that cannot end its script element. */
function escapeJson(data: object): string {
  return JSON.stringify(data).replaceAll('<', '\\u003c');
}

function Licence({ page, licence }: { page: PageContext; licence: { name: string; url: string } }) {
  return (
    <p>
      {LAYOUT_TEXTS[page.language].licence}:{' '}
      <a href={licence.url} rel="license noopener">
        {licence.name}
      </a>
    </p>
  );
}

/** The header of every page: the name of the archive, and the main menu. */
function SiteHeader({ page, translation }: { page: PageContext; translation: string | undefined }) {
  const texts = LAYOUT_TEXTS[page.language];
  const other = OTHER_LANGUAGE[page.language];
  const ways = [
    ...(page.hasPages
      ? [
          { path: `${page.language}/zoeken/`, words: texts.search, link: linkTo },
          ...KINDS.map((kind) => ({
            path: `${page.language}/${PAGE_SEGMENTS[kind]}/`,
            words: texts.kinds[kind],
            link: linkTo,
          })),
        ]
      : []),
    { path: DOCS_PATH, words: texts.documentation, link: linkToFile },
  ];
  return (
    <header class="site-header">
      <div class="wide">
        <a class="site-name" href={linkTo(page, page.hasPages ? `${page.language}/` : DOCS_PATH)}>
          {page.logo !== undefined && (
            <img class="logo" src={linkToAddress(page, page.logo)} alt="" width="64" height="36" />
          )}
          {page.archiveName ?? texts.archive}
        </a>
        <nav aria-label={texts.site}>
          <ul>
            {ways.map(({ path, words, link }) => (
              <li key={path}>
                <a href={link(page, path)} {...(path === page.path && { 'aria-current': 'page' as const })}>
                  {words}
                </a>
              </li>
            ))}
            {translation !== undefined && (
              <li>
                <a href={linkTo(page, translation)} lang={other} hreflang={other} rel="alternate">
                  {texts.otherLanguage}
                </a>
              </li>
            )}
          </ul>
        </nav>
      </div>
    </header>
  );
}
