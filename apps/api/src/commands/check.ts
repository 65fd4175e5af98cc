import { BundleError, type CheckedBundle, checkBundle, findBundle } from '@archiefkast/bundle';
import { defineCommand, flag, required, text } from '@archiefkast/command-line';
import { missingInRegister } from '@archiefkast/formats/dataset';
import { counted, createProgressLine } from '@archiefkast/system';
import { BUNDLE, type CommandContext, resolveMediaFolder } from './command.ts';
import { describeCounts, describeFirstDays } from './publish.ts';

/**
 * `archive-api check <bundle>`: validates a bundle as publish does, without a database.
 *
 * @throws BundleError if the bundle has errors; with `strict`, Error if it has warnings; ConfigError if `media` is not a
 *   readable folder; the reason of the signal
 */
export const checkCommand = defineCommand({
  options: (yargs) =>
    yargs
      .positional('bundle', required(BUNDLE))
      .option('strict', flag('Fail on warnings too'))
      .option('json', flag('Report as one line of JSON'))
      .option('media', text('Folder of the files that records name by path')),
  examples: [
    ['check my-archive', 'Reports errors and warnings of a folder'],
    ['check my-archive.xlsx --json', 'Reports on a workbook for a program'],
  ],
  async run({ stdout, stderr, signal }: CommandContext, { bundle: path, strict, json, media }) {
    const progress = createProgressLine(stderr);
    let rows = 0;
    const onStep = () => signal.throwIfAborted();
    const onRow = () => {
      onStep();
      rows += 1;
      progress.show(() => `checking ${rows} records`);
    };
    const folder = media === undefined ? undefined : await resolveMediaFolder(media, '--media');
    let bundle: CheckedBundle;
    try {
      const files = await findBundle(path);
      const options = { onRecord: onRow, media: folder, countsUnsized: true };
      bundle = await files.read((source, faults) => checkBundle(source, faults, options), onStep);
    } catch (error) {
      progress.clear();
      if (json && error instanceof BundleError) {
        const { faults, count } = error;
        stdout.write(`${JSON.stringify({ ok: false, fault_count: count, faults })}\n`);
      }
      throw error;
    }
    progress.clear();
    const { warnings, firstDays, unsized } = bundle;
    const { counts } = bundle.records;
    const missing = missingInRegister(bundle.source.archive);
    const said = warnings.count === 0 ? 'no warnings' : counted(warnings.count, 'warning');
    if (json) {
      const report = {
        ok: true,
        counts,
        first_days: firstDays,
        pictures_without_size: unsized,
        warning_counts: warnings.counts,
        warnings: warnings.shown,
        missing_in_register: missing,
      };
      stdout.write(`${JSON.stringify(report)}\n`);
    } else {
      stdout.write(warnings.lines.join('') + describeFirstDays(firstDays));
      if (unsized > 0)
        stdout.write(
          `${counted(unsized, 'picture')} without width and height: IIIF manifests leave them out.\n`,
        );
      if (missing.length > 0)
        stdout.write(`For a register of datasets, the archive lacks: ${missing.join(', ')}.\n`);
      stdout.write(`No faults, ${said}: ${describeCounts({ counts })}.\n`);
    }
    if (strict && warnings.count > 0) throw new Error(`the bundle has ${said} (--strict)`);
  },
});
