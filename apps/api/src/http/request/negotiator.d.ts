/** The types of negotiator 1; the published ones are those of an older release. */
declare module 'negotiator' {
  export default class Negotiator {
    constructor(request: { headers: Readonly<Record<string, string>> });
    /** The codings among `available` that the client takes, best first; `preferred` decides between equals. */
    encodings(available: readonly string[], options: { preferred: readonly string[] }): string[];
    /** The one of `available` that the client likes best; undefined where it likes none. */
    language(available: readonly string[]): string | undefined;
  }
}
