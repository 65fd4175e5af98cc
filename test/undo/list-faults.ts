import type { Fault } from './fault.ts';

/** The list of faults for people, made of the table. */
export const LIST = 'test/faults.md';

/** A line for each fault: its name, what went wrong, and its guard. */
export function listFaults(faults: readonly Fault[]): string {
  const rows = faults.map(
    ({ id, was, guard: [file, name] }) => `| ${id} | ${cell(was)} | ${file} > ${cell(name)} |`,
  );
  return [
    '# Faults that were mended',
    '',
    'Each with the test that fails when its mending is undone, which `npm run undo -- NAME` shows. Written by',
    '`npm run undo -- --list` from the table in `test/undo/`.',
    '',
    '| name | what went wrong | test |',
    '|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}

function cell(text: string): string {
  return text.replaceAll('|', String.raw`\|`).replaceAll('<', '&lt;');
}
