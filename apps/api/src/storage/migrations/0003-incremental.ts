import type { Knex } from 'knex';
import { addColumnOnce, createTableOnce, makeIndexOnce } from './make-once.ts';

/** The index by which the last changes of an edition are read. */
const LAST_CHANGED = ['edition', 'changed_at', 'kind', 'position'];

/** Adds the hash of a bundle, what an edition changed, and the blocks of its dumps. */
export async function up(knex: Knex): Promise<void> {
  await addColumnOnce(knex, 'editions', 'source', (table) => {
    table.string('source', 64).comment('SHA-256 of the files of its bundle and the version of the program');
  });
  await addColumnOnce(knex, 'editions', 'compared_with', (table) => {
    table.integer('compared_with').unsigned().comment('the edition since which `changes` has its changes');
  });
  await makeIndexOnce(knex, 'records', LAST_CHANGED);
  await createTableOnce(knex, 'changes', (table) => {
    table.integer('edition').unsigned().notNullable();
    table.string('kind', 8).notNullable();
    table.string('change', 7).notNullable().comment('added, changed or removed');
    table.integer('part').unsigned().notNullable().comment('from 0');
    table.text('uuids', 'longtext').notNullable().comment('separated by spaces, ordered by id');
    table.primary(['edition', 'kind', 'change', 'part']);
  });
  await createTableOnce(knex, 'blocks', (table) => {
    table.integer('edition').unsigned().notNullable();
    table.string('language', 2).notNullable();
    table.string('dump', 16).notNullable().comment('name of the file, without its extension');
    table.integer('block').unsigned().notNullable().comment('from 0');
    table.bigInteger('bytes').unsigned().notNullable().comment('size of its lines, without base URLs');
    table.bigInteger('links').unsigned().notNullable().comment('number of base URLs in its lines');
    table.string('sha256', 64).notNullable().comment('of the hashes of its records');
    table.primary(['edition', 'language', 'dump', 'block']);
  });
}

/** Drops them. */
export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTableIfExists('blocks');
  await knex.schema.dropTableIfExists('changes');
  await knex.schema.alterTable('records', (table) =>
    table.dropIndex(LAST_CHANGED, ['records', ...LAST_CHANGED, 'index'].join('_')),
  );
  await knex.schema.alterTable('editions', (table) => table.dropColumns('source', 'compared_with'));
}
