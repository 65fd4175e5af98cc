import { type Collection, KINDS, kindOfCollection } from '@archive/types';
import type { ReportFormat } from '../diff/print-changes.ts';
import type { ExitCode } from '../exit-code.ts';
import { type CommandContext, UsageError } from './command-context.ts';
import { dryRun } from './dry-run.ts';
import { type HarvestSettings, harvestCommand, runHarvest } from './harvest.ts';
import { parseFormats } from './parse-formats.ts';
import { updateHarvest } from './update.ts';

/** What the command line of `archive-cli harvest` holds. */
export interface HarvestArguments extends Omit<HarvestSettings, 'kinds' | 'out' | 'formats'> {
  kinds: readonly Collection[];
  out?: string | undefined;
  update?: string | undefined;
  format: readonly string[];
  dryRun: boolean;
  report: ReportFormat;
}

/**
 * `archive-cli harvest`: harvests, updates a harvest, or only says what a harvest would be.
 *
 * @throws UsageError when the options do not go together
 */
export async function harvestOrUpdate(context: CommandContext, given: HarvestArguments): Promise<ExitCode> {
  const { out, update: folder, format, ...rest } = given;
  const kinds = KINDS.filter((kind) => given.kinds.map(kindOfCollection).includes(kind));
  const settings = { ...rest, kinds };
  if (out !== undefined && folder !== undefined) {
    throw new UsageError('--out and --update exclude each other: expected one folder');
  }
  if (given.dryRun) return dryRun(context, settings);
  if (folder !== undefined) {
    return runHarvest(context, settings, (progress) =>
      updateHarvest(context, { ...settings, folder }, progress),
    );
  }
  if (out === undefined) throw new UsageError('--out: expected the folder to write to');
  const formats = parseFormats(format);
  return runHarvest(context, settings, (progress) =>
    harvestCommand(context, { ...settings, out, formats }, progress),
  );
}
