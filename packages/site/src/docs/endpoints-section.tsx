import type { Language } from '@archiefkast/types';
import { linkTo, type PageContext } from '../layout/page-context.ts';
import { CodeBlock } from './code-examples.tsx';
import type { DocsEndpoint, DocsParameter } from './docs-data.ts';
import { DOCS_TEXTS as texts } from './docs-texts.ts';

/** The endpoints of a group: files in one table, each other one with a form to try it. */
export function EndpointGroup({
  page,
  group,
  endpoints,
}: {
  page: PageContext;
  group: { name: string; description: string };
  endpoints: readonly DocsEndpoint[];
}) {
  const id = `endpoints-${group.name.toLowerCase()}`;
  const files = endpoints.filter(({ isFile, parameters }) => isFile && parameters.every(isOptional));
  return (
    <section id={id}>
      <h3 id={`${id}-title`}>{group.name}</h3>
      <p>{group.description}</p>
      {files.length > 0 && (
        <table class="stacks">
          <thead>
            <tr>
              <th scope="col">{texts.file}</th>
              <th scope="col">{texts.meaning}</th>
              <th scope="col">{texts.answers}</th>
            </tr>
          </thead>
          <tbody>
            {files.map((file) => (
              <tr key={file.path} data-path={file.path}>
                <td>
                  <a href={linkTo(page, filledPath(file, page.language))}>
                    <code>{file.path}</code>
                  </a>
                </td>
                <td>{file.description}</td>
                <td>
                  <code>{file.contentType}</code>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {endpoints
        .filter((endpoint) => !files.includes(endpoint))
        .map((endpoint) => (
          <Endpoint key={endpoint.path} page={page} endpoint={endpoint} />
        ))}
    </section>
  );
}

function isOptional({ required, name }: DocsEndpoint['parameters'][number]): boolean {
  return !required || name === 'lang';
}

/** An endpoint: its path, response and parameters, and a form to try it, which works without scripts. */
function Endpoint({ page, endpoint }: { page: PageContext; endpoint: DocsEndpoint }) {
  const { path, name, description, contentType, isFile, parameters, problems } = endpoint;
  const id = idOf(path);
  const action = filledPath(endpoint, page.language);
  const query = new URLSearchParams(
    parameters.flatMap(({ place, name: key, value }) => (place === 'query' && value ? [[key, value]] : [])),
  ).toString();
  const address = `${page.baseUrl}/${action}${query && `?${query}`}`;
  return (
    <details class="endpoint" id={id}>
      <summary>
        <span class="verb">GET</span> <code class="path">{path}</code> <span class="name">{name}</span>
      </summary>
      <div class="content">
        <p>{description}</p>
        <form
          action={linkTo(page, action)}
          method="get"
          data-path={path.replace('{lang}', page.language)}
          data-template={path}
          data-root={linkTo(page, '')}
          data-file={isFile ? 'yes' : 'no'}
        >
          {parameters
            .filter(({ name: key }) => key !== 'lang')
            .map((parameter) => (
              <Field key={parameter.name} id={id} parameter={parameter} />
            ))}
          <p class="buttons">
            <button type="submit">{texts.tryIt}</button>
          </p>
          <CodeBlock code={`curl ${isFile ? '-O ' : ''}'${address}'`} language="shell" />
          <div class="outcome" role="status" hidden />
          <textarea class="body" rows={16} readonly aria-label={`${texts.answer}: ${path}`} hidden />
        </form>
        <p class="small">
          {texts.answers} <code>{contentType}</code>.
          {problems.length > 0 && (
            <>
              {' '}
              {texts.problemsLabel}{' '}
              {problems.map((problem, index) => (
                <>
                  {index > 0 && ', '}
                  <a href={linkTo(page, `problems/${problem}`)}>{problem}</a>
                </>
              ))}
              .
            </>
          )}
        </p>
      </div>
    </details>
  );
}

function Field({ id, parameter }: { id: string; parameter: DocsParameter }) {
  const { name, place, meaning, required, choices, value = '' } = parameter;
  const own = `${id}-${name}`;
  const shared = { id: own, name, 'aria-describedby': `${own}-is` };
  return (
    <p class="field">
      <label for={own}>{name}</label>{' '}
      {choices ? (
        <select {...shared}>
          {!required && <option value="">{texts.choose}</option>}
          {choices.map((choice) => (
            <option key={choice} selected={choice === value}>
              {choice}
            </option>
          ))}
        </select>
      ) : (
        <input
          {...shared}
          type="text"
          value={value}
          required={required}
          readonly={place === 'path'}
          data-place={place}
          autocomplete="off"
          spellcheck={false}
        />
      )}{' '}
      <span id={`${own}-is`}>{place === 'path' ? texts.segment : meaning}</span>
    </p>
  );
}

/** The path of an endpoint without its leading slash, with its segments filled in. */
function filledPath({ path, parameters }: DocsEndpoint, language: Language): string {
  const values = new Map(parameters.map(({ name, value }) => [name, value ?? '']));
  return path
    .slice(1)
    .replace(/\{(\w+)\}/g, (_, name: string) => (name === 'lang' ? language : (values.get(name) ?? '')));
}

function idOf(path: string): string {
  return path.replace(/[^a-z]+/gi, '-').replace(/^-|-$/g, '') || 'root';
}
