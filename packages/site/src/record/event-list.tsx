import { linkTo, type PageContext } from '../layout/page-context.ts';
import { formatPeriod } from './format-date.ts';
import type { ListedRecord } from './page-record.ts';
import { RECORD_TEXTS } from './record-texts.ts';
import { langOf, nameOf, recordPath } from './wording.ts';

/** An event, and where it was. */
export interface DatedEvent {
  event: ListedRecord;
  location?: ListedRecord | undefined;
}

/** Events on a time line: when, what, where. */
export function EventList({ page, events }: { page: PageContext; events: readonly DatedEvent[] }) {
  const { undated } = RECORD_TEXTS[page.language];
  return (
    <ol class="timeline">
      {events.map(({ event, location }) => {
        const name = nameOf(event, page.language);
        return (
          <li key={event.uuid}>
            <span class="when">{formatPeriod(event, page.language) ?? undated}</span>{' '}
            <span class="what">
              <a href={linkTo(page, recordPath(page.language, event))} {...langOf(name, page)}>
                {name.text}
              </a>
              {location && (
                <span class="fact">
                  {' '}
                  <a href={linkTo(page, recordPath(page.language, location))}>
                    {nameOf(location, page.language).text}
                  </a>
                </span>
              )}
            </span>
          </li>
        );
      })}
    </ol>
  );
}
