import { fileURLToPath } from 'node:url';
import { mergeConfig } from 'vitest/config';
import config from '../../vitest.config.ts';

/** The tests, whose processes write what they covered of the builds. */
export default mergeConfig(config, {
  test: {
    root: fileURLToPath(new URL('../..', import.meta.url)),
    setupFiles: [fileURLToPath(new URL('take-coverage.ts', import.meta.url))],
    // Loaded by Node, so that V8 knows the file.
    server: { deps: { external: [/\/dist\//] } },
  },
});
