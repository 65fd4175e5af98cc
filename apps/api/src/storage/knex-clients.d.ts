/** Types for clients that Knex ships without any. */
declare module 'knex/lib/dialects/better-sqlite3/index.js' {
  import { Knex } from 'knex';

  export default class BetterSqlite3Client extends Knex.Client {
    _driver(): new (file: string, options: object) => object;
  }
}

declare module 'knex/lib/dialects/mysql2/index.js' {
  import { Knex } from 'knex';
  import type { Connection } from 'mysql2';

  export interface QueryObject {
    sql: string;
    response?: unknown;
  }

  export default class Mysql2Client extends Knex.Client {
    acquireConnection(): Promise<Connection>;
    acquireRawConnection(): Promise<Connection>;
    destroyRawConnection(connection: Connection): Promise<void>;
    _query(connection: Connection, query: QueryObject): Promise<QueryObject>;
  }
}
