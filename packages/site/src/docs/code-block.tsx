/** Code to copy. The button is there where scripts are. */
export function CodeBlock({ code, language, copy }: { code: string; language: string; copy: string }) {
  return (
    <div class="code">
      <pre>
        <code data-language={language}>{code}</code>
      </pre>
      <button type="button" class="copy" hidden>
        {copy}
      </button>
    </div>
  );
}
