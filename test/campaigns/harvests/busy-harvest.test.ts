import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { startCli } from '../../faults/run-cli.ts';
import { ITSELF, startApi } from '../../support/api-server.ts';
import { writeBundle } from '../../support/fixture/fixture-bundle.ts';
import { uuidOf } from '../../support/fixture/names.ts';
import { peakMemory } from '../../support/memory.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** A register with its events at one church, each with two persons of its own. */
function register(events: number) {
  const location = { id: 1, uuid: uuidOf('location', 1), name_nl: 'Grote Kerk', city: 'Delft' };
  const person = Array.from({ length: 2 * events }, (_, index) => ({
    id: index + 1,
    uuid: uuidOf('person', index + 1),
    title_nl: `Jan ${index + 1} Jansen`,
    birth_date: '1650-01-01',
  }));
  const event = Array.from({ length: events }, (_, index) => ({
    id: index + 1,
    uuid: uuidOf('event', index + 1),
    name_nl: `Huwelijk ${index + 1}`,
    content_nl: `<p>Akte ${index + 1}: ${'tekst van de akte '.repeat(20)}</p>`,
    date: '1680-05-01',
    location: location.uuid,
    persons: [uuidOf('person', 2 * index + 2), uuidOf('person', 2 * index + 1)],
  }));
  return { location: [location], person, event };
}

/** Events, and the most seconds, megabytes of memory and megabytes on disk of a harvest to CSV and JSON Lines. */
const MOST: readonly [events: number, seconds: number, memory: number, disk: number][] = [
  [684, 20, 200, 10],
  [8_303, 60, 250, 80],
  [20_000, 150, 400, 200],
];

describe('a harvest of events at one place', () => {
  test.each(MOST)(
    '%i events: at most %i s, %i MB of memory and %i MB on disk',
    { timeout: 600_000 },
    async (events, seconds, memory, disk) => {
      const bundle = await writeBundle(await temporaryFolder(), register(events));
      const { baseUrl } = await startApi({ engine: 'sqlite', bundle, settings: { BASE_URL: ITSELF } });
      const out = await temporaryFolder();
      const began = performance.now();
      const harvest = startCli(['harvest', '--base-url', baseUrl, '--out', out, '--format', 'csv,jsonl']);
      let peak = 0;
      const sampling = setInterval(() => {
        peak = Math.max(peak, peakMemory(harvest.pid));
      }, 50);
      const { code, stderr } = await harvest.ended;
      clearInterval(sampling);
      const took = (performance.now() - began) / 1000;
      expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining('Every byte matches') });
      const files = await Promise.all((await readdir(out)).map((name) => stat(join(out, name))));
      const written = files.reduce((sum, { size }) => sum + size, 0) / 1e6;
      const figures = `${took.toFixed(1)} s, ${peak.toFixed(0)} MB, ${written.toFixed(0)} MB on disk`;
      process.stdout.write(`${events} events: ${figures}\n`);
      expect(took).toBeLessThan(seconds);
      expect(peak).toBeLessThan(memory);
      expect(written).toBeLessThan(disk);
    },
  );
});
