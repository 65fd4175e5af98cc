import type { Kind } from '@archiefkast/types';
import { isCalendarDate } from '@archiefkast/types/calendar-date';
import type { Issue, Schema } from '../request/assert-matches.ts';
import type { JsonSchema } from './json-schema.ts';
import shapes from './shapes.json' with { type: 'json' };

/** The shapes of the contract by name, generated from the schemas of `@archiefkast/types` by `npm run shapes`. */
const SHAPES: Readonly<Record<string, JsonSchema>> = shapes;

/** A reference to the shape called `name`. */
export function shapeOf(name: string): JsonSchema {
  return { $ref: `#/${name}` };
}

/** Name of the shape of each kind's records. */
const SHAPES_OF_KINDS: Readonly<Record<Kind, string>> = {
  person: 'Person',
  subject: 'Subject',
  location: 'Location',
  event: 'Event',
};

/** A reference to the shape of the records of a kind. */
export function shapeOfKind(kind: Kind): JsonSchema {
  return shapeOf(SHAPES_OF_KINDS[kind]);
}

/** The fields of the records of a kind, in the contract's order. */
export function recordFields(kind: Kind): string[] {
  return Object.keys(resolveShape(shapeOfKind(kind)).properties ?? {});
}

/** Resolves a reference to a named shape; other shapes are returned unchanged. */
export function resolveShape(shape: JsonSchema): JsonSchema {
  return shape.$ref === undefined ? shape : findShape(shape.$ref.replace('#/', ''));
}

/** The shape of a page of results. */
export function pageOf(result: JsonSchema): JsonSchema {
  const envelope = findShape('Envelope');
  return {
    ...envelope,
    properties: { ...envelope.properties, results: { type: 'array', items: result } },
  };
}

/** Creates the schema of a shape. */
export function schemaOf<T>(shape: JsonSchema): Schema<T> {
  let check: ReturnType<typeof compileShape> | undefined;
  return {
    safeParse(value) {
      check ??= compileShape(shape, findShape);
      const issues = check(value);
      return issues.length === 0 ? { success: true } : { success: false, error: { issues } };
    },
  };
}

function findShape(name: string): JsonSchema {
  const found = SHAPES[name];
  if (!found) throw new RangeError(`unknown shape ${name}`);
  return found;
}

/** Adds the errors of a value to the issues, with paths relative to the value. */
type Check = (value: unknown, issues: FoundIssue[]) => void;

/** An issue whose path grows from the inside out, so that valid values need no paths. */
interface FoundIssue extends Issue {
  readonly path: PropertyKey[];
}

/** Finds a named shape. */
type FindShape = (name: string) => JsonSchema;

/**
 * Creates the function that validates values. A shape is compiled on first use.
 */
