import type { HashedBytes } from '../proof/kind-content.ts';

/** What proves that a file is whole. */
export interface FileProof extends HashedBytes {
  name: string;
}
