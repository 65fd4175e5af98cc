import { IIIF_TYPE } from '@archiefkast/formats/iiif';
import { KINDS, type Language, PAGE_SEGMENTS } from '@archiefkast/types';
import { type AssetName, assetPath, themePath } from './assets.ts';
import { type Children, cleanMarkup, toHtml } from './jsx-runtime.ts';
import { ownPagesOf } from './own-pages.ts';
import type { Page } from './page.ts';
import { searchForm } from './search-form.tsx';

export const DOCS_PATH = 'en/docs';

/** The parts of a page. */
export interface PageParts {
  title: string;
  /** A sentence for search engines and previews. */
  description: string;
  /** Path of the same page in the other language; missing if there is none. */
  translation?: string;
  /** Query of its canonical address and of that of its translation, with `?`, for a page that has one. */
  query?: string;
  /** Besides the style sheet of every page. */
  styles?: readonly AssetName[];
  /** The script of pages, by default. */
  scripts?: readonly AssetName[];
  /** Absolute address of the same content as JSON. */
  json?: string;
  /** Absolute address of the IIIF manifest of its pictures. */
  manifest?: string;
  /** Preview for sharing (Open Graph); by default of a website with the title of the page. */
  preview?: { title: string; type: 'article' | 'profile'; image?: string } & Readonly<
    Partial<Record<`image:${'width' | 'height' | 'alt'}`, string | number | undefined>>
  >;
  /** The address that names its record. */
  about?: string;
  /** Elements of the head that are particular to the page. */
  metadata?: Children;
  /** Structured data (JSON-LD). */
  data?: Readonly<Record<string, unknown>>;
  /** Whether search engines should not index it. */
  isUnlisted?: boolean;
  /** Above the licence at the end of the page. */
  footer?: Children;
  /** Whether the header has no search field, because the page has one. */
  hasSearch?: boolean;
  children: Children;
}

/** A complete page as HTML. */
export function renderPage(page: Page, parts: PageParts): string {
  const { translation, footer, children } = parts;
  const { t, archive, original } = page;
  const licence = archive?.licence;
  const policies = policiesOf(page, parts.about);
  return `<!DOCTYPE html>${toHtml(
    <html lang={page.language}>
      {head(page, parts)}
      <body>
        <a class="skip" href="#main">
          {t.skip}
        </a>
        {siteHeader(page, translation && translation + page.query, parts.hasSearch)}
        {page.isPreview && <p class="preview wide">{t.preview}</p>}
        {archive?.note && (
          <aside class="wide" aria-label={t.contentNote}>
            {contentNote(page, archive.note)}
          </aside>
        )}
        {children}
        {(page.hasPages || footer || licence || original || policies.length > 0) && (
          <footer class="site-footer">
            <div class="wide">
              {footer}
              {original && (
                <p>
                  {t.copyOf} <a href={original.address}>{original.address}</a>,{' '}
                  {t.verifiedOn(original.verified_at.slice(0, 10))}
                </p>
              )}
              {page.hasPages && (
                <p>
                  <a href={page.link(`${page.language}/dataset/`)}>{t.data}</a>
                </p>
              )}
              {policies.length > 0 && (
                <p>
                  {policies.map(([address, words], at) => (
                    <>
                      {at > 0 && ' · '}
                      <a href={address}>{words}</a>
                    </>
                  ))}
                </p>
              )}
              {licence && (
                <p>
                  {t.licence}:{' '}
                  <a href={licence.url} rel="license noopener">
                    {licence.name}
                  </a>
                </p>
              )}
            </div>
          </footer>
        )}
      </body>
    </html>,
  )}`;
}

/** A content note: what readers should know before they read. */
export function contentNote({ language, t }: Page, note: Readonly<Record<Language, string>>) {
  return (
    <p class="content-note" role="note">
      <strong>{t.contentNote}:</strong> {note[language]}
    </p>
  );
}

/** What the archive promises, and whom to ask: addresses and words. @param about the address of the record that mail is about */
function policiesOf(
  { archive, language, t }: Page,
  about: string | undefined,
): [address: string, words: string][] {
  const { policy, accessibility, corrections, removal } = archive ?? {};
  const subject = about ? `?subject=${encodeURIComponent(about)}` : '';
  const known = [
    [policy?.[language], t.policy],
    [accessibility?.[language], t.accessibility],
    [corrections && `mailto:${corrections}${subject}`, t.corrections],
    [removal && `mailto:${removal}${subject}`, t.removal],
  ] as const;
  return known.flatMap(([address, words]) => (address ? [[address, words]] : []));
}

