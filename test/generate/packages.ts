import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';

const rootSchema = z.looseObject({
  version: z.string(),
  license: z.string(),
  author: z.string(),
  repository: z.object({ type: z.string(), url: z.string() }),
  engines: z.object({ node: z.string() }),
});

/** A package.json, as far as it is read here. */
interface Manifest {
  private?: boolean;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
}

/** The order of the first fields of a package.json; others follow as they are. */
const FIRST = {
  ...{ name: 0, version: 0, private: 0, description: 0, keywords: 0, homepage: 0, bugs: 0, repository: 0 },
  ...{ license: 0, author: 0, engines: 0, publishConfig: 0 },
};

/** The package.json of the repository: the one place of what all packages share. */
export type Root = z.infer<typeof rootSchema> & { address: string };

/** Reads the package.json of the repository, whose `address` is that of its page on the web. */
export function readRoot(folder: string): Root {
  const root = rootSchema.parse(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')));
  return { ...root, address: root.repository.url.replace(/^git\+|\.git$/g, '') };
}

/** The package.json of each workspace, by path, with the fields that all packages share. */
export function generatePackages(folder: string, root: Root): [path: string, text: string][] {
  const paths = globSync(['{apps,packages}/*/package.json', 'test/package.json'], { cwd: folder });
  return paths.map((path) => {
    const own: Manifest = JSON.parse(readFileSync(join(folder, path), 'utf8'));
    const { version, license, author, engines } = root;
    const ofRelease = (ranges: Record<string, string>) =>
      Object.fromEntries(
        Object.entries(ranges).map(([name, range]) => [
          name,
          name.startsWith('@archiefkast/') ? version : range,
        ]),
      );
    const published = {
      author,
      homepage: `${root.address}#readme`,
      bugs: `${root.address}/issues`,
      repository: { ...root.repository, directory: dirname(path) },
      engines,
      publishConfig: { access: 'public', provenance: true },
    };
    const fields = {
      ...FIRST,
      ...own,
      version,
      license,
      ...(own.dependencies && { dependencies: ofRelease(own.dependencies) }),
      ...(own.devDependencies && { devDependencies: ofRelease(own.devDependencies) }),
      ...(!own.private && published),
    };
    return [path, `${JSON.stringify(fields, (_key, value) => (value === 0 ? undefined : value), 2)}\n`];
  });
}

/** CITATION.cff: how to cite the program. */
export function generateCitation({ version, license, author, address }: Root): string {
  return [
    'cff-version: 1.2.0',
    'message: If you publish or harvest an archive with Archiefkast, please cite it as below, and the archive by its own licence.',
    'type: software',
    'title: Archiefkast',
    'abstract: Publishes a historical research archive on the web as JSON and pages, and harvests it completely and verifiably.',
    `authors:\n  - name: ${author}`,
    `version: ${version}`,
    `license: ${license}`,
    `repository-code: ${address}`,
    'keywords: [archives, cultural heritage, digital humanities, open data, linked data]\n',
  ].join('\n');
}
