/** A text of one shape, of about `length` characters. */
export type Shape = (length: number) => string;

const of = (piece: string): Shape => {
  return (length) => piece.repeat(Math.max(1, Math.floor(length / piece.length)));
};
/** One after the other, of equal length. */
const both = (...shapes: readonly Shape[]): Shape => {
  return (length) => shapes.map((shape) => shape(length / shapes.length)).join('');
};
const within = (start: string, shape: Shape, end = ''): Shape => {
  return (length) => start + shape(length) + end;
};
const numbered = (write: (number: number) => string): Shape => {
  return (length) => {
    const pieces: string[] = [];
    for (let [number, left] = [0, length]; left > 0; number += 1) {
      const piece = write(number);
      pieces.push(piece);
      left -= piece.length;
    }
    return pieces.join('');
  };
};

type Shapes = Readonly<Record<string, Shape>>;

/** HTML that took quadratic time in some function of version 1.0, or could in another. */
export const HTML_SHAPES: Shapes = {
  'open div, wrong end tags': both(of('<div>'), of('</b>')),
  'open div': of('<div>'),
  'nested tables': of('<table><tr><td>'),
  'b with p': of('<b><p>'),
  'svg with p': of('<svg><p>'),
  'nested forms': of('<form><div>'),
  'nested lists': of('<ul><li>x'),
  'nested numbered lists': of('<ol><li>x'),
  'marks after a long text': both(of('x'), of('<sup>a</a>')),
  'unclosed marks': of('<sup>'),
  'marks with links': of('<sup><a href="#fn-1">1</a></sup>'),
  'notes without end': within('<section class="footnotes"><ol>', of('<li>x <a href="#fnref-1">')),
  'notes that refer to themselves': numbered((n) => `<sup><a href="#fn-${n}" id="fnref-${n}">${n}</a></sup>`),
  'existing notes': both(
    numbered((n) => `<a href="#fn-${n}">${n}</a>`),
    numbered((n) => `<li id="fn-${n}">`),
  ),
  'unclosed tags': of('<a '),
  'quotes in tags': of('<a "'),
  'one tag with many attributes': within(
    '<a ',
    numbered((n) => `a${n} `),
    '>x</a>',
  ),
  classes: within('<section class="', of('a '), '">x</section>'),
  'an address of spaces': within('<a href=', of(' '), '>'),
  'repeated starts of an address': of('href='),
  'an address of digits': within('<a href="#fn', of('1'), 'x">x</a>'),
  'event attributes in prose': of(' on'),
  'only <': of('<'),
  '< and spaces': of('< '),
  'unclosed comments': of('<!--'),
  'empty comments': of('<!---->'),
  declarations: of('<!x'),
  'CDATA in svg': within('<svg>', of('<![CDATA[x]]>')),
  scripts: of('<script></script>'),
  'a template around all': within('<template>', of('<p>x')),
  'titles in svg': within('<svg>', of('<title><p>')),
  ampersands: of('&amp'),
  'unclosed plain marks': of('[^'),
  'numbers of characters': of('&#x61;'),
};

/** The same for Markdown. */
export const MARKDOWN_SHAPES: Shapes = {
  'unclosed Markdown notes': of('[^'),
  'Markdown notes': numbered((n) => `x[^${n}]\n\n[^${n}]: note\n\n`),
  'unclosed Markdown links': of('[a](<b'),
  'Markdown images': of('![['),
  'Markdown quotes': of('>'),
  'Markdown lists': of('* '),
  'Markdown list of lines': of('* x\n'),
  'Markdown stars': of('*a **b '),
  'Markdown stars and underscores': of('*_'),
  'Markdown code': numbered((n) => `\`${'`'.repeat(n % 1_000)} `),
  'Markdown table': within('a|b\n-|-\n', of('x|y\n')),
  'Markdown table of columns': within(
    '',
    (length) => `${'a|'.repeat(length / 4)}\n${'-|'.repeat(length / 4)}\n`,
  ),
  'Markdown references': numbered((n) => `[a${n}]: /x\n`),
  'Markdown notes in notes': of('^[x'),
};

/** The same for any text. */
export const TEXT_SHAPES: Shapes = {
  spaces: of(' '),
  'line ends': of('\n'),
  'line breaks and spaces': of('\n '),
  'carriage returns': of('x\r'),
  'one word': of('x'),
  words: of('ab '),
  'a word in words': both(of('ab '), of('c'), of('ab ')),
  'combining marks': of('\u0301\u0323'),
  'combining marks, sorted last to first': both(of('\u0301'), of('\u0323')),
  'wide kana marks': of('\uff9e\u0301'),
  'characters beyond ASCII': of('éß ☃ '),
  'pairs of surrogates': of('😀'),
  'unclosed formats': of('[['),
  quotes: of('"'),
  'quotes and commas': of('"",'),
  backslashes: of('\\'),
  'list of values': of('a|'),
  'pluses and digits': within('content_nl', of('+1')),
  hyphens: of('- '),
  'letters i and j': of('ij'),
  'escapes of workbooks': of('_x000D_'),
};
