import { readdirSync, readFileSync } from 'node:fs';

/** Milliseconds of a clock tick, the unit of CPU time in /proc/PID/stat. */
const TICK = 10;

/** CPU time of all ended children of this process, in milliseconds (Linux); 0 if the system does not report it. */
export function processorTimeOfEnded(): number {
  const [user = 0, system = 0] = readStat(process.pid).slice(13);
  return (user + system) * TICK;
}

/**
 * Starts to count the CPU time of running processes and their children, by thread and to the nanosecond, so that tenths of a second can be
 * compared.
 *
 * @returns gives the milliseconds since then
 * @throws Error if the system does not report them (Linux does)
 */
export function countProcessorTime(pids: readonly number[]): () => number {
  const before = readThreads(pids);
  if (before.size === 0) throw new Error('/proc/PID/task/*/schedstat: expected the CPU time of threads');
  return () => {
    let nanoseconds = 0;
    for (const [thread, time] of readThreads(pids)) nanoseconds += time - (before.get(thread) ?? 0);
    return nanoseconds / 1e6;
  };
}

/** CPU time of each thread in nanoseconds. */
function readThreads(pids: readonly number[]): Map<string, number> {
  const threads = new Map<string, number>();
  for (const pid of pids.flatMap(withChildren)) {
    for (const thread of list(`/proc/${pid}/task`)) {
      const [time] = read(`/proc/${pid}/task/${thread}/schedstat`)?.split(' ') ?? [];
      if (time !== undefined) threads.set(thread, Number(time));
    }
  }
  return threads;
}

/** A process and all that it has started. */
export function withChildren(pid: number): number[] {
  const parents = list('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => ({ pid: Number(name), parent: readStat(Number(name))[1] }));
  const below = (parent: number): number[] => [
    parent,
    ...parents.filter((each) => each.parent === parent).flatMap((each) => below(each.pid)),
  ];
  return below(pid);
}

/** The numbers of /proc/PID/stat after the name of the program; none if the process has just ended. */
function readStat(pid: number): number[] {
  const stat = read(`/proc/${pid}/stat`) ?? '';
  // The name is in parentheses, and can contain any character.
  return stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
}

function list(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
