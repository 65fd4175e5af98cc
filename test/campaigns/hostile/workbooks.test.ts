import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { processorTimeOfEnded } from '../../bench/processor-time.ts';
import { startProcess } from '../../support/api-process.ts';
import { peakMemory } from '../../support/memory.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { type AttackParts, writeAttack } from './workbook-attacks.ts';

/**
 * Limits for rejecting a workbook: CPU time in milliseconds, ten times what the slowest takes, and memory in megabytes.
 */
const MOST_TIME = 8_000;
const MOST_MEMORY = 300;

/** The timeout after which the program is killed. */
const PATIENCE = 100_000;

const M = 1_000_000;
const LONG = 'x'.repeat(250_000);
const xf = (times: number) => ['<cellXfs>', ['<xf numFmtId="164"/>', times], '</cellXfs>'] as const;

const ATTACKS: readonly (readonly [string, AttackParts, said: string])[] = [
  [
    'a number format of 7.5 MB of [',
    { styles: ['<numFmts><numFmt numFmtId="164" formatCode="', ['[', 7.5 * M], '"/></numFmts>', ...xf(1)] },
    'has a tag, comment or text of more than 1048576 characters in xl/styles.xml',
  ],
  [
    'rows padded to 16,384 cells',
    { rows: [['<row><c r="XFD2"><v>1</v></c></row>', 200_000]] },
    'has more than 10000000 cells in the workbook up to here, including empty ones before others',
  ],
  [
    'a DOCTYPE of 60 MB',
    { prolog: ['<!DOCTYPE a [', ['<!ENTITY a "b">', 4 * M], ']>'] },
    'persons: has a tag, comment or text of more than 1048576 characters in xl/worksheets/sheet0.xml',
  ],
  ['30,000,000 empty shared texts', { strings: [['<si/>', 30 * M]] }, 'has more than 2500000 shared texts'],
  [
    '300 MB of shared texts',
    { strings: [[`<si><t>${LONG}</t></si>`, 1200]] },
    'is more than 256 MB unzipped; a folder of CSV files has no size limit',
  ],
  [
    'a shared text of 250 kB in 250,000 cells',
    {
      strings: [`<si><t>${LONG}</t></si>`],
      rows: [['<row><c><v>1</v></c><c t="s"><v>0</v></c></row>', 250_000]],
    },
    'has more than 536870912 characters in the workbook up to here; expected a folder of CSV files',
  ],
  [
    '30,000,000 cells in a row',
    { rows: ['<row>', ['<c/>', 30 * M], '</row>'] },
    'persons, row 2: has a cell beyond column XFD, the last column of a sheet',
  ],
  [
    '30,000,000 cells in 3,000,000 rows',
    { rows: [[`<row>${'<c/>'.repeat(10)}</row>`, 3 * M]] },
    'has more than 10000000 cells in the workbook up to here',
  ],
  [
    'a cell of 480 MB',
    { rows: ['<row><c t="inlineStr"><is><t>', ['x', 480 * M], '</t></is></c></row>'] },
    'is more than 256 MB unzipped; a folder of CSV files has no size limit',
  ],
  [
    '20,000,000 nested elements',
    { after: [['<a>', 20 * M]] },
    'persons!A1: has elements nested deeper than 64 levels in xl/worksheets/sheet0.xml',
  ],
  [
    'an element of 40 MB of attributes',
    { rows: ['<row ', [' a=""', 8 * M], '/>'] },
    'persons!A1: has a tag, comment or text of more than 1048576',
  ],
  [
    '5,000,000 merged cells',
    { after: [['<mergeCell ref="A1:B1"/>', 5 * M]] },
    'persons!A1: has more than 10000000 cells in the workbook up to here',
  ],
  [
    '200 sheets that are one part',
    {
      more: {
        names: Array.from({ length: 200 }, (_, place) => `s${place}`),
        rows: [['<row/>', 1 * M]],
        isOnePart: true,
      },
    },
    's10, row 1: has more than 10000000 cells in the workbook up to here',
  ],
  [
    '100 sheets of empty rows',
    {
      more: {
        names: Array.from({ length: 100 }, (_, place) => `s${place}`),
        rows: [['<row/>', 500_000]],
        isOnePart: false,
      },
    },
    'is more than 256 MB unzipped; a folder of CSV files has no size limit',
  ],
];

let folder: string;
beforeAll(async () => {
  folder = await temporaryFolder();
});

/** Checks a workbook; kills the program after a timeout. */
async function measure(file: string) {
  const before = processorTimeOfEnded();
  const program = startProcess(['check', file], {});
  const began = performance.now();
  let memory = 0;
  let isOver = false;
  void program.ended.then(() => {
    isOver = true;
  });
  while (!isOver) {
    memory = Math.max(memory, peakMemory(program.pid));
    if (performance.now() - began > PATIENCE) program.kill('SIGKILL');
    await sleep(20);
  }
  return { ...(await program.ended), took: processorTimeOfEnded() - before, memory };
}

describe('hostile workbooks are rejected by name, fast and with little memory', () => {
  test.each(ATTACKS)('%s', { timeout: 240_000 }, async (name, attack, said) => {
    const file = await writeAttack(join(folder, 'attack.xlsx'), attack);
    const { size } = await stat(file);
    const { code, signal, stderr, stdout, took, memory } = await measure(file);
    process.stdout.write(
      `${name} (${Math.round(size / 1000)} kB): ${took} ms, ${Math.round(memory)} MB, ${signal ?? code}\n`,
    );
    expect(`${stdout}${stderr}`).toContain('attack.xlsx: ');
    expect(`${stdout}${stderr}`).toContain(said);
    expect(code).toBe(1);
    expect(took).toBeLessThan(MOST_TIME);
    expect(memory).toBeLessThan(MOST_MEMORY);
  });
});
