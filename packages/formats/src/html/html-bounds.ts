import { htmlParser } from './walk-html.ts';

/** Maximum nesting of elements that pages show. */
export const DEEPEST_HTML = 100;

/** Maximum number of tags in a text that pages show; every `<` counts. */
export const MOST_TAGS = 20_000;

/** Maximum number of attributes in a text that pages show. */
const MOST_ATTRIBUTES = 100_000;

/** A shorter text with at most `DEEPEST_HTML` tags is within all limits, and is not parsed. */
const SHORT = 100_000;

/**
 * Why a text has too much markup to be sanitised in linear time: too many tags, levels or attributes; undefined for any
 * normal text. Takes linear time.
 */
export function excessOfHtml(html: string): string | undefined {
  const tags = countTags(html);
  if (tags > MOST_TAGS) return `has more than ${MOST_TAGS.toLocaleString('en')} tags`;
  if (tags <= DEEPEST_HTML && html.length <= SHORT) return undefined;
  // Uses the same parser as the sanitiser of pages, and stops at the first limit.
  let depth = 0;
  let attributes = 0;
  let excess: string | undefined;
  const stop = (reason: string) => {
    excess = reason;
    parser.pause();
  };
  const { Parser } = htmlParser();
  const parser = new Parser(
    {
      onopentagname() {
        depth += 1;
        if (depth > DEEPEST_HTML) stop(`is nested deeper than ${DEEPEST_HTML} levels`);
      },
      onattribute() {
        attributes += 1;
        if (attributes > MOST_ATTRIBUTES)
          stop(`has more than ${MOST_ATTRIBUTES.toLocaleString('en')} attributes`);
      },
      onclosetag() {
        depth -= 1;
      },
    },
    { decodeEntities: false },
  );
  parser.write(html);
  return excess;
}

function countTags(html: string): number {
  let count = 0;
  for (let at = html.indexOf('<'); at !== -1 && count <= MOST_TAGS; at = html.indexOf('<', at + 1))
    count += 1;
  return count;
}
