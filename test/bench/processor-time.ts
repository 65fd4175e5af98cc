import { readdirSync, readFileSync } from 'node:fs';

/** Milliseconds of a clock tick, the unit of CPU time in Linux. */
const TICK = 10;

/** A process as reported by the system. */
interface Shown {
  pid: number;
  parent: number;
  /** CPU time in user and system mode. */
  milliseconds: number;
}

/** CPU time of a process and its children so far, in milliseconds (Linux); 0 if the system does not report it. */
export function processorTime(pid: number): number {
  const all = readProcesses();
  const timeOf = (process: Shown): number =>
    all
      .filter(({ parent }) => parent === process.pid)
      .reduce((sum, child) => sum + timeOf(child), process.milliseconds);
  return all.filter((process) => process.pid === pid).reduce((sum, process) => sum + timeOf(process), 0);
}

function readProcesses(): Shown[] {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .flatMap((name) => readProcess(Number(name)));
  } catch {
    return [];
  }
}

/** The process; undefined if it has just ended. */
function readProcess(pid: number): Shown[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name of the program comes first, in parentheses, and can contain any character.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const milliseconds = (Number(fields[11]) + Number(fields[12])) * TICK;
    return [{ pid, parent: Number(fields[1]), milliseconds }];
  } catch {
    return [];
  }
}
