import type { Kind } from '@archiefkast/types';
import type { Client } from '../create-client.ts';

/** Adds an edition to an address. */
export function withEdition(url: string, edition: string | null): string {
  if (edition === null) return url;
  const pinned = new URL(url);
  pinned.searchParams.set('edition', edition);
  return pinned.href;
}

/**
 * Finds the edition that walks can be pinned to: the server names it, and its `next` links keep it.
 *
 * @returns null if the server does not support that, or no kind has a second page
 */
export async function findEdition(
  client: Client,
  kinds: readonly Kind[],
  signal: AbortSignal,
): Promise<string | null> {
  for (const kind of kinds) {
    const list = client.records(kind);
    const edition = (await list.readPage(list.url, { signal }))?.edition;
    if (edition === undefined) return null;
    const pinned = await list.readPage(withEdition(list.url, edition), { signal });
    if (!pinned || pinned.next === null) continue;
    return new URL(pinned.next).searchParams.get('edition') === edition ? edition : null;
  }
  return null;
}
