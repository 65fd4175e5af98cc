/** What a citation of a page names. */
export interface CitedPage {
  title: string;
  archiveName: string | undefined;
  /** Named if it is not that of the archive. */
  publisher: string | undefined;
  /** With its number, in the language of the citation: "edition 7". */
  edition: string;
  /** When the edition was published. */
  day: string;
  /** Absolute. */
  address: string;
}

/** A citation as a sentence. */
export function citationText({ title, archiveName, publisher, edition, day, address }: CitedPage): string {
  const archive = archiveName ? `${archiveName}, ` : '';
  const by = publisher && publisher !== archiveName ? `${publisher}, ` : '';
  return `“${title}”, ${archive}${by}${edition} (${day}), ${address}.`;
}
