import { beforeAll, describe } from 'vitest';
import { startShared, type TestArchive } from './api-server.ts';

/**
 * Defines tests of the fixture archive on one engine; `contract/engines` compares the responses of both.
 *
 * @param body gets the archive, whose server runs only during the tests, not while they are defined
 */
export function describeFixture(name: string, body: (archive: () => TestArchive) => void): void {
  describe(name, () => {
    let archive: TestArchive;
    beforeAll(async () => {
      archive = await startShared('fixture', 'sqlite');
    });
    body(() => archive);
  });
}
