import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createRandom } from '../../apps/api/testing/random.ts';
import { findBrowser, launchBrowser } from '../support/chromium.ts';
import type { Scene } from './drawing.ts';
import { globe, saturn } from './instruments.ts';
import { beemster, chariot } from './outdoors.ts';
import { clusius, huygens, merian, schurman, spinoza } from './portraits.ts';
import { printScene } from './print-scene.ts';
import { amsterdam, delft, leiden } from './towns.ts';

/** The pictures of the sample archive, by their paths. `node test/pictures/main.ts` draws them anew. */
const PICTURES: Readonly<Record<string, (random: () => number) => Scene>> = {
  'portraits/huygens.webp': huygens,
  'portraits/spinoza.webp': spinoza,
  'portraits/merian.webp': merian,
  'portraits/schurman.webp': schurman,
  'portraits/clusius.webp': clusius,
  'places/leiden.webp': leiden,
  'places/amsterdam.webp': amsterdam,
  'places/delft.webp': delft,
  'places/beemster.webp': beemster,
  'events/saturn.webp': saturn,
  'events/chariot.webp': chariot,
  'subjects/globe.webp': globe,
};

const MEDIA = fileURLToPath(new URL('../../apps/api/sample/media', import.meta.url));

const PRINT = { pitch: 5.4, width: 448, height: 560, quality: 0.36 };

const program = await findBrowser(process.env['PATH'] ?? '');
if (!program) throw new Error('pictures are drawn in a browser: expected one that starts here');
const browser = await launchBrowser(program);
const page = await browser.newPage();
for (const [name, draw] of Object.entries(PICTURES)) {
  const scene = draw(createRandom(7).number);
  const picture = Buffer.from(await page.evaluate(printScene, { ...scene, ...PRINT }), 'base64');
  const file = join(MEDIA, name);
  await mkdir(join(file, '..'), { recursive: true });
  await writeFile(file, picture);
  process.stdout.write(`${name} ${picture.length}\n`);
}
await browser.close();
