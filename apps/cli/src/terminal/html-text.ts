import { convert, type HtmlToTextOptions } from 'html-to-text';

/** A text of the archive, made readable. */
export interface PlainText {
  body: string;
  /** The footnotes as a numbered list; empty when there are none. */
  footnotes: string;
}

const FOOTNOTES = 'section.footnotes';

/**
 * Turns an HTML fragment into text: a footnote's marker becomes `[1]`, the footnotes themselves stand apart.
 *
 * @param width where lines are wrapped, in characters
 */
export function htmlText(html: string, width: number): PlainText {
  const options: HtmlToTextOptions = {
    wordwrap: width,
    formatters: {
      marker(element, walk, builder) {
        builder.addInline('[');
        walk(element.children, builder);
        builder.addInline(']');
      },
    },
    selectors: [
      { selector: 'a', options: { ignoreHref: true } },
      { selector: 'a[href^="#fnref"]', format: 'skip' },
      { selector: 'sup', format: 'marker' },
      ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({
        selector,
        options: { uppercase: false },
      })),
    ],
  };
  const selectors = [...(options.selectors ?? []), { selector: FOOTNOTES, format: 'skip' }];
  const body = convert(html, { ...options, selectors });
  const footnotes = convert(html, {
    ...options,
    baseElements: { selectors: [FOOTNOTES], returnDomByDefault: false },
  });
  return { body, footnotes };
}
