import { connect } from '../storage/connect.ts';
import { migrate } from '../storage/migrate.ts';
import type { CommandContext } from './command-context.ts';

/** `archive-api migrate`: creates the tables, and lists the migrations that ran. */
export async function migrateCommand({ config, stdout, signal }: CommandContext): Promise<void> {
  const database = connect(config.database);
  try {
    const names = await migrate(database, { signal });
    stdout.write(names.length > 0 ? `Migrated: ${names.join(', ')}.\n` : 'The tables are up to date.\n');
  } finally {
    await database.destroy();
  }
}
