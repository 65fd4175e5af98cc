/** Types of negotiator 1; the published types are of an older release. */
declare module 'negotiator' {
  export default class Negotiator {
    constructor(request: { headers: Readonly<Record<string, string>> });
    /** The accepted types among `available`, best first. */
    mediaTypes(available: readonly string[]): string[];
    /** The accepted codings among `available`, best first; `preferred` breaks ties. */
    encodings(available: readonly string[], options: { preferred: readonly string[] }): string[];
  }
}
