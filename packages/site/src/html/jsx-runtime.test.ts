import { describe, expect, test } from 'vitest';
import { type Children, Fragment, jsx, toHtml } from './jsx-runtime.ts';

const written = (type: string, props: Record<string, unknown> & { children?: Children }) =>
  toHtml(jsx(type, props));

const HOSTILE = `"><script>alert('1')</script>&amp;`;
const ESCAPED = `&quot;>&lt;script>alert('1')&lt;/script>&amp;amp;`;

describe('an element', () => {
  test.each<[string, string, Record<string, unknown>, string]>([
    ['escapes its text', 'p', { children: HOSTILE }, `<p>${ESCAPED}</p>`],
    ['escapes texts in lists', 'p', { children: ['a', [HOSTILE]] }, `<p>a${ESCAPED}</p>`],
    ['escapes its attributes', 'a', { title: HOSTILE }, `<a title="${ESCAPED}"></a>`],
    ['inserts raw markup', 'p', { dangerouslySetInnerHTML: { __html: '<b>' } }, '<p><b></p>'],
    ['shows numbers, including 0', 'p', { children: [0, 1.5] }, '<p>01.5</p>'],
    ['shows nothing for empty values', 'p', { children: [null, undefined, true, false, ''] }, '<p></p>'],
    ['leaves out empty attributes', 'p', { id: undefined, lang: null, hidden: false }, '<p></p>'],
    ['has attributes without a value', 'img', { alt: '', hidden: true }, '<img alt hidden/>'],
    [
      'writes true and false for aria attributes',
      'p',
      { 'aria-hidden': true, 'aria-busy': false },
      '<p aria-hidden="true" aria-busy="false"></p>',
    ],
    ['has an end tag, unless it is void', 'br', {}, '<br/>'],
  ])('%s', (_, type, props, html) => {
    expect(written(type, props)).toBe(html);
  });

  test('contains others, which are escaped once', () => {
    const inner = jsx('b', { children: '<' });
    expect(written('p', { children: [inner, jsx(Fragment, { children: [inner, '&'] })] })).toBe(
      '<p><b>&lt;</b><b>&lt;</b>&amp;</p>',
    );
  });

  test('does not treat look-alikes as markup', () => {
    const forged: unknown = { html: '<script>' };
    expect(() => written('p', { children: forged as Children })).toThrow();
  });
});

test('a component is replaced by its content', () => {
  const Name = ({ children }: { children?: Children }) => ['<', children];
  expect(toHtml(jsx(Name, { children: '&' }))).toBe('&lt;&amp;');
});
