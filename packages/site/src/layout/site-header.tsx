import { LAYOUT_TEXTS, OTHER_LANGUAGE } from './layout-texts.ts';
import { linkTo, linkToAddress, linkToFile, type PageContext } from './page-context.ts';

/** What stands above every page: the name of the archive, and the ways from anywhere. */
export function SiteHeader({ page, translation }: { page: PageContext; translation: string | undefined }) {
  const texts = LAYOUT_TEXTS[page.language];
  const other = OTHER_LANGUAGE[page.language];
  const ways = [
    ...(page.hasPages ? [{ path: `${page.language}/zoeken/`, words: texts.search, link: linkTo }] : []),
    { path: `${page.language}/docs`, words: texts.documentation, link: linkToFile },
  ];
  return (
    <header class="site-header">
      <div class="wide">
        <a class="site-name" href={linkTo(page, `${page.language}/${page.hasPages ? '' : 'docs'}`)}>
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
