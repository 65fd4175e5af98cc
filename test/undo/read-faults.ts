import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The list of faults that were mended. */
export const LIST = 'test/faults.md';

/** A fault that was mended. */
export interface Fault {
  /** A short name. */
  id: string;
  /** The test that fails when the fault is back: its file, and a part of its full name that stands in the file. */
  guard: readonly [file: string, name: string];
  /** The edits that bring the fault back: text that occurs once in a file, and the text in its place. */
  undo: readonly (readonly [file: string, text: string, replacement: string])[];
}

/** Reads the entries of the list: a heading, what went wrong, its test, and edits in the form of a diff. */
export function readFaults(list: string): Fault[] {
  return list
    .split(/^### /m)
    .slice(1)
    .map((entry) => {
      const [, id = '', file = '', name = '', diff = ''] = ENTRY.exec(entry) ?? [];
      if (!id) throw new Error(`${LIST}: expected a fault, its test and its edits, not\n${entry}`);
      const undo = diff.split(/^--- /m).slice(1).map(readEdit);
      return { id, guard: [file, name], undo };
    });
}

const ENTRY = /^(\S+)\n\n.+\nTest: (\S+) > (.+)\n\n```diff\n(--- [\s\S]+?)^```$/m;

function readEdit(edit: string): Fault['undo'][number] {
  const [file = '', ...lines] = edit.split('\n');
  const textOf = (sign: string) =>
    lines
      .filter((line) => line.startsWith(sign))
      .map((line) => line.slice(1))
      .join('\n');
  return [file, textOf('-'), textOf('+')];
}

/** What is wrong with faults, a sentence each: ids that stand twice, edits and tests that are not found. */
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
