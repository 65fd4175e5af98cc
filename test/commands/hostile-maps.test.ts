import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { runApiHere } from '../support/api-here.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const COUNT = 20_000;

/** The time limit of a map, in milliseconds of the processor: what takes a time that is not linear takes ten times as long. */
const MOST = 4_000;

const every = (write: (at: number) => string) => Array.from({ length: COUNT }, (_, at) => write(at)).join('');

/** Maps that took up to a minute, and how each is refused. */
const MAPS: Readonly<Record<string, readonly [map: string, fault: RegExp]>> = {
  'many aliases': [`sources: [&x a${', *x'.repeat(COUNT)}]`, /^map.yaml:1:\d+: put &x in quotes/m],
  'aliases of aliases': [
    `- &a x\n${every((at) => `- &a${at} [*a]\n`)}`,
    /^map.yaml:2:\d+: put \*a in quotes/m,
  ],
  'many keys': [every((at) => `k${at}: x\n`), /^map.yaml:1:1: k0: is not known here/m],
  'many keys that are lists': [every((at) => `? [k${at}]\n: x\n`), /^map.yaml:1:1: \[ k0 \]: is not known/m],
  'a deep list': ['['.repeat(COUNT), /^map.yaml:1:\d+: is nested too deeply/m],
  'a deep object': [`${'{a: '.repeat(COUNT)}`, /^map.yaml:1:\d+: is nested too deeply/m],
  'a long key': [`${'k'.repeat(500_000)}: x`, /^map.yaml:1:1: is not YAML/m],
  'too many bytes': [`# ${'x'.repeat(2 ** 20)}\n`, /^map.yaml: is larger than 1 MiB/m],
};

let folder: string;
beforeAll(async () => {
  folder = await temporaryFolder();
  await writeFile(join(folder, 'a.csv'), 'nr\n1\n');
});

test.each(Object.entries(MAPS))(
  'a map of %s is refused in a time that grows with its length',
  async (_name, [map, fault]) => {
    const path = join(folder, 'map.yaml');
    await writeFile(path, map);
    const from = process.cpuUsage();
    const args = ['import', join(folder, 'a.csv'), '--map', path, '--out', join(folder, 'out')];
    const { code, stderr } = await runApiHere(args);
    const { user, system } = process.cpuUsage(from);
    expect([code, stderr]).toEqual([1, expect.stringMatching(fault)]);
    expect((user + system) / 1_000).toBeLessThan(MOST);
  },
);
