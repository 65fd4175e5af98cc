/** Names of a record's fields, also nested ones: `name`, `location.name`. */
export type FieldPath<Value> = Value extends readonly (infer Element)[]
  ? FieldPath<Element>
  : Value extends object
    ? {
        [Name in keyof Value & string]: Name | `${Name}.${FieldPath<NonNullable<Value[Name]>>}`;
      }[keyof Value & string]
    : never;

/** A record with selected fields only. */
export type Selected<Value, Path extends string> = Value extends readonly (infer Element)[]
  ? Selected<Element, Path>[]
  : Value extends object
    ? {
        [Name in keyof Value & string as Name extends First<Path> ? Name : never]: Name extends Path
          ? Value[Name]
          : Selected<Value[Name], Below<Path, Name>>;
      }
    : Value;

/** The name before the first dot. */
type First<Path extends string> = Path extends `${infer Name}.${string}` ? Name : Path;

/** The path after the name and its dot. */
type Below<Path extends string, Name extends string> = Path extends `${Name}.${infer Rest}` ? Rest : never;
