import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Fault } from './fault.ts';

/** What is wrong with a table of faults, a sentence each: ids that stand twice, edits and tests that are not found. */
export function checkFaults(faults: readonly Fault[], root: string): string[] {
  const ids = new Set<string>();
  return faults.flatMap(({ id, guard: [guard, name], undo }) => {
    const wrong: string[] = [];
    if (ids.has(id)) wrong.push(`${id}: expected an id that no other fault has`);
    ids.add(id);
    if (!read(root, guard).includes(name))
      wrong.push(`${id}: expected a test in ${guard} that is called ${JSON.stringify(name)}`);
    for (const [file, text] of undo) {
      const times = read(root, file).split(text).length - 1;
      if (times !== 1) wrong.push(`${id}: expected this text once in ${file}, not ${times} times:\n${text}`);
    }
    return wrong;
  });
}

function read(root: string, file: string): string {
  const path = join(root, file);
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
}
