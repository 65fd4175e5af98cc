import { withMigratedDatabase } from '../storage/connect.ts';
import type { Command } from './command.ts';

/** `archive-api migrate`: creates the tables of the database, and says whether some were missing. */
export const migrateCommand: Command<object> = {
  async run({ config, stdout, signal }) {
    const report = async (_: unknown, isNew: boolean) =>
      stdout.write(isNew ? 'Migrated: release-2.0.\n' : 'The tables are up to date.\n');
    await withMigratedDatabase(config, report, signal);
  },
};
