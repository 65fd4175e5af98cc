import { join } from 'node:path';
import { FolderError, JOURNAL_FOLDER } from '@archiefkast/client/node';
import { printable } from '@archiefkast/system/printable';
import { KINDS } from '@archiefkast/types/kinds';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { findRecords, parseRecord, placedRecords } from '../records/placed-records.ts';
import { createStatistics } from '../statistics/statistics.ts';
import { statisticsText } from '../statistics/statistics-text.ts';
import type { CommandContext } from './command-context.ts';

/** What `archive-cli stats` is told. */
export interface StatsSettings {
  folder: string;
  json: boolean;
}

/** `archive-cli stats <folder>`: counts what a harvest or a bundle holds. */
export async function statsCommand({ stdout }: CommandContext, settings: StatsSettings): Promise<ExitCode> {
  const { folder, json } = settings;
  const statistics = createStatistics();
  let found = 0;
  for (const kind of KINDS) {
    const file = await findRecords(folder, kind);
    if (!file) continue;
    found += 1;
    for await (const placed of placedRecords(file)) statistics.see(kind, parseRecord(placed));
  }
  if (found === 0)
    throw new FolderError(`${folder} holds no records, and ${join(folder, JOURNAL_FOLDER)} none`);
  const result = statistics.result();
  const text = () => printable(statisticsText(result, stdout.columns ?? 80), { keepLines: true });
  stdout.write(json ? `${JSON.stringify(result, null, 2)}\n` : text());
  return EXIT.done;
}
