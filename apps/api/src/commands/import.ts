import { stat } from 'node:fs/promises';
import { FaultList } from '@archiefkast/bundle';
import { writeTables } from '@archiefkast/bundle/write-bundle';
import { defineCommand, required, text } from '@archiefkast/command-line';
import {
  draftMap,
  layOutTables,
  type MadeRecords,
  makeRecords,
  namesLeftWhole,
  readMap,
  readSources,
  type Tally,
} from '@archiefkast/import';
import { counted, createProgressLine, writeWhole } from '@archiefkast/system';
import { forKinds } from '@archiefkast/types';
import type { CommandContext } from './command.ts';
import { describeCounts } from './publish.ts';

type ImportContext = Pick<CommandContext, 'stdout' | 'stderr' | 'signal'>;

/** `archive-api import <source..>`: makes a bundle by a map, or drafts one. */
export const importCommand = defineCommand({
  options: (yargs) =>
    yargs
      .positional('source', { ...required('CSV or TSV file, or workbook (.xlsx)'), array: true })
      .option('draft', text('Write a first map to this new file'))
      .option('map', text('The map (YAML)'))
      .option('out', text('New folder, or file.xlsx; with --map'))
      .check(({ draft, map, out }) => {
        const isDraft = draft !== undefined && map === undefined && out === undefined;
        const isImport = draft === undefined && map !== undefined && out !== undefined;
        return isDraft || isImport || 'import: expected --draft <map>, or --map <map> and --out <out>';
      }),
  examples: [
    ['import people.csv --draft map.yaml', 'Writes a first map, to be corrected'],
    ['import people.csv --map map.yaml --out imported', 'Makes a bundle by the map'],
  ],
  run: (context: CommandContext, { source, draft, map = '', out = '' }) =>
    draft === undefined ? importTables(context, source, map, out) : writeDraft(context, source, draft),
});

/**
 * `archive-api import <source..> --map <map> --out <out>`: makes tables of any CSV files and workbooks by a map: a workbook if
 * `out` ends in .xlsx, else a folder of CSV files.
 *
 * @throws BundleError if map or sources have faults; Error if `out` exists; the reason of the signal
 */
async function importTables(
  { stdout, stderr, signal }: ImportContext,
  sources: readonly string[],
  map: string,
  out: string,
): Promise<void> {
  const openMap = await readMap(map);
  const faults = new FaultList('import');
  const progress = createProgressLine(stderr);
  let rows = 0;
  const onRow = () => {
    signal.throwIfAborted();
    rows += 1;
    progress.show(() => `reading ${rows} rows`);
  };
  try {
    const made = makeRecords(await readSources(sources, openMap, faults, onRow), openMap, faults);
    const { tables, moved } = await layOutTables(made, openMap, faults, () => signal.throwIfAborted());
    await writeTables(tables, out);
    progress.clear();
    stdout.write(describeImport(made, moved));
    stdout.write(`${out}: ${describeCounts({ counts: forKinds((kind) => made.kinds[kind].byId.size) })}.\n`);
  } finally {
    progress.clear();
  }
}

/**
 * `archive-api import <source..> --draft <map>`: writes a first map for the sources.
 *
 * @throws BundleError if a source cannot be read; Error if the map exists
 */
async function writeDraft({ stdout }: ImportContext, sources: readonly string[], map: string): Promise<void> {
  if (await stat(map).catch(() => undefined)) throw new Error(`${map} already exists`);
  const text = await draftMap(sources, new FaultList('import'));
  await writeWhole(map, (file) => file.writeFile(text));
  stdout.write(`${map}
`);
}

/** What became of rows and columns, and of texts that were not taken as they are. */
function describeImport(made: MadeRecords, moved: Tally): string {
  const { uses, differences } = made;
  const lines: string[] = [];
  for (const [{ title, rows, notes }, use] of uses) {
    const { unused, dropped } = use;
    const without =
      unused.rows > 0
        ? `, ${unused.rows} of them without a record (${counted(unused.cells, 'cell')} left out)`
        : '';
    lines.push(
      `${title}: ${counted(rows.length, 'row')}${without}; ${counted(use.used.length, 'column')} used`,
    );
    const named = (what: string, columns: readonly string[]) => {
      if (columns.length > 0) lines.push(`  ${columns.length} ${what}: ${columns.join(', ')}`);
    };
    named('kept with _ before the name', use.kept);
    named(`dropped by the map, with ${counted(dropped.cells, 'cell')}`, dropped.columns);
    named('without a text', use.empty);
    for (const { column, count, example } of use.left)
      lines.push(
        `  ${column}: ${counted(count, 'text')} not wholly in a field, kept with _, such as ${example}`,
      );
    lines.push(...notes.map((note) => `  ${note}`));
  }
  for (const [field, { count, example }] of moved)
    lines.push(`${field}: ${counted(count, 'text')} not valid there, kept in ${example}`);
  for (const [field, { count, example }] of namesLeftWhole(made))
    lines.push(`${field}: ${counted(count, 'name')} left as it stands, such as ${example}`);
  for (const [field, { count, example }] of differences) {
    const differ = `${counted(count, 'row')} differ${count === 1 ? 's' : ''}`;
    lines.push(`${field}: ${differ} from the first of the record, which is kept: ${example}`);
  }
  return lines.map((line) => `${line}\n`).join('');
}
