import type { DumpBlocks, Manifest } from '@archiefkast/types';
import { COLLECTIONS, type Kind } from '@archiefkast/types/kinds';
import { StatusError } from '../errors/request-errors.ts';
import { assertMatches } from '../request/assert-matches.ts';
import type { Request } from '../request/request.ts';
import { schemaOf, shapeOf } from '../shape/shapes.ts';

const manifestSchema = schemaOf<Manifest>(shapeOf('Manifest'));

/** A manifest, and its text as received. */
export interface ServedManifest {
  manifest: Manifest;
  text: string;
}

/**
 * Parses a manifest. Unknown fields are accepted: later servers may add some.
 *
 * @throws SyntaxError or MismatchError if it is invalid
 */
export function parseManifest(text: string): Manifest {
  const value: unknown = JSON.parse(text);
  assertMatches<Manifest>(manifestSchema, value, true);
  return value;
}

/** A dump in JSON Lines as a manifest describes it. */
export interface OfferedDump {
  url: string;
  records: number;
  bytes: number;
  /** Hashes of its records. */
  blocks?: DumpBlocks | undefined;
  /** SHA-256 of its bytes, from a server or of an edition without blocks. */
  sha256?: string | undefined;
}

/** The dump of a kind as JSON lines; undefined if the manifest has none, or not its size. */
export function dumpOf({ dumps = [], files }: Manifest, kind: Kind): OfferedDump | undefined {
  const name = `${COLLECTIONS[kind]}.jsonl`;
  const dump = dumps.find((each) => each.name === name);
  if (dump?.bytes === undefined) return files.find((each) => each.name === name);
  return { ...dump, bytes: dump.bytes };
}

/** The dump of what records cannot say; undefined if the manifest has none. */
export function supplementOf({ dumps = [] }: Manifest): (OfferedDump & { sha256: string }) | undefined {
  const dump = dumps.find(({ name }) => name === 'supplement.jsonl');
  if (dump?.bytes === undefined || dump.sha256 === undefined) return undefined;
  return { ...dump, bytes: dump.bytes, sha256: dump.sha256 };
}

/** Options of a request for a manifest. */
export interface ManifestQuestion {
  url: string;
  signal: AbortSignal;
  /** Timeout for the preparation of dumps, in milliseconds. */
  patienceMs: number;
}

/**
 * Requests a manifest, repeatedly while an earlier release is preparing it.
 *
 * @returns undefined if the server offers none
 * @throws RequestError
 */
export async function readManifest(
  request: Request,
  { url, signal, patienceMs }: ManifestQuestion,
): Promise<ServedManifest | undefined> {
  const until = Date.now() + patienceMs;
  for (;;) {
    try {
      const expected = 'a manifest of dumps';
      const { body, text } = await request({ url, schema: manifestSchema, expected, signal, lenient: true });
      return body && { manifest: body, text };
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      if (error.status < 500) return undefined;
      if (error.status !== 503 || Date.now() > until) throw error;
    }
  }
}
