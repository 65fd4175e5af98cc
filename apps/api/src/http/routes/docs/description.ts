import { type Matching, SEARCH_FIELDS } from '../../../search/index.ts';
import { PROBLEMS } from '../../problems.ts';

/** The documentation of the API as Markdown: a start, what it promises, the search language, and the errors. */
export function describeApi(baseUrl: string): string {
  const address = `${baseUrl}/en/api/search?q=kind:person`;
  return `A read-only archive of persons, subjects, locations and events, in English and Dutch.

Assistants ask the archive by the Model Context Protocol, with a POST to \`/mcp\`; \`/llms.txt\` says what else there is.

Every endpoint supports GET and HEAD, and describes itself with OPTIONS. Any origin is allowed (CORS); no key is needed.

## Start

Each example reads all persons, page by page, and runs unchanged.

\`\`\`shell
curl --fail --compressed '${address}'
\`\`\`

\`\`\`javascript
let next = '${address}';
while (next) {
  const response = await fetch(next);
  const page = await response.json();
  if (!response.ok) throw new Error(page.detail);
  for (const { type, instance } of page.results) console.log(type, instance.title ?? instance.name, instance.url);
  next = page.next;
}
\`\`\`

\`\`\`python
import json
from urllib.request import urlopen

next_page = "${address}"
while next_page:
    with urlopen(next_page) as response:
        page = json.load(response)
    for hit in page["results"]:
        record = hit["instance"]
        print(hit["type"], record.get("title") or record["name"], record["url"])
    next_page = page["next"]
\`\`\`

\`\`\`r
next_page <- "${address}"
while (!is.null(next_page)) {
  page <- jsonlite::fromJSON(next_page, simplifyVector = FALSE)
  for (hit in page$results) cat(hit$type, hit$instance$title, hit$instance$url, "\\n")
  next_page <- page[["next"]]
}
\`\`\`

## What every answer keeps

- **Languages.** Every path begins with \`/en\` or \`/nl\`. A field such as \`name\` has the text in that language, \`name_en\` and \`name_nl\` have both. If
  the English text is missing, \`name\` is the Dutch one. The fields \`content\` and \`description\` are HTML fragments.
- **Pages.** Lists and search return ten records a page. Follow \`next\` until it is \`null\`; \`count\` is the number of results. There is no page size: for
  all records, use the dumps; for small pages, \`fields=brief\`.
- **Empty values.** Every field is always there. An empty text is \`""\`, an empty date or reference \`null\`, an empty list \`[]\`.
- **Editions.** The archive is published as a whole, in numbered editions. \`Archive-Edition\` names that of an answer; with \`edition=\` all pages come
  from the same one.
- **Caching.** Send the \`ETag\` of an answer in \`If-None-Match\`: if nothing has changed, the answer is an empty 304.
- **Links** are absolute. Follow them: do not make addresses.

## Search

\`q\` is a list of words and clauses; a record matches if all of them do. A word matches any text of a record, \`field:value\` one field, \`"…"\` a phrase,
\`word*\` the start of a word, and \`-\` excludes. Case, accents and the style of quotes do not matter; \`ij\` and \`y\` are the same. Each hit has
the kind of record in \`type\`, the record in \`instance\` and its relevance in \`score\`, which is 0.0 without \`q\`.

| field | records | meaning | matches if the value |
|---|---|---|---|
${SEARCH_FIELDS.map(({ name, kinds, description, matching }) =>
  row(`\`${name}\``, kinds.length === 4 ? 'all' : kinds.join(', '), description, MATCHING[matching]),
).join('\n')}

## Errors

An error is \`application/problem+json\` (RFC 9457); its \`type\` is the address of a page with help.

| status | name | title |
|---|---|---|
${Object.entries(PROBLEMS)
  .map(([name, { status, title }]) => row(String(status), `[${name}](${baseUrl}/problems/${name})`, title.en))
  .join('\n')}
`;
}

function row(...cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}

/** When the value of a field matches, by the way it is compared. */
const MATCHING: Readonly<Record<Matching, string>> = {
  contains: 'contains the given text',
  whole: 'equals the given value',
  number: 'equals the given number',
  place: 'contains the given text',
  date: 'contains the given text, or is in a range such as 1620..1650',
  kind: 'is the given kind',
  element: 'equals the given value, or is a list that contains it',
  words: 'contains all given words; in quotes, as a phrase',
  near: 'lies near a point: latitude,longitude,distance, such as 52.37,4.89,500m',
  within: 'lies in a bounding box: south,west,north,east, such as 52.3,4.8,52.4,5.0',
  reference: 'is a reference to the record with the given uuid or id',
};
