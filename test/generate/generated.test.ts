import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { generateAll, ROOT } from './generated.ts';

test.each(await generateAll())('%s is what `npm run generate` writes', (path, text) => {
  const file = join(ROOT, path);
  expect(existsSync(file) ? readFileSync(file, 'utf8') : 'no file').toBe(text);
});
