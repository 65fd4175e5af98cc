import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

/** Data within scripts, by the package that it is taken from at build time. */
const DATA = {
  'world-atlas': 'The outline of the land in it is made of Natural Earth, which is in the public domain.',
};

/** The notices of what pages of the archive serve: every package in their scripts and styles, with its licence. */
export async function generateNotices(folder: string): Promise<string> {
  const assets = join(folder, 'packages/site/assets');
  const { metafile } = await build({
    absWorkingDir: folder,
    entryPoints: ['docs.ts', 'map.ts', 'site.ts', 'docs.css', 'map.css', 'site.css'].map((name) =>
      join(assets, name),
    ),
    bundle: true,
    write: false,
    metafile: true,
    outdir: 'out',
    external: ['*.png'],
    logLevel: 'error',
  });
  const bundled = Object.keys(metafile.inputs).map(
    (path) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? '',
  );
  const names = [...new Set([...bundled, ...Object.keys(DATA)])].filter((name) => name !== '').sort();
  const sections = names.map((name) => sectionOf(folder, name));
  return [
    '# Notices',
    'The pages that `archive-api` serves contain these works of others, in `/assets/`. The packages that the programs load are not in this list: each brings its own licence.',
    ...sections,
  ].join('\n\n');
}

function sectionOf(folder: string, name: string): string {
  const own = join(folder, 'node_modules', name);
  const { version, license } = JSON.parse(readFileSync(join(own, 'package.json'), 'utf8'));
  const texts = globSync('{LICENSE,NOTICE,*es-bundle.js.LICENSE.txt}*', { cwd: own }).sort();
  const [, data] = Object.entries(DATA).find(([of]) => of === name) ?? [];
  return [
    `## ${name} ${version} (${license})\n`,
    ...(data ? [`${data}\n`] : []),
    ...texts.map(
      (path) => `\`\`\`\n${readFileSync(join(own, path), 'utf8').replaceAll('\r', '').trim()}\n\`\`\`\n`,
    ),
  ].join('\n');
}
