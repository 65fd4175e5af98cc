import type { ArchiveRecord, Kind } from '@archiefkast/types';

/** The content of the documentation: the endpoints of the API, and facts about the served archive. */
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
  /** With `{lang}` and other placeholders for segments. */
  path: string;
  name: string;
  description: string;
  group: string;
  contentType: string;
  /** Whether it is a file, which supports range requests. */
  isFile: boolean;
  parameters: readonly DocsParameter[];
  /** Names of its possible problems. */
  problems: readonly string[];
}

/** A parameter of an endpoint. */
export interface DocsParameter {
  name: string;
  place: 'path' | 'query';
  meaning: string;
  required: boolean;
  /** The valid values, if there are few. */
  choices?: readonly string[];
  /** The initial value of its input. */
  value?: string;
}

/** A field of `q`. */
export interface DocsSearchField {
  name: string;
  kinds: readonly Kind[];
  description: string;
  /** How a value is compared with the one in the query. */
  matching: string;
}

/** A kind of problem. */
export interface DocsProblem {
  name: string;
  status: number;
  title: string;
}

/** Facts about the served archive. */
export interface DocsArchive {
  edition: number;
  publishedAt: Date;
  counts: Readonly<Record<Kind, number>>;
  /** A record of each kind, if there is one. */
  examples: { readonly [kind in Kind]?: ArchiveRecord | undefined };
  /** Queries that have results in the archive. */
  queries: readonly { q: string; meaning: string }[];
}
