import type { PageContext } from '../layout/page-context.ts';
import { cleanOnce } from './clean-html.ts';
import { foldHtml } from './fold-html.ts';
import { RECORD_TEXTS } from './record-texts.ts';
import { langOf, type Wording } from './wording.ts';

/** The fragment of the long text of a record. */
export const TEXT_ID = 'full-text';

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
  const [shown, folded] = foldHtml(html);
  return (
    <div class="text" id={TEXT_ID}>
      <DutchNote page={page} wording={wording} />
      <div class="prose" {...langOf(wording, page)} dangerouslySetInnerHTML={{ __html: shown }} />
      {folded !== '' && (
        <details class="folded">
          <summary>
            <span class="to-open">{texts.readAll}</span>
            <span class="to-close">{texts.foldText}</span>
          </summary>
          <div class="prose" {...langOf(wording, page)} dangerouslySetInnerHTML={{ __html: folded }} />
        </details>
      )}
    </div>
  );
}

/** A note that a text on an English page is in Dutch. */
function DutchNote({ page, wording }: { page: PageContext; wording: Wording }) {
  if (wording.language === page.language) return null;
  return <p class="small note">{RECORD_TEXTS[page.language].dutchOnly}</p>;
}
