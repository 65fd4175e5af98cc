import type { ChangedRecord, ChangesHeader, Kind, RecordOfKind } from '@archiefkast/types';
import { addressOf, type ClientParts } from './client-parts.ts';
import { dumpOf, type ServedManifest } from './dumps/manifest.ts';
import { linesFrom, readDump } from './dumps/read-dump.ts';
import { WrongAnswerError } from './errors/request-errors.ts';
import { createFetchWithin } from './request/fetch-within.ts';
import { parseAnswer } from './request/parse-answer.ts';
import { schemaOf, shapeOf, shapeOfKind } from './shape/shapes.ts';

/** What streams records as they come. */
export interface Feeds {
  /** What happened to each record since an edition, with the records. */
  changedRecords(since: number): AsyncGenerator<ChangedRecord, void, void>;
  /** All records of a kind in one request; it goes on where its connection breaks. */
  dump<K extends Kind>(kind: K): AsyncGenerator<RecordOfKind[K], void, void>;
}

/** Makes what streams lines: dumps, and the feed of changes. */
export function createFeeds(parts: ClientParts, manifest: () => Promise<ServedManifest | undefined>): Feeds {
  const { lenient } = parts;
  const fetchWithin = createFetchWithin(parts.headers);

  async function* changeLines(url: string): AsyncGenerator<string, void, void> {
    const decoder = new TextDecoder();
    for await (const lines of linesFrom({ ...parts, fetchWithin, url, from: 0 })) {
      for (const line of lines) yield decoder.decode(line);
    }
  }

  return {
    async *dump<K extends Kind>(kind: K) {
      const offered = await manifest();
      const file = offered && dumpOf(offered.manifest, kind);
      const url = addressOf(parts, 'dump/manifest.json');
      if (!file) throw new WrongAnswerError(url, `expected a dump of every ${kind}`, offered?.text ?? '');
      const pinned = new URL(file.url);
      pinned.searchParams.set('edition', String(offered.manifest.edition.id));
      const schema = schemaOf<RecordOfKind[K]>(shapeOfKind(kind));
      const decoder = new TextDecoder();
      const reading = { ...parts, fetchWithin, url: pinned.href, from: 0, bytes: file.bytes };
      for await (const lines of readDump(reading)) {
        for (const line of lines) {
          yield parseAnswer(pinned.href, decoder.decode(line), schema, `a ${kind}`, lenient);
        }
      }
    },
    async *changedRecords(since) {
      const url = addressOf(parts, 'changes.jsonl', { since: String(since) });
      const header = schemaOf<ChangesHeader>(shapeOf('ChangesHeader'));
      const record = schemaOf<ChangedRecord>(shapeOf('ChangedRecord'));
      let promised: number | undefined;
      let came = 0;
      const shortfall = () =>
        new WrongAnswerError(url, `expected ${promised ?? 'some'} changed records, not ${came}`, '');
      for await (const line of changeLines(url)) {
        if (promised === undefined) {
          const { added, changed, removed } = parseAnswer(url, line, header, 'what changed', lenient);
          promised = added + changed + removed;
        } else {
          came += 1;
          if (came > promised) throw shortfall();
          yield parseAnswer(url, line, record, 'a changed record', lenient);
        }
      }
      if (came !== promised) throw shortfall();
    },
  };
}
