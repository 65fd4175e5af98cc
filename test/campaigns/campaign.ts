import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

/** What `campaign.json` in a campaign's folder says. */
const campaignSchema = z.strictObject({
  about: z.string().describe('one line for --list'),
  minutes: z.number().positive().describe('how long it usually takes'),
  atLeast: z
    .number()
    .positive()
    .optional()
    .describe('minutes it can be cut to with --minutes; else it is as long as it is'),
  needs: z.array(z.string()).default([]).describe('programs of .ci/programs that it starts'),
});

/** A campaign: tests that take long, in a folder of their own, which is its name. */
export type Campaign = z.infer<typeof campaignSchema> & { name: string };

/** Every campaign in the folder, the shortest first. @throws Error naming the file that is none of a campaign */
export async function readCampaigns(folder: string): Promise<Campaign[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  const campaigns = await Promise.all(
    names.map(async (name) => {
      const file = join(folder, name, 'campaign.json');
      const { data, error } = campaignSchema.safeParse(JSON.parse(await readFile(file, 'utf8')));
      if (!data) throw new Error(`${file}: ${z.prettifyError(error)}`);
      return { name, ...data };
    }),
  );
  return campaigns.toSorted((a, b) => a.minutes - b.minutes || a.name.localeCompare(b.name));
}

/**
 * How many minutes a campaign may take, of those that are left; undefined when that is too little for it.
 *
 * @param wanted what --minutes says
 */
export function minutesFor(campaign: Campaign, left: number, wanted?: number): number | undefined {
  const { atLeast } = campaign;
  const minutes = atLeast === undefined ? campaign.minutes : Math.max(wanted ?? campaign.minutes, atLeast);
  if (minutes <= left) return minutes;
  return atLeast !== undefined && atLeast <= left ? left : undefined;
}
