import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';

/** The modules that a module of this package needs at run time, itself included, and the packages that they import. */
async function dependenciesOf(
  entry: URL,
  found: { modules: Set<string>; packages: Set<string> } = { modules: new Set(), packages: new Set() },
) {
  found.modules.add(entry.href);
  const source = await readFile(entry, 'utf8');
  for (const [, specifier = ''] of source.matchAll(/^(?:import|export)(?! type)[^;]*? from '([^']+)'/gm)) {
    if (!specifier.startsWith('.')) found.packages.add(specifier);
    else {
      const module = new URL(specifier, entry);
      if (!found.modules.has(module.href)) await dependenciesOf(module, found);
    }
  }
  return found;
}

test('the client uses no API that browsers lack', async () => {
  const { packages, modules } = await dependenciesOf(new URL('index.ts', import.meta.url));
  const ours = ['system/split-lines', 'types/kinds', 'types/links'].map((name) => `@archiefkast/${name}`);
  expect([...packages].toSorted()).toEqual([...ours, 'ky']);
  expect(modules.size).toBeGreaterThan(10);
});
