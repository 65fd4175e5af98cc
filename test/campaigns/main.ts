import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { describeNeeds, findNeeds, howToGet, readNeeds } from '../support/programs.ts';
import { type Campaign, minutesFor, readCampaigns } from './campaign.ts';
import { type Result, runCampaign } from './run-campaign.ts';

const USAGE = `usage: npm run campaign -- NAME... [options]

Runs campaigns: tests that take too long for npm test. The last line has the totals.

  --list             list the campaigns
  --all              run all, the shortest first
  --minutes MINUTES  duration of campaigns with a variable duration
  --plots FOLDER     folder for plots
  --within MINUTES   time limit: campaigns are shortened or skipped, with a message
`;

const FOLDER = fileURLToPath(new URL('.', import.meta.url));
const CI = Boolean(process.env['CI']);

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    list: { type: 'boolean', default: false },
    all: { type: 'boolean', default: false },
    minutes: { type: 'string' },
    plots: { type: 'string' },
    within: { type: 'string', default: 'Infinity' },
    help: { type: 'boolean', default: false },
  },
});
process.exitCode = await main(await readCampaigns(FOLDER));

async function main(campaigns: readonly Campaign[]): Promise<number> {
  if (values.list) {
    for (const { name, about, minutes } of campaigns) say(`${name.padEnd(12)} ${about} (${minutes} min)`);
    return 0;
  }
  const unknown = positionals.filter((name) => !campaigns.some((campaign) => campaign.name === name));
  const minutes = values.minutes === undefined ? undefined : Number(values.minutes);
  const within = Number(values.within);
  const makesSense = unknown.length === 0 && !Number.isNaN(within) && (minutes === undefined || minutes > 0);
  if (values.help || !makesSense || (positionals.length === 0 && !values.all)) {
    if (unknown.length > 0) say(`Unknown campaign ${unknown.join(', ')}; --list shows the valid ones.\n`);
    say(USAGE);
    return values.help ? 0 : 2;
  }

  const chosen = campaigns.filter(({ name }) => values.all || positionals.includes(name));
  const until = performance.now() + within * 60_000;
  const lines: string[] = [];
  const sum = { passed: 0, failed: 0 };
  for (const campaign of chosen) {
    const { line, passed, failed } = await attempt(campaign, until, minutes);
    lines.push(`${campaign.name.padEnd(12)} ${line}`);
    sum.passed += passed;
    sum.failed += failed;
  }
  say(['', ...lines, `${sum.passed} passed, ${sum.failed} failed`].join('\n'));
  return sum.failed === 0 ? 0 : 1;
}

/** Runs a campaign if there is time for it and its needs are installed. */
async function attempt(
  campaign: Campaign,
  until: number,
  wanted?: number,
): Promise<Result & { line: string }> {
  const found = await findNeeds(campaign.needs, process.env['PATH'] ?? '');
  const missing = (await readNeeds()).filter(({ name }) => campaign.needs.includes(name) && !(name in found));
  if (missing.length > 0) {
    const names = describeNeeds(missing.map(({ name }) => name));
    const line = `NOT RUN: it needs ${names}. ${howToGet(missing).join(' ')}`;
    return { line, passed: 0, failed: CI && missing.some(({ optional }) => !optional) ? 1 : 0 };
  }
  const left = (until - performance.now()) / 60_000;
  const minutes = minutesFor(campaign, left, wanted);
  if (minutes === undefined) {
    const line = `NOT RUN: it takes ${campaign.atLeast ?? campaign.minutes} minutes, and ${left.toFixed(0)} are left`;
    return { line, passed: 0, failed: 0 };
  }
  say(`\n${campaign.name}: ${campaign.about}`);
  const plots = values.plots && resolve(process.env['INIT_CWD'] ?? process.cwd(), values.plots);
  const started = performance.now();
  // Campaigns set their own pace; one that takes twice its time hangs.
  const result = await runCampaign(campaign, { minutes, atMost: 2 * minutes + 5, plots });
  const took = ((performance.now() - started) / 60_000).toFixed(1);
  return { ...result, line: `${result.passed} passed, ${result.failed} failed, in ${took} min` };
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
