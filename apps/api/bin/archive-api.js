#!/usr/bin/env node
import { existsSync } from 'node:fs';

const main = new URL('../dist/main.js', import.meta.url);
if (existsSync(main)) {
  await (await import(main.href)).main('archive-api');
} else {
  process.stderr.write(
    'archive-api is not built: run `npm ci` in the checkout, which installs and builds it.\n',
  );
  process.exitCode = 1;
}
