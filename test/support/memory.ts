import { readFileSync } from 'node:fs';

/** Peak resident memory of a process in MB (Linux: VmHWM); 0 if it has ended or the system does not report it. */
export function peakMemory(pid: number): number {
  return readMemory(pid, 'VmHWM');
}

/** Resident memory of a process and its child processes, in MB (Linux: VmRSS). */
export function residentMemory(pid: number): number {
  return [pid, ...childrenOf(pid)].reduce((sum, each) => sum + readMemory(each, 'VmRSS'), 0);
}

/** The child processes of a process (Linux). */
export function childrenOf(pid: number): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
}

/** Megabytes that a process has written to disks so far (Linux: write_bytes); 0 if it has ended or that is not reported. */
export function writtenMegabytes(pid: number): number {
  try {
    const io = readFileSync(`/proc/${pid}/io`, 'utf8');
    return Number(/^write_bytes: (\d+)$/m.exec(io)?.[1] ?? 0) / 1e6;
  } catch {
    return 0;
  }
}

function readMemory(pid: number, name: string): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}
