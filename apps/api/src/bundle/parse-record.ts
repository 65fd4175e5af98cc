import type { Kind } from '@archive/types';
import type { z } from 'zod';
import { nearestName } from '../nearest-name.ts';
import { type BundleRecord, bundleSchemas } from './record-schemas.ts';

/** What is wrong in one line. */
export interface LineFault {
  field?: string;
  reason: string;
}

const A: Record<Kind, string> = {
  person: 'a person',
  subject: 'a subject',
  location: 'a location',
  event: 'an event',
};

/** A line's record, or what is wrong with the line. */
export type ParsedLine<K extends Kind> = { record: BundleRecord[K] } | { faults: LineFault[] };

/** Parses and validates one line of a bundle file: JSON text, or undefined when its bytes are not UTF-8. */
export function parseRecord<K extends Kind>(kind: K, text: string | undefined): ParsedLine<K> {
  if (text === undefined) return { faults: [{ reason: 'is not UTF-8 text' }] };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { faults: [{ reason: `is not JSON: ${error instanceof Error ? error.message : String(error)}` }] };
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { faults: [{ reason: `expected a JSON object with the fields of ${A[kind]}` }] };
  }
  const schema: z.ZodType<BundleRecord[Kind]> = bundleSchemas[kind];
  const parsed = schema.safeParse(value);
  if (parsed.success) return { record: parsed.data as BundleRecord[K] };
  return { faults: parsed.error.issues.flatMap((issue) => describeIssue(kind, issue)) };
}

/** What an issue of the schema says to whoever wrote the line. */
function describeIssue(kind: Kind, issue: z.core.$ZodIssue): LineFault[] {
  const path = fieldName(issue.path);
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => {
      const near =
        issue.path.length === 0 ? nearestName(key, Object.keys(bundleSchemas[kind].shape)) : undefined;
      const hint = near ? `; did you mean ${near}?` : '';
      const owner = issue.path.length === 0 ? A[kind] : 'a file';
      return { field: fieldName([...issue.path, key]), reason: `is not a field of ${owner}${hint}` };
    });
  }
  if (issue.code === 'invalid_union') {
    const first = issue.errors[0]?.[0];
    return [{ field: path, reason: first ? tidy(first.message) : tidy(issue.message) }];
  }
  return [{ field: path, reason: tidy(issue.message) }];
}

function tidy(message: string): string {
  return message.replace(/^Invalid input: /, '').replace(', received', ', got');
}

/** `files[0].url` for the path `['files', 0, 'url']`. */
function fieldName(path: readonly PropertyKey[]): string {
  return path
    .map((step, index) =>
      typeof step === 'number' ? `[${step}]` : index === 0 ? String(step) : `.${String(step)}`,
    )
    .join('');
}
