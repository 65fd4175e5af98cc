import type { Language } from '@archiefkast/types';

/** What the tools answer from: an archive that answers as its API does, over HTTP or within its own process. */
export interface AskedArchive {
  /** Without a final slash. */
  readonly baseUrl: string;
  /** Whether it answers no more than the contract promises: then there is search only. */
  readonly isBare: boolean;
  /**
   * The parsed body of the answer to a GET.
   *
   * @param path after the language, such as `/api/search`
   * @param parameters of the query; those that are undefined are absent
   * @throws ArchiveFault if the answer is a problem
   */
  read<Body>(language: Language, path: string, parameters: ReadParameters): Promise<Body>;
  /** The content notes of a record: that of the archive, and those of its subjects. @throws ArchiveFault if the answer is a problem */
  readNotes(language: Language, uuid: string, edition: string): Promise<readonly string[]>;
}

/** The parameters of a request. */
export type ReadParameters = Readonly<Record<string, string | undefined>>;

/** The query of an address with those that are present. */
export function queryOf(parameters: ReadParameters): URLSearchParams {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) query.set(name, value);
  return query;
}

/** What the archive says is wrong with a request: for the model, which can correct it. */
export class ArchiveFault extends Error {
  override name = 'ArchiveFault';
  /** A valid value, and valid queries that are near. */
  readonly advice: { expected?: string | undefined; corrections?: readonly string[] | undefined };

  constructor(detail: string, advice: ArchiveFault['advice'] = {}) {
    super(detail);
    this.advice = advice;
  }
}
