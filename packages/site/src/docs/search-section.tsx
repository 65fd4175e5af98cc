import { linkTo, type PageContext } from '../layout/page-context.ts';
import { RichText } from '../layout/rich-text.tsx';
import type { DocsArchive, DocsSearchField } from './docs-data.ts';
import { DOCS_TEXTS as texts } from './docs-texts.ts';

/** The search language: queries with results in the archive, and every field. */
export function SearchSection({
  page,
  archive,
  fields,
}: {
  page: PageContext;
  archive: DocsArchive | undefined;
  fields: readonly DocsSearchField[];
}) {
  return (
    <section id="query">
      <h2 id="query-title">{texts.searchLanguage}</h2>
      <p>
        <RichText text={texts.searchLead} />
      </p>
      <table class="stacks">
        <thead>
          <tr>
            <th scope="col">{texts.query}</th>
            <th scope="col">{texts.meaning}</th>
          </tr>
        </thead>
        <tbody>
          {archive?.queries.map(({ q, meaning }) => (
            <tr key={q}>
              <td>
                <a href={linkTo(page, `${page.language}/api/search?q=${encodeURIComponent(q)}`)}>
                  <code>{q}</code>
                </a>
              </td>
              <td>{meaning}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p>
        <RichText text={texts.hits} />
      </p>
      <h3 id="fields">{texts.searchFields}</h3>
      <table class="stacks">
        <thead>
          <tr>
            <th scope="col">{texts.field}</th>
            <th scope="col">{texts.recordsColumn}</th>
            <th scope="col">{texts.meaning}</th>
            <th scope="col">{texts.matches}</th>
          </tr>
        </thead>
        <tbody>
          {fields.map(({ name, kinds, description, matching }) => (
            <tr key={name}>
              <td>
                <code>{name}</code>
              </td>
              <td>
                {kinds.length === 4
                  ? texts.all
                  : kinds.map((kind) => texts.kinds[kind].toLowerCase()).join(', ')}
              </td>
              <td>{description}</td>
              <td>{texts.matching[matching] ?? matching}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
