import { FORMATS, type Format } from '../formats/export-kind.ts';
import { UsageError } from './command-context.ts';

/**
 * The formats that `--format csv,jsonl` or `--format csv --format jsonl` names.
 *
 * @throws UsageError naming the one that does not exist
 */
export function parseFormats(values: readonly string[]): Format[] {
  const names = values.flatMap((value) => value.split(',')).map((name) => name.trim());
  return FORMATS.filter((format) => names.map(toFormat).includes(format));
}

function toFormat(name: string): Format {
  const format = FORMATS.find((known) => known === name);
  if (!format) throw new UsageError(`--format: expected ${FORMATS.join(' or ')}, not "${name}"`);
  return format;
}
