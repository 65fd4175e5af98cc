import { describe, expect, test } from 'vitest';
import { htmlOfMarkdown } from './markdown.ts';
import { markdownOfHtml } from './markdown-of-html.ts';

describe('Markdown comes back from its HTML', () => {
  test.each([
    'One line.',
    'Two paragraphs,\non two lines.\n\nThe other one.',
    'Some *stress*, **more**, ~~none~~, `code` and a [link](https://a.test/?a=1&b=2).',
    'A line\\\nbreak.',
    '# A heading\n\nA text.\n\n## Another\n\n---\n\nThe end.',
    '- one\n- two\n- three',
    '3. three\n4. four',
    '- one\n  - inner\n  - more\n- two',
    '- one\n\n- two\n\n  with more',
    '> quoted\n>\n> twice',
    '```\nplain <b> & text\n```',
    '![A tulip](https://a.test/tulp.jpg)',
    'A fact.[^1] Another.[^2]\n\n[^1]: Its *source*.\n\n[^2]: One more.',
    'A fact.[^1] The same.[^1]\n\n[^1]: Its source.\n\n    In two paragraphs.',
    'Clusius beschreef planten & bloemen uit “heel” Europa – en kwam naar *Leiden*.[^1]\n\n[^1]: Carolus Clusius, *Rariorum* (Antwerpen 1601).',
  ])('%j', (markdown) => {
    expect(markdownOfHtml(htmlOfMarkdown(markdown))).toBe(markdown);
  });

  test.each(['1\\. not a list', '\\*not stress\\*', 'a \\[link\\](x)', '\\# no heading', 'a \\<b\\> tag'])(
    '%j, with what has to be escaped',
    (markdown) => {
      const html = htmlOfMarkdown(markdown);
      const back = markdownOfHtml(html);
      expect(back).toBeDefined();
      expect(htmlOfMarkdown(back ?? '')).toBe(html);
    },
  );
});

test.each([
  '',
  'plain text',
  '<p>one</p><p>two</p>',
  '<p class="a">one</p>',
  '<div>one</div>',
  '<p>one',
  '<p>one</em></p>',
  '</p>',
  '<p> one </p>',
  '<p>caf&eacute;</p>',
  `${'<em>'.repeat(200)}a${'</em>'.repeat(200)}`,
])('HTML that Markdown does not give is left alone: %j', (html) => {
  expect(markdownOfHtml(html)).toBeUndefined();
});
