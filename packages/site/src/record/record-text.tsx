import type { PageContext } from '../layout/page-context.ts';
import { cleanOnce } from './clean-html.ts';
import { RECORD_TEXTS } from './record-texts.ts';
import { langOf, type Wording } from './wording.ts';

/** The long text of a record: the only HTML of the archive on a page, cleaned. */
export function RecordText({
  page,
  wording,
  prefix,
}: {
  page: PageContext;
  wording: Wording;
  prefix: string;
}) {
  if (wording.text === '') return null;
  const texts = RECORD_TEXTS[page.language];
  const html = cleanOnce(wording.text, prefix, { notes: texts.notes, note: texts.note, back: texts.back });
  return (
    <div class="text">
      <DutchNote page={page} wording={wording} />
      <div class="prose" {...langOf(wording, page)} dangerouslySetInnerHTML={{ __html: html }} />
    </div>
  );
}

/** A note that a text on an English page is in Dutch. */
function DutchNote({ page, wording }: { page: PageContext; wording: Wording }) {
  if (wording.language === page.language) return null;
  return <p class="small note">{RECORD_TEXTS[page.language].dutchOnly}</p>;
}
