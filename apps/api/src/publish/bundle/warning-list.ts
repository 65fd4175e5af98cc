import type { Kind } from '@archiefkast/types';
import { countMessages, describeFault, type Message, MessageList, type Origins } from './faults.ts';

/** Warning codes, and what each means. */
export const WARNINGS = {
  'no-name': 'records without a name',
  'dates-reversed': 'end dates before start dates',
  'date-unlikely': 'unlikely dates',
  'supplement-differs': 'dates that are not as the supplement says',
  'footnote-missing': 'footnote marks without a footnote',
  script: 'scripts in HTML',
  'too-much-markup': 'texts shown as plain text on pages',
  'image-rights': 'images without credit or licence',
  'tags-as-text': 'HTML tags that readers see',
  'image-address': 'images without a URL, or one that shows nothing',
  'media-unset': 'files in MEDIA_DIR, which is not set',
  'media-missing': 'files that are not in MEDIA_DIR',
  'media-type': 'files whose content is not what their name says',
  'same-name': 'duplicate names',
  spaces: 'names that begin or end with a space',
  gender: 'other words for male and female',
  'coordinates-zero': 'coordinates at 0,0',
  'coordinates-swapped': 'latitude and longitude possibly swapped',
  formula: 'texts that a spreadsheet may evaluate as formulas',
  'no-english': 'records without an English translation',
  'no-dutch': 'records without a Dutch text',
} as const;

/** The code of a warning. */
export type WarningCode = keyof typeof WARNINGS;

/** A possible mistake in a bundle, which does not stop a publish. */
export interface Warning extends Message {
  code: WarningCode;
}

/** Maximum number of different warnings shown per code; further ones are only counted. */
const SHOWN = 5;

/** Collects the warnings of a bundle: keeps the first five different ones of each code, counts all. */
export class WarningList {
  readonly #origins: Origins;
  readonly #lists = new Map<WarningCode, MessageList<Warning>>();

  constructor(origins: Origins) {
    this.#origins = origins;
  }

  add(code: WarningCode, kind: Kind, line: number, field: string | undefined, reason: string): void {
    const list = this.#lists.get(code) ?? new MessageList<Warning>(SHOWN);
    this.#lists.set(code, list);
    list.add({ code, ...this.#origins.at(kind, line, field), reason });
  }

  /** The warnings shown: those of the code found first come first. */
  get shown(): readonly Warning[] {
    return [...this.#lists.values()].flatMap((list) => list.shown);
  }

  /** Number of warnings per code. */
  get counts(): Partial<Record<WarningCode, number>> {
    return Object.fromEntries([...this.#lists].map(([code, { count }]) => [code, count]));
  }

  get count(): number {
    return Object.values(this.counts).reduce((sum, count) => sum + count, 0);
  }

  /** Lines with the warnings shown, and how many of each code are not. */
  get lines(): string[] {
    const texts = [...this.#lists].flatMap(([code, { shown, count }]) => {
      const hidden = count - countMessages(shown);
      const rest = hidden > 0 ? [`… and ${hidden} more: ${WARNINGS[code]} (${count} in all)`] : [];
      return [...shown.map(describeFault), ...rest];
    });
    return texts.map((text) => `warning: ${text}\n`);
  }
}
