import { HtmlValidate } from 'html-validate';

const validator = new HtmlValidate({
  extends: ['html-validate:recommended'],
  rules: {
    // Preact closes void elements, which is valid HTML too.
    'void-style': 'off',
    'no-trailing-whitespace': 'off',
    'long-title': 'off',
    // An attribute without a value equals an empty one.
    'attribute-empty-style': 'off',
    'attribute-boolean-style': 'off',
  },
});

/** The errors in the HTML of a page: rule, message and location. */
export async function faultsOfHtml(html: string): Promise<string[]> {
  const { results } = await validator.validateString(html);
  return results.flatMap(({ messages }) =>
    messages.map(({ ruleId, message, line, column }) => `${ruleId}: ${message} (${line}:${column})`),
  );
}
