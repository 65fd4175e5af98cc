import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openWorkbook } from '@archiefkast/formats';
import { expect, test } from 'vitest';
import { needs } from '../../support/programs.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { savedByLibreOffice } from './save-in-office.ts';

const OFFICE = { timeout: 600_000, ...needs('soffice') };

/** All days of the Gregorian calendar until the end of 2100. */
function* calendar(): Generator<string> {
  const end = Date.UTC(2101, 0, 1);
  for (let time = Date.UTC(1582, 9, 15); time < end; time += 86_400_000) {
    yield new Date(time).toISOString().slice(0, 10);
  }
}

/** Reads CSV with commas, UTF-8: the first column as text, the second as a date that was typed as YYYY-MM-DD. */
const TEXT_AND_DATE = 'CSV:44,34,76,1,1/2/2/5';

test('every day that is typed in LibreOffice is read as that day', OFFICE, async () => {
  const file = join(await temporaryFolder(), 'days.csv');
  const days = [...calendar()];
  await writeFile(file, `text,date\n${days.map((day) => `${day},${day}\n`).join('')}`);
  const workbook = await openWorkbook(await savedByLibreOffice(file, TEXT_AND_DATE));
  const different: unknown[] = [];
  let read = 0;
  for await (const { number, cells } of workbook.sheets[0]?.rows() ?? []) {
    if (number === 1) continue;
    read += 1;
    const [text, date] = cells;
    if (text !== days[number - 2] || date !== text) different.push(cells);
  }
  workbook.close();
  expect(different).toEqual([]);
  expect(read).toBe(days.length);
});

test(
  'days before the Gregorian calendar, which LibreOffice counts in the Julian one, are faults',
  OFFICE,
  async () => {
    const file = join(await temporaryFolder(), 'early.csv');
    await writeFile(file, 'text,date\n1582-10-04,1582-10-04\n1500-02-29,1500-02-29\n');
    const workbook = await openWorkbook(await savedByLibreOffice(file, TEXT_AND_DATE));
    const dates = await Array.fromAsync(workbook.sheets[0]?.rows() ?? [], ({ cells }) => cells[1]);
    workbook.close();
    const fault = { fault: expect.stringContaining('out of range or before 15 October 1582') };
    expect(dates).toEqual(['date', fault, fault]);
  },
);
