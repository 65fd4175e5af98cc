import { createReadStream, existsSync } from 'node:fs';
import { join } from 'node:path';
import { readArchiveWords, STORE_FILE } from '@archiefkast/client/internal/node';
import { FolderError, HarvestStore } from '@archiefkast/client/node';
import { type Declared, defineCommand, required, text } from '@archiefkast/command-line';
import { UsageError, withTemporaryFolder } from '@archiefkast/system';
import type { Argv } from 'yargs';
import { EXIT } from '../exit-code.ts';
import { DEFAULT_FORMATS, inOrder, loadFormats, withOptions } from '../formats/formats.ts';
import { HarvestSource } from '../formats/source.ts';
import {
  type FileProof,
  type FilesToWrite,
  FileWriter,
  PartFiles,
  warnOnce,
} from '../formats/write-files.ts';
import { type Proof, readProof, writeProof } from '../proof/proof.ts';
import type { CommandContext } from './command-context.ts';
import { FOLDER, FORMATS_NEEDED, formatOptions } from './options.ts';

function exportOptions(yargs: Argv) {
  return formatOptions(yargs)
    .positional('folder', required(FOLDER))
    .options({
      out: { ...text('Only -: write one file to stdout'), nargs: 1 },
      file: text('File to write, if the format has several'),
      bag: { ...text('Write all files of the harvest as a bag (BagIt, RO-Crate) to this .zip'), nargs: 1 },
    });
}

type ExportSettings = Declared<typeof exportOptions>;

/** Writes a harvest in more formats, without requests to the server. */
export const exportCommand = defineCommand({
  options: exportOptions,
  rules: {
    excluding: [
      ['out', 'force'],
      ['out', 'bag'],
      ['both', 'file', 'files.csv'],
      ['html', 'file', 'files.csv'],
      ['html', 'file', 'footnotes.csv'],
    ],
    needing: [['file', 'out', ['-']], ...FORMATS_NEEDED],
    defaults: { format: DEFAULT_FORMATS },
  },
  examples: [
    ['export harvest --format xlsx,sqlite', 'Writes a workbook and a database into its folder'],
    ['export harvest --format csv --file persons.csv --out -', 'Prints one file'],
  ],
  async run(context: CommandContext, { out, file, bag, ...settings }) {
    const { folder, force } = settings;
    const { format = bag === undefined ? DEFAULT_FORMATS : [] } = settings;
    if (out !== undefined && out !== '-') {
      throw new UsageError(
        '--out: expected - for stdout; other files are written to the folder of the harvest',
      );
    }
    const ofFormats = (['bom', 'both', 'html'] as const).find((option) => settings[option]);
    if (format.length === 0 && ofFormats !== undefined)
      throw new UsageError(`--${ofFormats}: expected --format beside --bag, which writes no other files`);
    if (bag !== undefined) refuseBag(bag, force);
    const proof = await readProof(folder);
    if (!proof)
      throw new FolderError(`${folder} contains no finished harvest; run the harvest command to finish it`);
    if (out === '-') await exportToStdout(context, settings, file);
    else if (format.length > 0) {
      const formats = withOptions(format, settings);
      const files = await exportHarvest(context, { folder, formats, force }, proof);
      context.stdout.write(files.map(({ name }) => `${join(folder, name)}\n`).join(''));
    }
    if (bag !== undefined) await exportBag(context, folder, bag);
    return EXIT.done;
  },
});

/** Writes a finished harvest in some formats, and adds them to its proof. */
export async function exportHarvest(
  { signal, stderr, name }: Pick<CommandContext, 'signal' | 'stderr' | 'name'>,
  { folder, formats, force }: Pick<FilesToWrite, 'folder' | 'formats' | 'force'>,
  proof: Proof,
): Promise<FileProof[]> {
  using store = openStore(folder);
  const { files: proven } = proof;
  const wanted = {
    folder,
    formats,
    existing: Object.keys(proof.formats),
    proven,
    force,
    stderr,
    signal,
    name,
  };
  const writer = new FileWriter(wanted);
  const written = await writer.write(new HarvestSource(store));
  const others = proven.filter(({ name }) => !written.some((file) => file.name === name));
  await writeProof(folder, {
    ...proof,
    files: [...written, ...others],
    formats: inOrder([...Object.entries(proof.formats), ...Object.entries(formats)]),
  });
  return written;
}

/** Refuses a path of a bag before anything is written. @throws UsageError unless it is that of a zip file; FolderError if it exists */
function refuseBag(path: string, force: boolean): void {
  if (!/\.zip$/i.test(path)) throw new UsageError(`--bag: expected the name of a .zip file, not ${path}`);
  if (existsSync(path) && !force) throw new FolderError(`${path} exists; use --force to overwrite it`);
}

/** Writes a finished harvest as a bag. @throws FolderError if a file is not what the proof says */
async function exportBag({ stdout }: CommandContext, folder: string, path: string): Promise<void> {
  const proof = await readProof(folder);
  if (!proof) throw new FolderError(`${folder} contains no finished harvest`);
  using store = openStore(folder);
  const { writeBag } = await import('../bag/write-bag.ts');
  await writeBag(path, folder, proof, readArchiveWords(store));
  stdout.write(`${path}\n`);
}

/** Opens the store of a finished harvest. @throws FolderError if it is missing */
export function openStore(folder: string): HarvestStore {
  const store = HarvestStore.read(join(folder, STORE_FILE));
  if (!store)
    throw new FolderError(`${folder} contains no ${STORE_FILE}; harvest again, into another folder`);
  return store;
}

/** Writes one file of a harvest to stdout. @throws UsageError if the file is ambiguous */
async function exportToStdout(
  { stdout, stderr, signal, name: program }: CommandContext,
  { folder, format = DEFAULT_FORMATS, ...options }: ExportSettings,
  file: string | undefined,
): Promise<void> {
  const [name, ...others] = format;
  if (name === undefined || others.length > 0) throw new UsageError('--out -: expected one --format');
  using store = openStore(folder);
  const source = new HarvestSource(store);
  const [only] = await loadFormats([name]);
  const names = only?.names(source.kinds) ?? [];
  const found = file === undefined && names.length === 1 ? names[0] : names.find((one) => one === file);
  if (!only || found === undefined) {
    throw new UsageError(
      `--out -: ${name} has several files; expected --file and one of ${names.join(', ')}`,
    );
  }
  await withTemporaryFolder('archive-cli-', async (temporary) => {
    await using files = new PartFiles(temporary, signal);
    const open = (one: string) => (one === found ? files.open(one) : undefined);
    await only.write(source, open, { ...options, warn: warnOnce(stderr, program) });
    for (const { path } of await files.finish()) {
      for await (const chunk of createReadStream(path)) {
        signal.throwIfAborted();
        stdout.write(chunk);
      }
    }
  });
}
