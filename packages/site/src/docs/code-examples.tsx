import { DOCS_TEXTS as texts } from './docs-texts.ts';

/** Code to copy. Scripts show the button. */
export function CodeBlock({ code, language }: { code: string; language: string }) {
  return (
    <div class="code">
      <pre>
        <code data-language={language}>{code}</code>
      </pre>
      <button type="button" class="copy" hidden>
        {texts.copy}
      </button>
    </div>
  );
}

/** Code that sends a request to the archive, and runs unchanged. */
interface CodeExample {
  language: 'shell' | 'javascript' | 'python';
  /** Its title. */
  name: string;
  code: string;
}

/** The request of the code examples. */
interface ExampleSubject {
  /** Absolute address of a list or of a search. */
  address: string;
  /** A comment about the code. */
  comment: string;
}

/** The same example in three languages: reads all hits of a query, page by page, from one edition. */
export function codeExamples({ address, comment }: ExampleSubject): CodeExample[] {
  return [
    { language: 'shell', name: 'curl', code: `# ${comment}\ncurl --fail --compressed '${address}'` },
    {
      language: 'javascript',
      name: 'JavaScript',
      code: `// ${comment}
let next = ${quote(address)};
while (next) {
  const response = await fetch(next);
  const page = await response.json();
  if (!response.ok) throw new Error(page.detail);
  for (const { type, instance } of page.results) {
    console.log(type, instance.title ?? instance.name, instance.url);
  }
  next = page.next;
}`,
    },
    {
      language: 'python',
      name: 'Python',
      code: `# ${comment}
import json
from urllib.request import urlopen

next_page = ${quote(address)}
while next_page:
    with urlopen(next_page) as response:
        page = json.load(response)
    for hit in page["results"]:
        record = hit["instance"]
        print(hit["type"], record.get("title") or record["name"], record["url"])
    next_page = page["next"]`,
    },
  ];
}

/** A text as a string literal of JavaScript and Python. */
function quote(text: string): string {
  return JSON.stringify(text);
}
