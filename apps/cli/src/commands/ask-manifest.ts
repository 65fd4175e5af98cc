import { type ClientOptions, createClient, type ServedManifest } from '@archiefkast/client';

/**
 * The manifest of an edition, asked for while its pages are walked: an archive measures its dumps when it is first asked
 * for the manifest of an edition, which takes it a while.
 */
export class AskedManifest implements Disposable {
  readonly #options: ClientOptions;
  readonly #enough = new AbortController();
  #edition: string | undefined;
  #answer: Promise<ServedManifest | undefined> | undefined;

  constructor(options: ClientOptions) {
    this.#options = options;
  }

  /** Begins to ask. */
  ask(edition: string): void {
    const { signal } = this.#options;
    const enough = this.#enough.signal;
    const both = signal ? AbortSignal.any([signal, enough]) : enough;
    this.#edition = edition;
    // Whoever needs one that could not be had asks again, and is told why.
    this.#answer = manifestOf({ ...this.#options, signal: both }, edition).catch(() => undefined);
  }

  /** The manifest of an edition; undefined where the archive names no editions, or offers no manifest. */
  async find(edition: string | null): Promise<ServedManifest | undefined> {
    if (edition === null) return undefined;
    const asked = edition === this.#edition ? await this.#answer : undefined;
    return asked ?? manifestOf(this.#options, edition);
  }

  /** What was asked for is not needed any more. */
  [Symbol.dispose](): void {
    this.#enough.abort();
  }
}

async function manifestOf(options: ClientOptions, edition: string): Promise<ServedManifest | undefined> {
  const served = await createClient(options).manifest(edition);
  return served && String(served.manifest.edition.id) === edition ? served : undefined;
}
