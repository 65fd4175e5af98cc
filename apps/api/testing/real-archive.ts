import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** Folder of the bundle of Amsterdam, a real archive of 8,604 records; null where there is none. */
    realArchive: string | null;
  }
}

/** How a machine gets the tests on a real archive. */
export const HOW_TO_GET_REAL_ARCHIVE =
  'It is no part of the project: name the folder of its bundle in TEST_AMSTERDAM_BUNDLE.';

/** Beside the project, where the environment does not say. */
const BESIDE = fileURLToPath(new URL('../../../../shared/data/amsterdam', import.meta.url));

/** Finds the bundle for the whole run. @throws Error when the environment names a folder that is not there */
export function setup(project: TestProject): void {
  const named = process.env['TEST_AMSTERDAM_BUNDLE'];
  const folder = named || BESIDE;
  const exists = existsSync(folder);
  if (named && !exists) throw new Error(`TEST_AMSTERDAM_BUNDLE: there is no folder ${named}`);
  project.provide('realArchive', exists ? folder : null);
}
