import { HtmlValidate } from 'html-validate';

const validator = new HtmlValidate({
  extends: ['html-validate:recommended'],
  rules: {
    // Preact closes void elements, as XML would have it; both are HTML.
    'void-style': 'off',
    'no-trailing-whitespace': 'off',
    'long-title': 'off',
    // An attribute without a value is an empty one.
    'attribute-empty-style': 'off',
    'attribute-boolean-style': 'off',
  },
});

/** What is no valid HTML in a page: rule, message and place. */
export async function faultsOfHtml(html: string): Promise<string[]> {
  const { results } = await validator.validateString(html);
  return results.flatMap(({ messages }) =>
    messages.map(({ ruleId, message, line, column }) => `${ruleId}: ${message} (${line}:${column})`),
  );
}
