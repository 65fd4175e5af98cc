import { reuseSentence } from '@archiefkast/formats/dataset';
import { KINDS, LANGUAGES } from '@archiefkast/types';
import type { RouteDependencies } from '../../http/route.ts';
import type { Edition } from '../../storage/edition.ts';

/** What the archive is and where programs find it, for assistants (llmstxt.org). */
export function llmsText(
  { archive, counts, id }: Edition,
  { baseUrl, hasMcp }: Pick<RouteDependencies, 'baseUrl' | 'hasMcp'>,
): string {
  const held = KINDS.map((kind) => `${counts[kind]} ${kind}s`).join(', ');
  const licence = archive?.licence;
  const reuse = reuseSentence(archive?.reuse).en;
  const lines = [
    `# ${oneLine(archive?.title?.en ?? 'Archive')}`,
    '',
    `> ${oneLine(archive?.description?.en ?? 'A historical archive.')}`,
    '',
    `Edition ${id}: ${held}, in ${LANGUAGES.length} languages, English and Dutch. Read only; no key is needed.`,
    '',
    '## Use',
    '',
    `- [API](${baseUrl}/openapi.json): records, search and facets as JSON, described by OpenAPI; [for people](${baseUrl}/docs)`,
    `- [Dumps](${baseUrl}/en/api/dump/manifest.json): all records as files, for those who need more than a few`,
    `- [Changes](${baseUrl}/en/api/changes.jsonl?since=${id}): what changed since an edition, for those who have the files`,
    ...(hasMcp ? [`- [MCP](${baseUrl}/mcp): search, records, counts and names as tools, by POST`] : []),
    `- [Dataset](${baseUrl}/dataset.jsonld): what the archive says of itself`,
    `- Cite a record by its address, ${baseUrl}/id/{uuid}, and the edition`,
    `- Licence: ${licence ? `[${oneLine(licence.name)}](${licence.url})` : 'not stated; ask the archive'}`,
    ...(reuse ? [`- Reuse: ${reuse}`] : []),
    ...(archive?.note ? [`- Content note: ${oneLine(archive.note.en)}`] : []),
  ];
  return `${lines.join('\n')}\n`;
}

/** A text of the archive on one line. */
function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
