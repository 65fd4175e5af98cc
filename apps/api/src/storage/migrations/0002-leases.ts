import { randomUUID } from 'node:crypto';
import type { Knex } from 'knex';
import { addColumnOnce, createTableOnce } from './make-once.ts';

/** Adds fences, content hashes, the switch sequence, times of change, and the id of the archive. */
export async function up(knex: Knex): Promise<void> {
  await addColumnOnce(knex, 'editions', 'fence', (table) => {
    table.bigInteger('fence').notNullable().defaultTo(0).comment('of the lease under which it was written');
  });
  await addColumnOnce(knex, 'editions', 'content', (table) => {
    table.string('content', 64).comment('SHA-256 of what it is made of and by; null when not known');
  });
  await addColumnOnce(knex, 'editions', 'served_at', (table) => {
    table
      .string('served_at', 24)
      .comment('when it was last switched to, ISO 8601; null: held, and never served');
  });
  await knex('editions')
    .where({ status: 'published' })
    .whereNull('served_at')
    .update({ served_at: knex.ref('published_at') });
  await addColumnOnce(knex, 'served', 'sequence', (table) => {
    table.bigInteger('sequence').notNullable().defaultTo(0).comment('rises with every switch');
  });
  await addColumnOnce(knex, 'records', 'changed_at', (table) => {
    table
      .string('changed_at', 24)
      .comment("since when it says this, ISO 8601; null: since its edition's time");
  });
  await createTableOnce(knex, 'archive', (table) => {
    table.integer('slot').primary().comment('always 1: one row');
    table.string('id', 36).notNullable().comment('UUID: names this archive, wherever its database is');
  });
  await knex('archive').insert({ slot: 1, id: randomUUID() }).onConflict('slot').ignore();
}

/** Drops them. */
export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTableIfExists('archive');
  await knex.schema.alterTable('records', (table) => table.dropColumn('changed_at'));
  await knex.schema.alterTable('served', (table) => table.dropColumn('sequence'));
  await knex.schema.alterTable('editions', (table) => table.dropColumns('fence', 'content', 'served_at'));
}
