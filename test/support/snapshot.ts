import { COLLECTIONS, KINDS } from '@archiefkast/types';
import type { ApiServer } from './api-server.ts';

/** Some paths: first pages, inner pages and a search: enough to distinguish two archives, and a mix of both. */
export const SAMPLE_PATHS: readonly string[] = [
  ...KINDS.flatMap((kind) => ['', '?page=2'].map((query) => `/en/api/${COLLECTIONS[kind]}${query}`)),
  '/nl/api/search?page=20',
  '/en/api/search?q=last_name:an',
];

/** Bodies, by path. */
export type Snapshot = ReadonlyMap<string, string>;

/** Takes the bodies of paths. @throws Error if a response is not a success */
export async function takeSnapshot(
  api: Pick<ApiServer, 'fetch'>,
  paths: readonly string[] = SAMPLE_PATHS,
): Promise<Snapshot> {
  const bodies = new Map<string, string>();
  for (const path of paths) {
    const response = await api.fetch(path);
    const text = await response.text();
    if (response.status !== 200) throw new Error(`${path}: ${response.status} ${text}`);
    bodies.set(path, text);
  }
  return bodies;
}
