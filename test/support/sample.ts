import { fileURLToPath } from 'node:url';

/** The sample archive. */
export const SAMPLE = fileURLToPath(new URL('../../apps/api/sample', import.meta.url));

/** The pictures of the sample archive. */
export const SAMPLE_MEDIA = fileURLToPath(new URL('../../apps/api/sample/media', import.meta.url));
