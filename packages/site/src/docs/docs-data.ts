import type { ArchiveRecord, Kind } from '@archiefkast/types';

/** What the documentation tells: the endpoints of the API, and what is in the archive that is served. */
export interface DocsData {
  groups: readonly { name: string; description: string }[];
  endpoints: readonly DocsEndpoint[];
  searchFields: readonly DocsSearchField[];
  problems: readonly DocsProblem[];
  /** Undefined before anything is published. */
  archive: DocsArchive | undefined;
}

/** An endpoint. */
export interface DocsEndpoint {
  /** With `{lang}` and the like for segments. */
  path: string;
  name: string;
  description: string;
  group: string;
  contentType: string;
  /** Whether it is a file, of which parts can be asked for. */
  isFile: boolean;
  parameters: readonly DocsParameter[];
  /** Names of the problems that it answers with. */
  problems: readonly string[];
}

/** A parameter of an endpoint. */
export interface DocsParameter {
  name: string;
  place: 'path' | 'query';
  meaning: string;
  required: boolean;
  /** The values that it may have, where these are few. */
  choices?: readonly string[];
  /** What its field holds at first. */
  value?: string;
}

/** A field of `q`. */
export interface DocsSearchField {
  name: string;
  kinds: readonly Kind[];
  description: string;
  /** How a value is compared with the one asked for. */
  matching: string;
}

/** A kind of problem. */
export interface DocsProblem {
  name: string;
  status: number;
  title: string;
}

/** What the documentation shows of the archive that is served. */
export interface DocsArchive {
  edition: number;
  publishedAt: Date;
  counts: Readonly<Record<Kind, number>>;
  /** A record of each kind that has one. */
  examples: { readonly [kind in Kind]?: ArchiveRecord | undefined };
  /** Queries that find something in the archive. */
  queries: readonly { q: string; meaning: string }[];
}
