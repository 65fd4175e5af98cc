import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { openWorkbook } from '@archiefkast/formats';
import { beforeAll, expect, test } from 'vitest';
import { needs } from '../../support/programs.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { savedByLibreOffice } from './save-in-office.ts';

const DAYS = ['1526-02-19', '1582-10-04', '1582-10-15', '1590-03-05', '1672-08-20', '1901-01-01'];
const page = await readFile(fileURLToPath(new URL('../../../docs/cli.md', import.meta.url)), 'utf8');

/** The last block of code of the page in a language that reads what is known of dates. */
const blockOf = (language: string) =>
  page
    .split(`\`\`\`${language}\n`)
    .findLast((block) => block.includes('birth_date_known'))
    ?.split('```')[0] ?? '';

let folder: string;
beforeAll(async () => {
  folder = await temporaryFolder();
  await mkdir(join(folder, 'harvest'));
  const rows = DAYS.map((day, index) => `${index + 1},NA,${day},`);
  const lines = ['id,title,birth_date,birth_date_known', ...rows, '9,Mol,1650-01-01,1650~'];
  await writeFile(join(folder, 'harvest/persons.csv'), `${lines.join('\n')}\n`);
});

const run = async (program: string, ...args: string[]) =>
  (await promisify(execFile)(program, args, { cwd: folder })).stdout.trim().split('\n');

test(
  'pandas reads days before 1582 and after as docs/cli.md does, and the name NA',
  needs('/usr/lib/python3/dist-packages/pandas'),
  async () => {
    const code = `import pandas\n${blockOf('py')}\nprint(*persons['birth'], *persons['title'])`;
    const printed = (await run('/usr/bin/python3', '-c', code)).at(-1);
    expect(printed).toBe([...DAYS, '1650~', ...DAYS.map(() => 'NA'), 'Mol'].join(' '));
  },
);

test(
  'R reads days before 1582 and after as docs/cli.md does, and the name NA',
  needs('Rscript'),
  async () => {
    const code = `${blockOf('r')}\ncat("\\n", persons$birth, persons$title, sep = " ")`;
    const printed = (await run('Rscript', '-e', code)).at(-1)?.trim();
    expect(printed).toBe([...DAYS, '1650~', ...DAYS.map(() => 'NA'), 'Mol'].join(' '));
  },
);

test(
  'a workbook that LibreOffice makes by the filter of docs/cli.md has the days as they are',
  needs('soffice', 'bash'),
  async () => {
    const [, filter = ''] = /--infilter="([^`]*)"`/.exec(page) ?? [];
    const [written = ''] = await run('bash', '-c', `echo "${filter}"`);
    const { sheets, close } = await openWorkbook(
      await savedByLibreOffice(join(folder, 'harvest/persons.csv'), written),
    );
    try {
      const rows = await Array.fromAsync(sheets[0]?.rows() ?? []);
      expect(rows.slice(1, 1 + DAYS.length).map(({ cells }) => cells[2])).toEqual(DAYS);
    } finally {
      close();
    }
  },
);
