import type { DumpBlocks, Manifest } from '@archiefkast/types';
import { COLLECTIONS, type Kind } from '@archiefkast/types/kinds';
import { StatusError } from '../errors/request-errors.ts';
import type { Schema } from '../request/assert-matches.ts';
import type { Request } from '../request/request.ts';

/** A manifest, and its text as received. */
export interface ServedManifest {
  manifest: Manifest;
  text: string;
}

/** A dump in JSON Lines as a manifest describes it. */
export interface OfferedDump {
  url: string;
  records: number;
  bytes: number;
  /** Hashes of its records. */
  blocks: DumpBlocks;
}

/** The dump of a kind as JSON lines; undefined if the manifest does not have it with the hashes of its records. */
export function dumpOf({ dumps = [] }: Manifest, kind: Kind): OfferedDump | undefined {
  const name = `${COLLECTIONS[kind]}.jsonl`;
  const { url, records, bytes, blocks } = dumps.find((each) => each.name === name) ?? {};
  if (url === undefined || records === undefined || bytes === undefined || !blocks) return undefined;
  return { url, records, bytes, blocks };
}

/** The dump of what records cannot say; undefined if the manifest has none. */
export function supplementOf({ dumps = [] }: Manifest) {
  const { url, bytes, sha256 } = dumps.find(({ name }) => name === 'supplement.jsonl') ?? {};
  return url === undefined || bytes === undefined || sha256 === undefined
    ? undefined
    : { url, bytes, sha256 };
}

/**
 * Requests a manifest.
 *
 * @returns undefined if the server offers none
 * @throws RequestError
 */
export async function readManifest(
  request: Request,
  schema: Schema<Manifest>,
  url: string,
  signal: AbortSignal,
): Promise<ServedManifest | undefined> {
  try {
    const expected = 'a manifest of dumps';
    const { body, text } = await request({ url, schema, expected, signal, lenient: true });
    return body && { manifest: body, text };
  } catch (error) {
    if (error instanceof StatusError && error.status < 500) return undefined;
    throw error;
  }
}