function head(page: Page, parts: PageParts) {
  const {
    title,
    description,
    query = '',
    styles = [],
    scripts = ['site.js'],
    json,
    manifest,
    preview,
    data,
  } = parts;
  const { archive } = page;
  // Search engines index the served edition only.
  const isUnlisted = parts.isUnlisted || page.edition !== undefined || page.isPreview;
  const asset = (name: AssetName) => page.linkToFile(assetPath(name));
  const openGraph = {
    title,
    type: 'website',
    url: page.inEdition(`${page.baseUrl}/${page.path}${query}`),
    description,
    locale: page.language === 'nl' ? 'nl_NL' : 'en_GB',
    site_name: page.archiveName,
    ...preview,
  };
  return (
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <title>{title}</title>
      <meta name="description" content={description} />
      <meta name="color-scheme" content="light dark" />
      {isUnlisted && <meta name="robots" content="noindex" />}
      {(['site.css', ...styles] as const).map((style) => (
        <link rel="stylesheet" href={asset(style)} />
      ))}
      {archive?.colours && <link rel="stylesheet" href={page.linkToFile(themePath(archive.colours))} />}
      <link rel="icon" href={asset('icon.svg')} type="image/svg+xml" />
      {!isUnlisted && addresses(page, parts)}
      {page.hasPages && (
        <link
          rel="alternate"
          type="application/atom+xml"
          href={page.linkToFile(`${page.language}/feed.atom`)}
        />
      )}
      {page.hasPages && (
        <link
          rel="collection"
          type="application/json"
          href={page.linkToFile(`${page.language}/api/dump/manifest.json`)}
        />
      )}
      {json && <link rel="alternate" type="application/json" href={json} />}
      {manifest && <link rel="alternate" type={IIIF_TYPE} href={manifest} />}
      {Object.entries(openGraph).map(
        ([name, content]) => content && <meta property={`og:${name}`} content={String(content)} />,
      )}
      <meta name="twitter:card" content={preview?.image ? 'summary_large_image' : 'summary'} />
      {parts.metadata}
      {scripts.map((script) => (
        <script src={asset(script)} defer />
      ))}
      {data && (
        // `<` is escaped, so that the data cannot end its element.
        <script type="application/ld+json">
          {cleanMarkup(JSON.stringify(data).replaceAll('<', '\\u003c'))}
        </script>
      )}
    </head>
  );
}

/** The addresses of the page in both languages. */
function addresses(page: Page, { translation, query = '' }: PageParts) {
  if (translation === undefined) return null;
  const own = `${page.canonical}/${page.path}${query}`;
  const other = `${page.canonical}/${translation}${query}`;
  return (
    <>
      <link rel="canonical" href={own} />
      <link rel="alternate" hreflang={page.language} href={own} />
      <link rel="alternate" hreflang={page.otherLanguage} href={other} />
      <link rel="alternate" hreflang="x-default" href={page.language === 'en' ? own : other} />
    </>
  );
}

/** The header of every page: the name of the archive, the search field, and the main menu below them. */
function siteHeader(page: Page, translation: string | undefined, hasSearch = !page.hasPages) {
  const { language, t, otherLanguage, archive } = page;
  const lists = KINDS.map((kind) => [`${language}/${PAGE_SEGMENTS[kind]}/`, t.kinds[kind].many] as const);
  const own = ownPagesOf(page).map(({ name, title }) => [`${language}/${name}/`, title] as const);
  const pages = page.hasPages ? [[`${language}/zoeken/`, t.search] as const, ...lists, ...own] : [];
  const entry = (path: string, link: string, words: string) => (
    <li>
      <a href={link} {...(path === page.path && { 'aria-current': 'page' as const })}>
        {words}
      </a>
    </li>
  );
  return (
    <header class="site-header">
      <div class="wide">
        <a class="site-name" href={page.link(page.hasPages ? `${language}/` : DOCS_PATH)}>
          {archive?.logo && (
            <img class="logo" src={page.linkToAddress(archive.logo)} alt="" width="64" height="36" />
          )}
          {page.name}
        </a>
        {!hasSearch && searchForm(page)}
        <nav aria-label={t.mainMenu}>
          <ul>
            {pages.map(([path, words]) => entry(path, page.link(path), words))}
            {entry(DOCS_PATH, page.linkToFile(DOCS_PATH), t.documentation)}
            {translation !== undefined && (
              <li>
                <a
                  href={page.link(translation)}
                  lang={otherLanguage}
                  hreflang={otherLanguage}
                  rel="alternate"
                >
                  {t.otherLanguage}
                </a>
              </li>
            )}
          </ul>
        </nav>
      </div>
    </header>
  );
}
