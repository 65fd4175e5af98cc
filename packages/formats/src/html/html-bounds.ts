import { htmlParser } from './walk-html.ts';

/** Levels of elements within each other that pages show. */
export const DEEPEST_HTML = 100;

/** Tags in a text that pages show; every `<` counts as one. */
export const MOST_TAGS = 20_000;

/** Attributes in a text that pages show. */
const MOST_ATTRIBUTES = 100_000;

/** A text that is shorter, with at most `DEEPEST_HTML` tags, is within all bounds. */
const SHORT = 100_000;

/**
 * Says why a text has too much markup to be cleaned in a time that follows its length: tags, levels or attributes.
 * Undefined for a text that is within bounds, such as any that people write. Takes a time that follows the length.
 */
export function excessOfHtml(html: string): string | undefined {
  const tags = countTags(html);
  if (tags > MOST_TAGS) return `has more than ${MOST_TAGS.toLocaleString('en')} tags`;
  if (tags <= DEEPEST_HTML && html.length <= SHORT) return undefined;
  // The parser is that which cleans texts for pages: what it takes for an element is one. It stops at a bound.
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
