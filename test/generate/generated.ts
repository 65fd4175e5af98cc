import { fileURLToPath } from 'node:url';
import { generateNotices } from './notices.ts';
import { generateCitation, generatePackages, readRoot } from './packages.ts';
import { generateReference } from './reference.ts';

/** The folder of the checkout. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Every generated file of the repository: its path, and what it should contain. */
export async function generateAll(): Promise<[path: string, text: string][]> {
  const root = readRoot(ROOT);
  return [
    ...generatePackages(ROOT, root),
    ['CITATION.cff', generateCitation(root)],
    ['packages/site/NOTICES.md', await generateNotices(ROOT)],
    ...(await generateReference(ROOT)),
  ];
}
