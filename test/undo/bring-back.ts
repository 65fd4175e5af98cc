import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Fault } from './read-faults.ts';
import { runGuards, type TestOutcome } from './run-guards.ts';

/** Whether the guard of a fault saw it, and the message of its failure, or why it did not. */
export interface Seen {
  isSeen: boolean;
  how: string;
}

/** Failures of an edit that does not fit the code around it. */
const BROKEN = /^(?:ReferenceError|TypeError: .* is not (?:a function|a constructor|iterable))/;

/**
 * Runs the guards of faults as they are, each as when its fault is back: without the other tests of its file.
 *
 * @returns the faults whose guard does not pass, and so sees nothing, with why
 */
export async function findFailing(faults: readonly Fault[], copy: string): Promise<Map<Fault, string>> {
  const byFile = Map.groupBy(faults, ({ guard: [file] }) => file);
  const names = [...byFile.values()].map((ofFile) => [
    ...new Map(ofFile.map((one) => [one.guard[1], one])).values(),
  ]);
  const outcomes: TestOutcome[] = [];
  for (let round = 0; names.some(({ length }) => length > round); round += 1) {
    const guards = names.flatMap((ofFile) => ofFile.slice(round, round + 1).map(({ guard }) => guard));
    outcomes.push(...(await runGuards(guards, copy)));
  }
  return new Map(
    faults.flatMap((fault) => {
      const own = outcomes.filter(isGuardOf(fault));
      const failed = own.find(({ status }) => status === 'failed');
      if (failed) return [[fault, `fails as it is: ${failed.name}: ${firstLine(failed.failures[0])}`]];
      return wasRun(own) ? [] : [[fault, NOT_RUN]];
    }),
  );
}

/** Brings a fault back in a copy, runs its guard, and takes the fault away again. */
export async function bringBack(fault: Fault, copy: string): Promise<Seen> {
  const originals = new Map<string, string>();
  for (const [file, text, replacement] of fault.undo) {
    const path = join(copy, file);
    const before = readFileSync(path, 'utf8');
    if (!originals.has(path)) originals.set(path, before);
    writeFileSync(
      path,
      before.replace(text, () => replacement),
    );
  }
  try {
    const outcomes = await runGuards([fault.guard], copy, { bail: true });
    const own = outcomes.filter(isGuardOf(fault));
    const failures = own.flatMap((outcome) => outcome.failures);
    if (failures.length === 0) return { isSeen: false, how: wasRun(own) ? 'its guard passes' : NOT_RUN };
    const how = firstLine(failures.find((failure) => !BROKEN.test(failure)) ?? failures[0]);
    return { isSeen: !BROKEN.test(how), how };
  } catch (error) {
    return { isSeen: false, how: error instanceof Error ? error.message : String(error) };
  } finally {
    for (const [path, before] of originals) writeFileSync(path, before);
  }
}

/** What is said of a guard that did not run, as when the set-up of its file fails. */
const NOT_RUN = 'its guard was not run';

function wasRun(own: readonly TestOutcome[]): boolean {
  return own.some(({ status }) => status === 'passed');
}

function isGuardOf({ guard: [file, name] }: Fault): (outcome: TestOutcome) => boolean {
  return (outcome) => outcome.file === file && outcome.name.includes(name);
}

function firstLine(message = ''): string {
  return message.split('\n', 1)[0] ?? '';
}
