import { type ArchiveRecord, type FileObject, type Kind, uuidOfReference } from '@archive/types';
import { titleOf } from './describe-record.ts';
import { htmlText } from './html-text.ts';

/** Fields that hold HTML; they follow the others, as paragraphs. */
const TEXTS = ['summary', 'content', 'description'];
/** Fields that say nothing to a reader, or stand in the heading. */
const LEFT_OUT = new Set(['published', 'title', 'name', 'position', 'location_events', ...TEXTS]);
/** The language variants of a field: the field itself holds the one that was asked for. */
const VARIANT = /_(nl|en)$/;

/**
 * A record as readable text.
 *
 * @param width where lines are wrapped, in characters
 */
export function recordText(kind: Kind, record: ArchiveRecord, width: number): string {
  const title = titleOf(record);
  const entries = Object.entries(record);
  const fields = entries
    .filter(([name]) => !LEFT_OUT.has(name) && !VARIANT.test(name))
    .map(([name, value]) => [name, fieldLines(value)] as const)
    .filter(([, lines]) => lines.length > 0);
  const indent = Math.max(...fields.map(([name]) => name.length)) + 2;
  const listed = fields.flatMap(([name, lines]) =>
    lines.map((line, index) => (index === 0 ? name : '').padEnd(indent) + line),
  );

  const texts = TEXTS.flatMap((name) => entries.filter(([field]) => field === name)).map(([, value]) =>
    htmlText(String(value), width),
  );
  const footnotes = texts.map((text) => text.footnotes).filter(Boolean);
  const sections = [
    `${title} (${kind})\n${'='.repeat(Math.min(width, title.length + kind.length + 3))}`,
    listed.join('\n'),
    ...texts.map(({ body }) => body).filter(Boolean),
    ...(footnotes.length > 0 ? [`Footnotes\n${footnotes.join('\n')}`] : []),
  ];
  return `${sections.join('\n\n')}\n`;
}

/** The lines that show a value: none when there is nothing to show. */
function fieldLines(value: unknown): string[] {
  if (value === null || value === '' || value === undefined) return [];
  if (Array.isArray(value)) return value.flatMap(fieldLines);
  if (typeof value === 'object') return [objectLine(value)];
  return [String(value)];
}

function objectLine(value: object): string {
  if (isFile(value)) {
    return [value.title, value.url || value.path, value.alt, value.author].filter(Boolean).join(' · ');
  }
  const name = 'title' in value ? value.title : 'name' in value ? value.name : '';
  const uuid = 'uuid' in value ? (uuidOfReference(String(value.uuid)) ?? '') : '';
  return `${String(name)} (${uuid})`;
}

function isFile(value: object): value is FileObject {
  return 'filetype' in value;
}
