import { connect } from '../storage/connect.ts';
import { migrate } from '../storage/migrate.ts';
import type { Command } from './command.ts';

/** `archive-api migrate`: creates the tables, and lists the migrations that ran. */
export const migrateCommand: Command<object> = {
  async run({ config, stdout, signal }) {
    const database = connect(config.database);
    try {
      const names = await migrate(database, { signal });
      stdout.write(names.length > 0 ? `Migrated: ${names.join(', ')}.\n` : 'The tables are up to date.\n');
    } finally {
      await database.destroy();
    }
  },
};
