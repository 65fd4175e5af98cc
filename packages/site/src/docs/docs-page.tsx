import { renderPage } from '../layout/layout.tsx';
import { linkTo, type PageContext } from '../layout/page-context.ts';
import { RichText } from '../layout/rich-text.tsx';
import { CodeBlock, codeExamples } from './code-examples.tsx';
import type { DocsArchive, DocsData, DocsProblem } from './docs-data.ts';
import { DOCS_TEXTS as texts } from './docs-texts.ts';
import { EndpointGroup } from './endpoints-section.tsx';
import { RecordsSection } from './records-section.tsx';
import { SearchSection } from './search-section.tsx';

/** The documentation of the API for developers: concepts, records, and every endpoint with a form to try it. */
export function docsPage(page: PageContext, data: DocsData): string {
  const { archive, groups, endpoints, searchFields, problems } = data;
  return renderPage({
    page,
    title: page.archiveName === undefined ? texts.title : `${texts.title} · ${page.archiveName}`,
    description: texts.description,
    styles: ['docs.css'],
    scripts: ['docs.js'],
    footer: (
      <p>
        {texts.footer} <a href={linkTo(page, 'openapi.json')}>OpenAPI 3.1</a>.
      </p>
    ),
    children: (
      <main id="main" data-asking={texts.asking} data-no-answer={texts.noAnswer} data-copied={texts.copied}>
        <div class="wide intro">
          <h1>{texts.title}</h1>
          <p class="lead">{texts.lead}</p>
          <Facts archive={archive} />
          <p>
            <RichText text={texts.first} />
          </p>
        </div>
        <div class="wide columns">
          <nav class="contents" aria-label={texts.contents}>
            <ul>
              {CONTENTS.map(({ id, words }) => (
                <li key={id}>
                  <a href={`#${id}`}>{words}</a>
                </li>
              ))}
              <li>
                <a href={linkTo(page, 'openapi.json')}>OpenAPI</a>
              </li>
            </ul>
          </nav>
          <div class="body-text">
            <Start page={page} archive={archive} />
            <Basics />
            <RecordsSection page={page} archive={archive} />
            <SearchSection page={page} archive={archive} fields={searchFields} />
            <section id="endpoints">
              <h2 id="endpoints-title">{texts.endpoints}</h2>
              <p>{texts.endpointsLead}</p>
              {groups.map((group) => (
                <EndpointGroup
                  key={group.name}
                  page={page}
                  group={group}
                  endpoints={endpoints.filter((endpoint) => endpoint.group === group.name)}
                />
              ))}
            </section>
            <Problems page={page} problems={problems} />
          </div>
        </div>
      </main>
    ),
  });
}

const CONTENTS = [
  { id: 'start', words: texts.start },
  { id: 'basics', words: texts.basics },
  { id: 'records', words: texts.records },
  { id: 'query', words: texts.searchLanguage },
  { id: 'fields', words: texts.searchFields },
  { id: 'endpoints', words: texts.endpoints },
  { id: 'problems', words: texts.problems },
];

function Facts({ archive }: { archive: DocsArchive | undefined }) {
  if (!archive) return <p class="facts">{texts.nothingPublished}</p>;
  const day = archive.publishedAt.toLocaleDateString('en-GB', {
    dateStyle: 'long',
    timeZone: 'UTC',
  });
  const counts = (['person', 'subject', 'location', 'event'] as const).map(
    (kind) => `${archive.counts[kind].toLocaleString('en')} ${texts.kinds[kind].toLowerCase()}`,
  );
  return (
    <p class="facts">
      {counts.join(' · ')}. {texts.published(archive.edition, day)}
    </p>
  );
}

function Start({ page, archive }: { page: PageContext; archive: DocsArchive | undefined }) {
  const q = archive?.queries[0]?.q ?? 'kind:person';
  const address = `${page.baseUrl}/${page.language}/api/search?q=${encodeURIComponent(q)}`;
  return (
    <section id="start">
      <h2 id="start-title">{texts.start}</h2>
      <p>{texts.startLead}</p>
      {codeExamples({ address, comment: texts.comment(q) }).map(({ language, name, code }) => (
        <section key={language}>
          <h3>{name}</h3>
          <CodeBlock code={code} language={language} />
        </section>
      ))}
    </section>
  );
}

function Basics() {
  return (
    <section id="basics">
      <h2 id="basics-title">{texts.basics}</h2>
      <dl class="basics">
        {texts.basicsList.map(([term, text]) => (
          <div key={term}>
            <dt>{term}</dt>
            <dd>
              <RichText text={text} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function Problems({ page, problems }: { page: PageContext; problems: readonly DocsProblem[] }) {
  return (
    <section id="problems">
      <h2 id="problems-title">{texts.problems}</h2>
      <p>
        <RichText text={texts.problemsLead} />
      </p>
      <table class="stacks">
        <thead>
          <tr>
            <th scope="col">{texts.status}</th>
            <th scope="col">{texts.name}</th>
            <th scope="col">{texts.titleColumn}</th>
          </tr>
        </thead>
        <tbody>
          {problems.map(({ name, status, title }) => (
            <tr key={name}>
              <td>
                <span class={`status s${Math.floor(status / 100)}`}>{status}</span>
              </td>
              <td>
                <a href={linkTo(page, `problems/${name}`)}>
                  <code>{name}</code>
                </a>
              </td>
              <td>{title}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
