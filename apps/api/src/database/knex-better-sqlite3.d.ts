/** Knex ships this client without types. */
declare module 'knex/lib/dialects/better-sqlite3/index.js' {
  import { Knex } from 'knex';

  export default class BetterSqlite3Client extends Knex.Client {
    _driver(): new (file: string, options: object) => object;
  }
}
