import { readFileSync } from 'node:fs';

/** Largest resident memory of a process in MB (Linux: VmHWM); 0 when it has ended or the system does not tell. */
export function peakMemory(pid: number): number {
  try {
    const kilobytes = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return Number(kilobytes ?? 0) / 1024;
  } catch {
    return 0;
  }
}
