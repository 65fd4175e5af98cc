import { createHash } from 'node:crypto';
import type { RenderedRecord } from '../render/render-record.ts';

/** Characters of a digest: 132 bits. */
export const DIGEST_LENGTH = 22;

/**
 * What a record says of itself, in every language, and which records it embeds, in short: it differs where any of
 * that differs. What the embedded records say is not in it.
 *
 * @param isServed tells which of the embedded records are there
 */
export function recordDigest(
  { texts, embeds }: RenderedRecord,
  isServed: (kind: RenderedRecord['embeds'][number]['kind'], uuid: string) => boolean,
): string {
  const hash = createHash('sha256');
  for (const { text } of texts) hash.update(text).update('\n');
  for (const { kind, uuids } of embeds) {
    hash.update(`${kind} ${uuids.filter((uuid) => isServed(kind, uuid)).join(' ')}\n`);
  }
  return hash.digest('base64url').slice(0, DIGEST_LENGTH);
}
