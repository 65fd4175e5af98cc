import type { Knex } from 'knex';
import type { Database } from './connect.ts';

/** Number of executed queries, from which their trace ids are made. */
let executed = 0;

/** Placeholders in a query, by name of the value. */
export type Marks<Name extends string> = Readonly<Record<Name, string>>;

/**
 * Compiles a query once, to execute it many times with different values. Connection, timeouts, events and errors are the
 * same as for any other Knex query.
 *
 * @param names names of the values
 * @param build builds the query, with a placeholder for each value
 */
export function compileQuery<Name extends string, Row>(
  database: Database,
  names: readonly Name[],
  build: (marks: Marks<Name>) => Knex.QueryBuilder,
): (values: Readonly<Record<Name, Knex.Value>>) => Promise<Row> {
  // No value of an archive starts with NUL.
  const marks = Object.fromEntries(names.map((name) => [name, `\0${name}`])) as Marks<Name>;
  const compiled = build(marks).toSQL();
  const nameOf = new Map<unknown, Name>(names.map((name) => [marks[name], name]));
  const parameters = compiled.bindings.map((binding) => ({ binding, name: nameOf.get(binding) }));
  return async (values) => {
    executed += 1;
    const bindings = parameters.map(({ binding, name }) => (name === undefined ? binding : values[name]));
    const statement = { ...compiled, bindings, __knexQueryUid: `compiled ${executed}` };
    const row: unknown = await Object.assign(database.queryBuilder(), { toSQL: () => statement });
    return row as Row;
  };
}
