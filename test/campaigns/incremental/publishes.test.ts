import { join } from 'node:path';
import { expect, test } from 'vitest';
import { publishHere } from '../../support/api-here.ts';
import { makeBundle } from '../../support/bundles.ts';
import { copyToEdit } from '../../support/edited-bundle.ts';
import { hashEdition, readTables } from '../../support/read-tables.ts';
import { createTestDatabase, describeEngines } from '../../support/test-database.ts';

const PUBLISHES = 30;

/** Two blocks of persons and of events. */
const RECORDS = 3_000;

describeEngines('small publishes in a row (%s)', (engine) => {
  test('store what one publish of the same bundle stores', { timeout: 600_000 }, async () => {
    const prepared = await createTestDatabase(engine);
    const generated = await makeBundle(prepared.folder, { records: RECORDS, seed: 3, busyPlace: 40 });
    const bundle = await copyToEdit(generated, join(prepared.folder, 'edited'), 11);
    await publishHere(prepared, bundle.folder);
    for (let edition = 2; edition <= PUBLISHES + 1; edition += 1) {
      await bundle.edit(1 + (edition % 7) * 3);
      await publishHere(prepared, bundle.folder);
      if (edition % 10 !== 1) continue;
      const fresh = await createTestDatabase(engine);
      await publishHere(fresh, bundle.folder);
      const [small, whole] = [await readTables(prepared), await readTables(fresh)];
      expect(hashEdition(small, edition), `edition ${edition}`).toBe(hashEdition(whole, 1));
      await fresh.drop();
    }
  });
});