function compileShape(schema: JsonSchema, find: FindShape): (value: unknown) => Issue[] {
  const named = new Map<string, Check>();
  const check = compile(schema);
  return (value) => {
    const issues: FoundIssue[] = [];
    check(value, issues);
    return issues;
  };

  function compile(shape: JsonSchema): Check {
    if (shape.$ref !== undefined) return reference(shape.$ref);
    if (shape.anyOf) return anyOf(shape.anyOf);
    if (shape.const !== undefined) return oneOf([shape.const]);
    if (shape.enum) return oneOf(shape.enum);
    switch (shape.type) {
      case 'object':
        return object(shape);
      case 'array':
        return array(shape);
      case 'string':
        return string(shape);
      case 'integer':
        return number(shape, 'a whole number', Number.isSafeInteger);
      case 'number':
        return number(shape, 'a number', Number.isFinite);
      case 'boolean':
        return expecting('true or false', (value) => typeof value === 'boolean');
      case 'null':
        return expecting('null', (value) => value === null);
      default:
        return () => {};
    }
  }

  function reference(ref: string): Check {
    return (value, issues) => {
      let check = named.get(ref);
      if (!check) {
        check = compile(find(ref.replace('#/', '')));
        named.set(ref, check);
      }
      check(value, issues);
    };
  }

  function object({ properties = {}, required = [], additionalProperties }: JsonSchema): Check {
    const needed = new Set(required);
    const fields = new Map(
      Object.entries(properties).map(([name, inner]) => [
        name,
        { check: compile(inner), isNeeded: needed.has(name) },
      ]),
    );
    return (value, issues) => {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) {
        issues.push(wrong('an object', value));
        return;
      }
      const before = issues.length;
      let missing = needed.size;
      for (const [name, each] of Object.entries(value)) {
        const field = fields.get(name);
        if (!field) {
          if (additionalProperties === false) {
            issues.push({ code: 'unrecognized_keys', path: [], message: `has the unknown field "${name}"` });
          }
          continue;
        }
        if (field.isNeeded) missing -= 1;
        checkInside(field.check, each, name, issues);
      }
      if (missing === 0) return;
      const lost = required.filter((name) => !Object.hasOwn(value, name));
      issues.splice(before, 0, ...lost.map((name) => ({ path: [name], message: 'is missing' })));
    };
  }

  function array({ items = {} }: JsonSchema): Check {
    const check = compile(items);
    return (value, issues) => {
      if (!Array.isArray(value)) issues.push(wrong('a list', value));
      else
        for (let index = 0; index < value.length; index += 1) checkInside(check, value[index], index, issues);
    };
  }

  /** The issues of the closest alternative. */
  function anyOf(shapes: readonly JsonSchema[]): Check {
    const checks = shapes.map(compile);
    const takesNull = shapes.some(({ type }) => type === 'null');
    return (value, issues) => {
      if (takesNull && value === null) return;
      let nearest: FoundIssue[] | undefined;
      for (const check of checks) {
        const found: FoundIssue[] = [];
        check(value, found);
        if (found.length === 0) return;
        if (!nearest || depthOf(found) > depthOf(nearest)) nearest = found;
      }
      issues.push(...(nearest ?? []));
    };
  }
}

/** Checks the value of a key. */
function checkInside(check: Check, value: unknown, key: PropertyKey, issues: FoundIssue[]): void {
  const before = issues.length;
  check(value, issues);
  for (let index = before; index < issues.length; index += 1) issues[index]?.path.unshift(key);
}

/** Depth of the first issue in a value: the deeper, the closer the alternative. */
function depthOf([first]: readonly Issue[]): number {
  return first?.path.length ?? 0;
}

function string({ pattern, format }: JsonSchema): Check {
  const matches = pattern === undefined ? undefined : new RegExp(pattern, 'u');
  return (value, issues) => {
    if (typeof value !== 'string') issues.push(wrong('a text', value));
    else if (matches && !matches.test(value)) issues.push(wrong(`a text that matches ${pattern}`, value));
    else if (format === 'date' && !isCalendarDate(value)) {
      issues.push(wrong('a calendar date written YYYY-MM-DD', value));
    }
  };
}

function number({ minimum }: JsonSchema, what: string, is: (value: unknown) => boolean): Check {
  return (value, issues) => {
    if (!is(value)) issues.push(wrong(what, value));
    else if (minimum !== undefined && Number(value) < minimum) {
      issues.push(wrong(`${what} from ${minimum}`, value));
    }
  };
}

function oneOf(values: readonly unknown[]): Check {
  const what = values.map((each) => JSON.stringify(each)).join(' or ');
  return expecting(what, (value) => values.includes(value));
}

function expecting(what: string, is: (value: unknown) => boolean): Check {
  return (value, issues) => {
    if (!is(value)) issues.push(wrong(what, value));
  };
}

function wrong(expected: string, value: unknown): FoundIssue {
  const got = JSON.stringify(value)?.slice(0, 60) ?? String(value);
  return { path: [], message: `expected ${expected}, not ${got}` };
}
