import { ArchiveError, type Client } from '@archiefkast/client';
import { defineCommand, flag, required } from '@archiefkast/command-line';
import type { NamesOfRecords } from '@archiefkast/formats/describe-record';
import { printable } from '@archiefkast/system';
import type { ArchiveRecord, Kind } from '@archiefkast/types';
import { nameOfRecord } from '@archiefkast/types/internal/fields';
import { parseApiReference } from '@archiefkast/types/links';
import { EXIT } from '../exit-code.ts';
import type { CommandContext } from './command-context.ts';
import { connect } from './connection.ts';
import { CONNECTION_NUMBERS, connectionOptions, KIND_NAMES, parseKind } from './options.ts';

/** Maximum width of lines of text, in characters. */
const WIDEST = 100;
/** Maximum number of records that are requested for their names; others are shown by uuid. */
const MOST_NAMES = 20;

/** Prints a record as readable text. */
export const showCommand = defineCommand({
  options: (yargs) =>
    connectionOptions(yargs)
      .positional('kind', { ...required('Kind of the record'), choices: KIND_NAMES })
      .positional('uuid', required('Uuid of the record'))
      .options({
        json: flag('Print the JSON of the API'),
        web: flag('Open its page in a browser'),
      }),
  numbers: CONNECTION_NUMBERS,
  texts: ['contact'],
  rules: { excluding: [['json', 'web']] },
  examples: [
    ['show person 7a776fad-85cf-5ae0-93da-f4e8d4ecbabd', 'Prints a person of the archive at $ARCHIVE_URL'],
    ['show person 7a776fad-85cf-5ae0-93da-f4e8d4ecbabd --json', 'Prints it as it is served'],
  ],
  async run(context: CommandContext, settings) {
    const { stdout } = context;
    const client = await connect(context, settings);
    const kind = parseKind(settings.kind);
    const record = await client.records(kind).get(settings.uuid);
    if (settings.web) await openRecordPage(context, record);
    else if (settings.json) stdout.write(`${JSON.stringify(record, null, 2)}\n`);
    else {
      const { readableRecord } = await import('../terminal/readable-record.ts');
      const width = Math.min(stdout.columns ?? 80, WIDEST);
      const readable = readableRecord(kind, record, width, await findNames(client, record));
      stdout.write(printable(readable, { keepLines: true }));
    }
    return EXIT.done;
  },
});

/** Fetches the names of referenced records; those that fail are left out. */
async function findNames(client: Client, record: ArchiveRecord): Promise<NamesOfRecords> {
  const names = new Map<string, string>();
  const references = Object.values(record)
    .flat()
    .filter((value): value is string => typeof value === 'string')
    .flatMap((value) => parseApiReference(value) ?? []);
  await Promise.allSettled(
    references.slice(0, MOST_NAMES).map(async ({ kind, uuid }: { kind: Kind; uuid: string }) => {
      names.set(uuid, nameOfRecord(await client.records(kind).get(uuid)));
    }),
  );
  return names;
}

/**
 * Opens a record's public page, and prints its address.
 *
 * @throws ArchiveError if the record's url is not a web address
 */
export async function openRecordPage(
  { stdout, openPage }: CommandContext,
  { url }: ArchiveRecord,
): Promise<void> {
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? '')) {
    throw new ArchiveError(`the url of the record is not a web address: ${url}`);
  }
  stdout.write(`${printable(url)}\n`);
  await openPage(url);
}
