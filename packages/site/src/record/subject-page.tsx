import { KINDS, type Kind } from '@archiefkast/types';
import { linkTo, type PageContext } from '../layout/page-context.ts';
import { Card } from './card.tsx';
import type { ListedRecord, PageRecord } from './page-record.ts';
import { type EditionFacts, renderRecordPage } from './record-frame.tsx';
import { RECORD_TEXTS } from './record-texts.ts';
import { MoreLink } from './sections.tsx';
import { langOf, nameOf, recordPath } from './wording.ts';

/** Some records, and their total number. */
export interface Selection {
  records: readonly ListedRecord[];
  count: number;
}

/** The relations on the page of a subject. */
export interface SubjectRelations {
  /** From the top of the hierarchy to the parent. */
  broader: readonly ListedRecord[];
  narrower: Selection;
  about: Readonly<Partial<Record<Kind, Selection>>>;
}

/** The page of a subject: its place in the hierarchy, and its records by kind. */
export function subjectPage(
  page: PageContext,
  subject: PageRecord,
  { broader, narrower, about }: SubjectRelations,
  facts: EditionFacts,
): string {
  const texts = RECORD_TEXTS[page.language];
  const sameAs = (subject.same_as ?? []).filter((address) => /^https?:\/\//.test(address));
  return renderRecordPage({
    page,
    record: subject,
    facts,
    line: <Trail page={page} broader={broader} />,
    aside: sameAs.length > 0 && (
      <section>
        <h2>{texts.elsewhere}</h2>
        <ul class="cards">
          {sameAs.map((address) => (
            <li key={address} class="card">
              <a href={address} rel="noopener">
                {address.replace(/^https?:\/\//, '')}
              </a>
            </li>
          ))}
        </ul>
      </section>
    ),
    children: (
      <>
        {narrower.count > 0 && (
          <section>
            <h2>{texts.narrower}</h2>
            <List page={page} selection={narrower} q={`parent:${subject.uuid}`} sort="name" />
          </section>
        )}
        {KINDS.map((kind) => {
          const selection = about[kind];
          if (!selection || selection.count === 0) return null;
          return (
            <section key={kind}>
              <h2>
                {texts.kinds[kind]} <span class="count">{selection.count.toLocaleString(page.language)}</span>
              </h2>
              <List
                page={page}
                selection={selection}
                q={`kind:${kind} subject:${subject.uuid}`}
                sort={kind === 'event' ? 'date' : 'name'}
              />
            </section>
          );
        })}
      </>
    ),
  });
}

function List({
  page,
  selection: { records, count },
  q,
  sort,
}: {
  page: PageContext;
  selection: Selection;
  q: string;
  sort: string;
}) {
  return (
    <>
      <ul class="cards columns-2">
        {records.map((record) => (
          <Card key={record.uuid} page={page} record={record} />
        ))}
      </ul>
      <MoreLink page={page} count={count} shown={records.length} q={q} sort={sort} />
    </>
  );
}

function Trail({ page, broader }: { page: PageContext; broader: readonly ListedRecord[] }) {
  const texts = RECORD_TEXTS[page.language];
  return (
    <nav class="trail" aria-label={texts.broader}>
      <ol>
        <li>
          <a href={linkTo(page, `${page.language}/onderwerpen/`)}>{texts.top}</a>
        </li>
        {broader.map((record) => {
          const name = nameOf(record, page.language);
          return (
            <li key={record.uuid}>
              <a href={linkTo(page, recordPath(page.language, record))} {...langOf(name, page)}>
                {name.text}
              </a>
            </li>
          );
        })}
      </ol>
    </nav>
  );
}
