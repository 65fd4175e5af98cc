import { startBareServer } from '../../bench/processes.ts';

/** The limit of how late /health is during an attack, in milliseconds. */
export const HEALTH_MILLISECONDS = 3_000;

/**
 * Measures how late responses are: how much longer they take than those of a bare server of another process, requested at
 * the same moment. A machine, or a client, that stands still for seconds makes both wait, and no server late.
 */
export async function startLateness(): Promise<{
  /** Requests `url`. @returns the status, and the milliseconds by which it is late */
  measure(url: string): Promise<{ status: number; late: number }>;
  stop(): Promise<void>;
}> {
  const bare = await startBareServer('/dev/null', {});
  return {
    async measure(url) {
      const [{ status, took }, beside] = await Promise.all([time(url), time(bare.origin)]);
      return { status, late: Math.max(0, took - beside.took) };
    },
    stop: bare.stop,
  };
}

async function time(url: string): Promise<{ status: number; took: number }> {
  const started = performance.now();
  const response = await fetch(url);
  await response.bytes();
  return { status: response.status, took: performance.now() - started };
}
