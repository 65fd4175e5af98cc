import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Campaign } from './campaign.ts';

const VITEST = fileURLToPath(new URL('../../node_modules/vitest/vitest.mjs', import.meta.url));
const CONFIG = fileURLToPath(new URL('vitest-config.ts', import.meta.url));

/** The result of a campaign. */
export interface Result {
  passed: number;
  failed: number;
}

/**
 * Runs a campaign as a separate vitest run, and relays its output.
 *
 * @param options.minutes the time for the campaign
 * @param options.atMost minutes after which it is killed, and has failed
 * @param options.plots a folder for plots
 */
export async function runCampaign(
  campaign: Campaign,
  { minutes, atMost, plots = '' }: { minutes: number; atMost: number; plots?: string | undefined },
): Promise<Result> {
  const child = spawn(process.execPath, [VITEST, 'run', '--config', CONFIG, `campaigns/${campaign.name}/`], {
    env: { ...process.env, CAMPAIGN_MINUTES: String(minutes), CAMPAIGN_PLOTS: plots },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const late = setTimeout(() => child.kill('SIGTERM'), atMost * 60_000);
  let counted: Result | undefined;
  for await (const line of createInterface({ input: child.stdout })) {
    process.stdout.write(`${line}\n`);
    const [, passed, failed] = /^(\d+) passed, (\d+) failed/.exec(line) ?? [];
    if (passed) counted = { passed: Number(passed), failed: Number(failed) };
  }
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  clearTimeout(late);
  if (child.signalCode)
    process.stdout.write(`The campaign ${campaign.name} was ended with ${child.signalCode}.\n`);
  const result = counted ?? { passed: 0, failed: 0 };
  return child.exitCode === 0 || result.failed > 0 ? result : { ...result, failed: 1 };
}
