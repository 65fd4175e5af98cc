import { readdirSync, readFileSync } from 'node:fs';

/** Milliseconds of a tick of the system's clock, in which Linux counts. */
const TICK = 10;

/** A process as the system shows it. */
interface Shown {
  pid: number;
  parent: number;
  /** In user and system mode. */
  milliseconds: number;
}

/** Processor time of a process and of those that it started, in milliseconds, so far (Linux); 0 where nothing tells. */
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

/** The process; nothing where it has just ended. */
function readProcess(pid: number): Shown[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name of the program comes first, in brackets, and may hold anything.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const milliseconds = (Number(fields[11]) + Number(fields[12])) * TICK;
    return [{ pid, parent: Number(fields[1]), milliseconds }];
  } catch {
    return [];
  }
}
