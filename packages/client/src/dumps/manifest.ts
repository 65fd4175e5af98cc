import type { Manifest } from '@archiefkast/types';
import { COLLECTIONS, type Kind } from '@archiefkast/types/kinds';
import { StatusError } from '../errors/request-errors.ts';
import { assertMatches } from '../request/assert-matches.ts';
import type { Request } from '../request/request.ts';
import { schemaOf, shapeOf } from '../shape/shapes.ts';

const manifestSchema = schemaOf<Manifest>(shapeOf('Manifest'));

/** A manifest, and its text as it came. */
export interface ServedManifest {
  manifest: Manifest;
  text: string;
}

/**
 * Reads the manifest of a text. Later servers may say more.
 *
 * @throws SyntaxError or MismatchError when it is none
 */
export function parseManifest(text: string): Manifest {
  const value: unknown = JSON.parse(text);
  assertMatches<Manifest>(manifestSchema, value, true);
  return value;
}

/** The dump with all records of a kind, one per line; undefined when a manifest names none. */
export function dumpOf(
  { files }: Pick<Manifest, 'files'>,
  kind: Kind,
): Manifest['files'][number] | undefined {
  return files.find(({ name }) => name === `${COLLECTIONS[kind]}.jsonl`);
}

/** How a manifest is asked for. */
export interface ManifestQuestion {
  url: string;
  signal: AbortSignal;
  /** How long the dumps may go on being prepared, in milliseconds. */
  patienceMs: number;
}

/**
 * Asks for a manifest, again and again while it is being prepared.
 *
 * @returns undefined when the server offers none
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
