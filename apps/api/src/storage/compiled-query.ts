import type { Knex } from 'knex';
import type { Database } from './connect.ts';

/** Queries that were asked, by which traces tell one from another. */
let asked = 0;

/** What stands in a query for each of its values, until it is asked. */
export type Marks<Name extends string> = Readonly<Record<Name, string>>;

/**
 * A query that Knex compiles once: asked again, its SQL is the same, with other values. Nothing else of it differs from a
 * query that is built anew: its connection, its time limits, its events and its errors are Knex's.
 *
 * @param names of its values
 * @param build makes it, with a mark where a value goes
 */
export function compileQuery<Name extends string, Row>(
  database: Database,
  names: readonly Name[],
  build: (marks: Marks<Name>) => Knex.QueryBuilder,
): (values: Readonly<Record<Name, Knex.Value>>) => Promise<Row> {
  // No value of an archive has a NUL at its beginning.
  const marks = Object.fromEntries(names.map((name) => [name, `\0${name}`])) as Marks<Name>;
  const compiled = build(marks).toSQL();
  const nameOf = new Map<unknown, Name>(names.map((name) => [marks[name], name]));
  const places = compiled.bindings.map((binding) => ({ binding, name: nameOf.get(binding) }));
  return async (values) => {
    asked += 1;
    const bindings = places.map(({ binding, name }) => (name === undefined ? binding : values[name]));
    const statement = { ...compiled, bindings, __knexQueryUid: `compiled ${asked}` };
    const row: unknown = await Object.assign(database.queryBuilder(), { toSQL: () => statement });
    return row as Row;
  };
}
