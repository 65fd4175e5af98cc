import { hash } from 'node:crypto';
import type { RenderedRecord } from './render/render-record.ts';

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
  const said = texts.map(({ text }) => `${text}\n`);
  const embedded = embeds.map(
    ({ kind, uuids }) => `${kind} ${uuids.filter((uuid) => isServed(kind, uuid)).join(' ')}\n`,
  );
  return hash('sha256', [...said, ...embedded].join(''), 'base64url').slice(0, DIGEST_LENGTH);
}
