import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig, type ViteUserConfig } from 'vitest/config';
import type { Engine } from '../support/create-database.ts';

const path = (file: string) => fileURLToPath(new URL(file, import.meta.url));

/** Files that measure memory or how long something takes, or run many tests themselves: each runs alone. */
const ALONE = [
  'bench/bench',
  'crawl/busy-crawl',
  'harvests/busy-harvest',
  'harvests/busy-place',
  'hostile/all-at-once',
  'hostile/worst-queries',
  'mysql/mysql',
  'outages/deadlines',
  'outages/overload',
  'soak/soak',
  'switches/over-http',
].map((file) => path(`${file}.test.ts`));

/** The campaigns of a project, whose names it has as folders, on its engines. */
export function defineCampaigns(
  name: string,
  { folders, engines }: { folders: readonly string[]; engines: Engine[] },
): ViteUserConfig {
  const include = folders.map((folder) => path(`${folder}/**/*.test.ts`));
  const isIn = (file: string) =>
    folders.some((folder) => folder === '*' || file.startsWith(path(`${folder}/`)));
  return defineConfig({
    test: {
      name,
      testTimeout: 120_000,
      hookTimeout: 120_000,
      globalSetup: path('../support/global-setup.ts'),
      setupFiles: path('../support/setup.ts'),
      provide: { engines },
      projects: [
        {
          test: {
            name: 'in parallel',
            include,
            exclude: ALONE,
            maxWorkers: availableParallelism() + 1,
            sequence: { groupOrder: 1 },
          },
        },
        {
          test: {
            name: 'one at a time',
            include: ALONE.filter(isIn),
            maxWorkers: 1,
            sequence: { groupOrder: 2 },
          },
        },
      ],
    },
  });
}
