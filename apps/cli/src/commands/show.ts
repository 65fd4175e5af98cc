import { createClient } from '@archive/client';
import type { Kind } from '@archive/types';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { recordText } from '../terminal/record-text.ts';
import type { CommandContext } from './command-context.ts';
import { type ConnectionSettings, clientOptions } from './connection.ts';

/** Lines of text are not made longer than this, in characters: longer ones are hard to read. */
const WIDEST = 100;

/** What `archive-cli show` is told. */
export interface ShowSettings extends ConnectionSettings {
  kind: Kind;
  uuid: string;
}

/** `archive-cli show <kind> <uuid>`: a record as readable text. */
export async function showCommand(context: CommandContext, settings: ShowSettings): Promise<ExitCode> {
  const client = createClient(await clientOptions(context, settings));
  const record = await client.records(settings.kind).get(settings.uuid);
  context.stdout.write(recordText(settings.kind, record, Math.min(context.stdout.columns ?? 80, WIDEST)));
  return EXIT.done;
}
