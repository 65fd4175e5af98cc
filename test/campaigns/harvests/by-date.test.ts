import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { createRandom } from '../../../apps/api/testing/random.ts';
import { runApiHere, serveHere } from '../../support/api-here.ts';
import { settingsFor } from '../../support/api-process.ts';
import { makeBundle } from '../../support/bundles.ts';
import { openDatabase } from '../../support/database-of.ts';
import { copyToEdit } from '../../support/edited-bundle.ts';
import { harvestOai } from '../../support/oai-harvest.ts';
import { createTestDatabase, describeEngines } from '../../support/test-database.ts';

/** Changes in a row; fewer before a merge, on one engine. */
const CHANGES = inject('engines').length > 1 ? 120 : 20;

/** Records: those of several parts of a list. */
const RECORDS = 500;

const ARCHIVE = { title: { nl: 'Proef', en: 'Test' }, partial_dates: 'first-day' };

/** A harvester: after how many changes it comes back, and how it says since when. */
interface Harvester {
  each: number;
  since: (responseDate: string) => string;
  copy: ReadonlyMap<string, string>;
  responseDate: string;
}

describeEngines('harvesters by date (%s)', (engine) => {
  test('have what a full harvest has, whatever is published and rolled back', {
    timeout: 3_600_000,
  }, async () => {
    const prepared = await createTestDatabase(engine);
    const generated = await makeBundle(prepared.folder, { records: RECORDS, seed: 5, busyPlace: 40 });
    const bundle = await copyToEdit(generated, join(prepared.folder, 'edited'), 13);
    const describeArchive = (words: object) =>
      writeFile(join(bundle.folder, 'archive.json'), JSON.stringify({ ...ARCHIVE, ...words }));
    const run = async (...args: string[]) =>
      expect(await runApiHere(args, settingsFor(prepared))).toMatchObject({ code: 0 });
    const publish = () => run('publish', bundle.folder, '--keep', '4');
    await describeArchive({});
    await publish();
    const server = await serveHere(prepared);
    const database = openDatabase(prepared);
    const random = createRandom(17);

    /** Waits until the server serves what was published last. */
    const untilServed = async () => {
      const { edition } = await database('served').first('edition');
      const served = async () =>
        (await fetch(`${server.origin}/en/api/persons`)).headers.get('archive-edition');
      await expect.poll(served, { timeout: 30_000 }).toBe(String(edition));
    };
    const isBefore = async () => {
      const [, served, ...earlier] = await database('editions')
        .whereNotNull('served_at')
        .orderBy('id', 'desc')
        .pluck('id');
      return earlier.length > 0 && served !== undefined;
    };
    const change = async (number: number) => {
      const chance = random.below(10);
      if (chance === 0 && (await isBefore())) await run('rollback');
      else {
        if (chance === 1)
          await describeArchive({ publisher: { nl: `Uitgever ${number}`, en: `Publisher ${number}` } });
        else if (chance === 2)
          await describeArchive({ licence: { name: 'CC', url: `https://example.org/${number}` } });
        else await bundle.edit(1 + random.below(3));
        await publish();
      }
      await untilServed();
    };

    const day = (moment: string) => moment.slice(0, 10);
    const all = await harvestOai(server.origin);
    const harvesters: Harvester[] = [
      { each: 1, since: (moment: string) => moment },
      { each: 4, since: (moment: string) => moment },
      { each: 10, since: day },
    ].map((each) => ({ ...each, copy: all.received, responseDate: all.responseDate }));
    let [harvests, records, differences] = [0, 0, 0];
    for (let number = 1; number <= CHANGES; number += 1) {
      await change(number);
      for (const harvester of harvesters.filter(({ each }) => number % each === 0)) {
        const from = harvester.since(harvester.responseDate);
        // Of some, the list is of an edition that is not the served one when it ends.
        const isOvertaken = harvester.each > 1 && random.below(2) === 0;
        const pause = async () => {
          if (isOvertaken) await change(number);
        };
        const { received, responseDate } = await harvestOai(server.origin, { from, pause });
        const next = { from: harvester.since(responseDate) };
        const again = isOvertaken ? await harvestOai(server.origin, next) : undefined;
        harvester.copy = new Map([...harvester.copy, ...received, ...(again?.received ?? [])]);
        harvester.responseDate = again?.responseDate ?? responseDate;
        const now = await harvestOai(server.origin);
        for (const [identifier, record] of now.received)
          if (harvester.copy.get(identifier) !== record) differences += 1;
        harvests += 1;
        records += received.size;
        expect(differences, `differences after change ${number}, harvested from ${from}`).toBe(0);
      }
    }
    await database.destroy();
    await server.stop();
    process.stdout.write(
      `${engine}: ${CHANGES} changes, ${harvests} harvests by date of ${records} records: ${differences} differences\n`,
    );
  });
});
