import { join } from 'node:path';
import { generateBundle } from '../bench/generate-bundle.ts';

/** Generates a bundle of made-up records in `folder`, different ones for each seed. @returns the bundle's folder */
export async function makeBundle(
  folder: string,
  { records, seed, busyPlace = 0 }: { records: number; seed: number; busyPlace?: number },
): Promise<string> {
  const bundle = join(folder, `bundle-${records}-${seed}`);
  await generateBundle({ folder: bundle, records, seed, busyPlace });
  return bundle;
}
