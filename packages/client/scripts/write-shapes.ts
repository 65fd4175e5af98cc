import { writeFileSync } from 'node:fs';
import { makeShapes } from '../testing/make-shapes.ts';

// Run by `npm run shapes`, after the schemas of @archiefkast/types have changed and are built.
writeFileSync(new URL('../src/shape/shapes.json', import.meta.url), `${JSON.stringify(makeShapes())}\n`);
