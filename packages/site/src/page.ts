import type { ImageSettings } from '@archiefkast/formats/image-service';
import type { Language } from '@archiefkast/types';
import { textsIn } from './texts.ts';

/** Tiles of a street map, instead of the outline of the land. */
export interface MapTiles {
  /** Address of a tile with `{z}`, `{x}` and `{y}`, and optionally `{s}` (a, b or c) and `{r}`. */
  template: string;
  /** The credit of the map. */
  credit: string;
  /** The link of the credit. */
  link: string | undefined;
}

/** The settings of all pages of a site. */
export interface SiteSettings extends ImageSettings {
  /** Base of the addresses that name records, unless the archive is a copy. */
  identityUrl: string;
  /** Whether the site has pages of records: a home page, search and so on. */
  hasPages: boolean;
  /** The tiles of maps; undefined for the outline of the land. */
  tiles: MapTiles | undefined;
  /** Whether it shows an edition that is not served yet, at an address of its own. */
  isPreview?: boolean | undefined;
}

/** What an archive says of itself. */
export interface ArchiveFacts {
  title?: Readonly<Record<Language, string>> | undefined;
  licence?: { name: string; url: string } | undefined;
  /** Address of the institution's logo. */
  logo?: string | undefined;
  /** The institution's own accent, instead of the default. */
  colours?: { light: string; dark: string } | undefined;
  /** Its content note. */
  note?: Readonly<Record<Language, string>> | undefined;
  /** Addresses of its policy on lasting addresses, and of its accessibility statement. */
  policy?: Readonly<Record<Language, string>> | undefined;
  accessibility?: Readonly<Record<Language, string>> | undefined;
  /** Mailboxes for corrections of records, and for those who want one removed. */
  corrections?: string | undefined;
  removal?: string | undefined;
  /** Its own pages as Markdown, by name. */
  pages?: Readonly<Record<Language, Readonly<Record<string, string>>>> | undefined;
}

/** A page of a site. */
export interface PageContext {
  language: Language;
  /** Its path below the base URL, without a leading slash: `en/docs`. */
  path: string;
  /** The query of its address with `?`, without the edition: its state, which it has in the other language too. */
  query?: string | undefined;
  /** The edition in its links, instead of the served one. */
  edition?: string | undefined;
  /** Absent before anything is published. */
  archive?: ArchiveFacts | undefined;
  /** Base of the addresses that name records, and of those of which these are derived. */
  naming: { identity: string; derivedFrom?: string | undefined };
  /** The archive of which this is a copy, and when that was verified (ISO 8601). */
  original?: { address: string; verified_at: string } | undefined;
}

const TEXTS = { en: textsIn('en'), nl: textsIn('nl') };

/** A page: its context, with the texts and links that its parts write. */
export type Page = ReturnType<typeof createPage>;

/** Creates a page. Its links are relative, so that pages work below any prefix. */
export function createPage(
  { baseUrl, picturesFolder, imageServer, hasPages, tiles, isPreview = false }: SiteSettings,
  { language, path, query = '', edition, archive, naming, original }: PageContext,
) {
  const t = TEXTS[language];
  const otherLanguage: Language = language === 'en' ? 'nl' : 'en';
  const root = '../'.repeat(path.split('/').length - 1) || './';
  /** An address in the edition of the page, if the page names one. */
  const inEdition = (address: string) =>
    edition === undefined ? address : `${address}${address.includes('?') ? '&' : '?'}edition=${edition}`;
  /** The name of the archive in the language of the page. */
  const archiveName = archive?.title?.[language];
  return {
    ...{
      baseUrl,
      hasPages,
      tiles,
      isPreview,
      language,
      otherLanguage,
      path,
      query,
      edition,
      archive,
      archiveName,
      t,
    },
    ...{ naming, original },
    /** Where smaller sizes and tiles of pictures are. */
    images: { baseUrl, picturesFolder, imageServer },
    /** Base of the addresses that search engines index, and that citations have. */
    canonical: original?.address ?? baseUrl,
    /** The name of the archive, or what it is. */
    name: archiveName ?? t.archive,
    /** The title of a page of the archive. */
    titled: (text: string) => [text, archiveName].filter(Boolean).join(' · '),
    /** A number as its readers write it. */
    number: (value: number) => value.toLocaleString(language),
    inEdition,
    /** A link to a path below the base URL, in the edition of the page. */
    link: (to: string) => root + inEdition(to),
    /** A link to a resource without editions: a static file, the documentation, the feed. */
    linkToFile: (to: string) => root + to,
    /** A link to an absolute address: relative if that is below the base URL. */
    linkToAddress: (address: string) =>
      address.startsWith(`${baseUrl}/`) ? root + address.slice(baseUrl.length + 1) : address,
    /** A link to the results of a search. */
    linkToSearch: (query: Query) => root + inEdition(`${language}/zoeken/?${new URLSearchParams(query)}`),
    /** A link to the same page with a query. */
    linkWith: (query: Query) =>
      `?${new URLSearchParams({ ...query, ...(edition !== undefined && { edition }) })}`,
  };
}

/** The parameters of an address, by name. */
export type Query = Readonly<Record<string, string>>;
