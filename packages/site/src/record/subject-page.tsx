import { KINDS, type Kind } from '@archiefkast/types';
import { LAYOUT_TEXTS } from '../layout/layout.tsx';
import { linkTo, type PageContext } from '../layout/page-context.ts';
import { Cards } from './card.tsx';
import type { ListedRecord, PageRecord } from './page-record.ts';
import { type RecordPageFacts, renderRecordPage } from './record-frame.tsx';
import { RECORD_TEXTS } from './record-texts.ts';
import { type Selection, selectionSection } from './sections.tsx';
import { langOf, nameOf, recordPath } from './wording.ts';

/** The relations on the page of a subject. */
export interface SubjectRelations {
  /** From the top of the hierarchy to the parent. */
  broader: readonly ListedRecord[];
  narrower: Selection;
  /** The others below its parent. */
  siblings: readonly ListedRecord[];
  about: Readonly<Partial<Record<Kind, Selection>>>;
}

/** The page of a subject: its place in the hierarchy, and its records by kind. */
export function subjectPage(
  page: PageContext,
  subject: PageRecord,
  { broader, narrower, siblings, about }: SubjectRelations,
  facts: RecordPageFacts,
): string {
  const texts = RECORD_TEXTS[page.language];
  const { kinds } = LAYOUT_TEXTS[page.language];
  const sameAs = (subject.same_as ?? []).filter((address) => /^https?:\/\//.test(address));
  return renderRecordPage({
    page,
    record: subject,
    facts,
    linked: { 'skos:broader': broader.at(-1), 'skos:narrower': narrower.records },
    trail: broader.map((record) => {
      const name = nameOf(record, page.language);
      return (
        <a key={record.uuid} href={linkTo(page, recordPath(page.language, record))} {...langOf(name, page)}>
          {name.text}
        </a>
      );
    }),
    sections: [
      selectionSection(
        page,
        { id: 'narrower', title: texts.narrower, q: `parent:${subject.uuid}`, sort: 'name' },
        narrower,
      ),
      ...KINDS.map((kind) =>
        selectionSection(
          page,
          {
            id: kind,
            title: kinds[kind],
            q: `kind:${kind} subject:${subject.uuid}`,
            sort: kind === 'event' ? 'date' : 'name',
          },
          about[kind] ?? { records: [], count: 0 },
        ),
      ),
    ],
    aside: [
      siblings.length > 0 && {
        id: 'siblings',
        title: texts.siblings,
        children: (
          <details>
            <summary>{texts.all(siblings.length.toLocaleString(page.language))}</summary>
            <Cards page={page} records={siblings} />
          </details>
        ),
      },
      sameAs.length > 0 && {
        id: 'elsewhere',
        title: texts.elsewhere,
        children: (
          <ul class="cards">
            {sameAs.map((address) => (
              <li key={address} class="card">
                <a href={address} rel="noopener">
                  {address.replace(/^https?:\/\//, '')}
                </a>
              </li>
            ))}
          </ul>
        ),
      },
    ],
  });
}
