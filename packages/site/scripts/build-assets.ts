// Writes dist/assets: the styles and scripts of pages, bundled, their icons, and the outline of the land for maps.
import { copyFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build } from 'esbuild';
import './write-land.ts';

const options: BuildOptions = {
  absWorkingDir: fileURLToPath(new URL('../assets/', import.meta.url)),
  outdir: '../dist/assets',
  bundle: true,
  minify: true,
  target: 'es2022',
  logLevel: 'warning',
  loader: { '.ico': 'copy', '.svg': 'copy' },
  // Leaflet has pictures for controls that our maps do not have.
  external: ['*.png'],
};

await build({ ...options, format: 'iife', entryPoints: ['site.ts', 'pictures.ts'] });
// For pages of others: the elements load the client beside them.
const CLIENT = 'archive-client.js';
await build({
  ...options,
  format: 'esm',
  entryPoints: ['archive-widget.ts'],
  alias: { '@archiefkast/client': `./${CLIENT}` },
  external: [`./${CLIENT}`],
});
await copyFile(
  fileURLToPath(import.meta.resolve(`@archiefkast/client/${CLIENT}`)),
  fileURLToPath(new URL(`../dist/assets/${CLIENT}`, import.meta.url)),
);
await build({
  ...options,
  format: 'esm',
  entryPoints: [
    ...['docs.ts', 'map.ts', 'viewer.ts', 'map.css', 'viewer.css', 'site.css', 'card.css', 'docs.css'],
    ...['icon.svg', 'favicon.ico'],
  ],
});
