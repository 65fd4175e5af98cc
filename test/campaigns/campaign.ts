import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

/** The format of `campaign.json` in a campaign's folder. */
const campaignSchema = z.strictObject({
  about: z.string().describe('one-line description for --list'),
  minutes: z.number().positive().describe('usual duration'),
  atLeast: z
    .number()
    .positive()
    .optional()
    .describe('minimum duration with --minutes; by default the duration is fixed'),
  needs: z.array(z.string()).default([]).describe('names in .ci/programs that it needs'),
});

/** A campaign: a folder of slow tests, with the folder's name. */
export type Campaign = z.infer<typeof campaignSchema> & { name: string };

/** Every campaign in the folder, the shortest first. @throws Error naming an invalid file */
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
 * The duration of a campaign in minutes; undefined if the remaining time is too short for it.
 *
 * @param left the remaining minutes
 * @param wanted the value of --minutes
 */
export function minutesFor(campaign: Campaign, left: number, wanted?: number): number | undefined {
  const { atLeast } = campaign;
  const minutes = atLeast === undefined ? campaign.minutes : Math.max(wanted ?? campaign.minutes, atLeast);
  if (minutes <= left) return minutes;
  return atLeast !== undefined && atLeast <= left ? left : undefined;
}
