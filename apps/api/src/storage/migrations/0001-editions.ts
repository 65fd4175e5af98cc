import type { Knex } from 'knex';
import { createTableOnce, makeUniqueOnce } from './make-once.ts';

/** Creates the tables of editions. Every row of an edition has its id. */
export async function up(knex: Knex): Promise<void> {
  await createTableOnce(knex, 'editions', (table) => {
    table.increments('id').comment('rises with every publish');
    table.string('key', 36).notNullable().comment('UUID: names the edition beyond this database');
    table.string('status', 9).notNullable().comment('writing or published');
    table.string('published_at', 24).comment('ISO 8601, UTC; null while it is being written');
    table.integer('persons').unsigned().notNullable().defaultTo(0);
    table.integer('subjects').unsigned().notNullable().defaultTo(0);
    table.integer('locations').unsigned().notNullable().defaultTo(0);
    table.integer('events').unsigned().notNullable().defaultTo(0);
    table.text('archive', 'longtext').comment("the bundle's archive.json");
  });
  await makeUniqueOnce(knex, 'editions', ['key']);
  await createTableOnce(knex, 'served', (table) => {
    table.integer('slot').primary().comment('always 1: one row');
    table.integer('edition').unsigned().notNullable().comment('the edition that is served');
  });
  await createTableOnce(knex, 'records', (table) => {
    table.integer('edition').unsigned().notNullable();
    table.string('kind', 8).notNullable();
    table.integer('position').unsigned().notNullable().comment('dense rank in the list of its kind, by id');
    table.bigInteger('id').unsigned().notNullable();
    table.string('uuid', 36).notNullable();
    table.string('digest', 22).notNullable().comment('differs where what the record says of itself differs');
    table.primary(['edition', 'kind', 'position']);
  });
  await makeUniqueOnce(knex, 'records', ['edition', 'kind', 'uuid']);
  await createTableOnce(knex, 'texts', (table) => {
    table.integer('edition').unsigned().notNullable();
    table.string('language', 2).notNullable();
    table.string('form', 17).notNullable().comment('a kind, or abbreviated_event');
    table.integer('position').unsigned().notNullable();
    table.text('text', 'longtext').notNullable().comment('rendered record');
    table.primary(['edition', 'language', 'form', 'position']);
  });
  await createTableOnce(knex, 'links', (table) => {
    table.integer('edition').unsigned().notNullable();
    table.string('source_form', 17).notNullable();
    table.integer('source').unsigned().notNullable().comment('position of the record that embeds');
    table.string('target_form', 17).notNullable();
    table.integer('ordinal').unsigned().notNullable().comment('place in the array');
    table.integer('target').unsigned().notNullable().comment('position of the record that is embedded');
    table.primary(['edition', 'source_form', 'source', 'target_form', 'ordinal']);
  });
}

/** Drops the tables, with all editions. */
export async function down(knex: Knex): Promise<void> {
  for (const table of ['links', 'texts', 'records', 'served', 'editions']) {
    await knex.schema.dropTableIfExists(table);
  }
}
