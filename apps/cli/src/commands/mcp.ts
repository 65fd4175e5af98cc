import { Readable, Writable } from 'node:stream';
import { ArchiveFault, type AskedArchive, queryOf, type ReadParameters } from '@archiefkast/ask/archive';
import { type ClientOptions, createClient, RequestError, StatusError } from '@archiefkast/client';
import { connect } from '@archiefkast/client/internal';
import { defineCommand } from '@archiefkast/command-line';
import { EXIT, type ExitCode } from '../exit-code.ts';
import type { CommandContext } from './command-context.ts';
import { briefOptions } from './connection.ts';
import { CONNECTION_NUMBERS, type ConnectionSettings, connectionOptions } from './options.ts';

/** The content notes in the linked data of a record. */
interface Noted {
  'skos:note'?: readonly { '@language': string; '@value': string }[];
}

/** Answers an assistant over stdin and stdout, from an archive. */
export const mcpCommand = defineCommand({
  options: connectionOptions,
  numbers: CONNECTION_NUMBERS,
  texts: ['contact'],
  examples: [
    ['mcp', 'What an assistant starts to ask the archive at $ARCHIVE_URL'],
    ['mcp --rate 2', 'The same, with at most two requests a second'],
  ],
  async run(context: CommandContext, settings: ConnectionSettings): Promise<ExitCode> {
    const options = await briefOptions(context, settings);
    const isBare = (await createClient(options).index()) === undefined;
    const { serveOverStdio } = await import('@archiefkast/ask');
    const { stdin = Readable.from([]), stdout, stderr, signal, version } = context;
    const output = new Writable({
      write(chunk, _encoding, done) {
        stdout.write(chunk);
        done();
      },
    });
    const onError = ({ message }: Error) => stderr.write(`${message}\n`);
    await serveOverStdio(askedArchive(options, isBare), version, { stdin, stdout: output, signal, onError });
    return signal.aborted ? EXIT.interrupted : EXIT.done;
  },
});

/** The archive of a client as it answers over HTTP. @param isBare whether it is known for search only */
function askedArchive(options: ClientOptions, isBare: boolean): AskedArchive {
  const { baseUrl, request } = connect(options);
  async function read<Body>(path: string, parameters: ReadParameters): Promise<Body> {
    const url = `${baseUrl}${path}?${queryOf(parameters)}`;
    try {
      return (await request<Body>({ url, expected: `the answer of ${path}` })).body;
    } catch (error) {
      if (error instanceof StatusError) throw new ArchiveFault(error.detail ?? error.message, error);
      throw error instanceof RequestError ? new ArchiveFault(error.message) : error;
    }
  }
  return {
    ...{ baseUrl, isBare },
    read: (language, path, parameters) => read(`/${language}${path}`, parameters),
    async readNotes(language, uuid, edition) {
      const { 'skos:note': notes = [] } = await read<Noted>(`/id/${uuid}.jsonld`, { edition });
      return notes.flatMap((note) => (note['@language'] === language ? note['@value'] : []));
    },
  };
}
