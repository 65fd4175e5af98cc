import { LAYOUT_TEXTS } from '../layout/layout-texts.ts';
import type { PageContext } from '../layout/page-context.ts';
import type { PageRecord } from '../record/page-record.ts';
import { RECORD_TEXTS } from '../record/record-texts.ts';
import { nameOf, recordPath, wordingOf } from '../record/wording.ts';
import { escapeXml } from './escape-xml.ts';

/** The records that changed last, newest first, as a feed (RFC 4287). */
export function atomFeed(
  page: PageContext,
  entries: readonly { record: PageRecord; changedAt: string }[],
  publishedAt: string,
): string {
  const { language, baseUrl } = page;
  const home = escapeXml(`${baseUrl}/${language}/`);
  const name = escapeXml(page.archiveName ?? LAYOUT_TEXTS[language].archive);
  return `<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${language}">
<id>${home}</id>
<title>${name}</title>
<updated>${publishedAt}</updated>
<author><name>${name}</name></author>
<link rel="alternate" type="text/html" href="${home}"/>
<link rel="self" type="application/atom+xml" href="${escapeXml(`${baseUrl}/${page.path}`)}"/>
${entries.map(({ record, changedAt }) => entryOf(page, record, changedAt)).join('\n')}
</feed>
`;
}

function entryOf({ language, baseUrl }: PageContext, record: PageRecord, changedAt: string): string {
  const title = `${nameOf(record, language).text} (${RECORD_TEXTS[language].kind[record.kind]})`;
  const summary = wordingOf(record, 'summary', language).text;
  return `<entry>
<id>urn:uuid:${record.uuid}</id>
<title>${escapeXml(title)}</title>
<updated>${changedAt}</updated>
<link rel="alternate" type="text/html" href="${escapeXml(`${baseUrl}/${recordPath(language, record)}`)}"/>${
    summary === '' ? '' : `\n<summary>${escapeXml(summary)}</summary>`
  }
</entry>`;
}
