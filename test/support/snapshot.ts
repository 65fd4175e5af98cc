import { COLLECTIONS, KINDS } from '@archiefkast/types';
import type { ApiServer } from './api-server.ts';

/** First pages, inner pages and a search: enough to distinguish two archives, and a mix of both. */
export const SAMPLE_PATHS = [
  ...KINDS.flatMap((kind) => ['', '?page=2'].map((query) => `/en/api/${COLLECTIONS[kind]}${query}`)),
  '/nl/api/search?page=20',
  '/en/api/search?q=last_name:an',
];

/** The bodies of the sample pages, by path. */
export type Snapshot = ReadonlyMap<string, string>;

/** Takes the bodies of the sample pages. @throws Error if a response is not a success */
export async function takeSnapshot(api: Pick<ApiServer, 'fetch'>): Promise<Snapshot> {
  const bodies = new Map<string, string>();
  for (const path of SAMPLE_PATHS) {
    const response = await api.fetch(path);
    const text = await response.text();
    if (response.status !== 200) throw new Error(`${path}: ${response.status} ${text}`);
    bodies.set(path, text);
  }
  return bodies;
}
