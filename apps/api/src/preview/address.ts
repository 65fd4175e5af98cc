import type { Config } from '../config.ts';

/** The base URL of the preview of an edition: who knows it sees the edition before it is served. */
export function previewBase({ baseUrl }: Pick<Config, 'baseUrl'>, { key }: { key: string }): string {
  return `${baseUrl}/preview/${key}`;
}
