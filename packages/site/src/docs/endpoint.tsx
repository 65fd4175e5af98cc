import type { Language } from '@archiefkast/types';
import { linkTo } from '../layout/page-context.ts';
import { CodeBlock } from './code-block.tsx';
import { Described } from './described.tsx';
import type { DocsEndpoint, DocsParameter } from './docs-data.ts';
import type { DocsTexts } from './docs-texts.ts';
import type { SectionParts } from './records-section.tsx';

/** An endpoint: its path, what it answers, its parameters, and a form to try it, which works without scripts. */
export function Endpoint({ page, texts, endpoint }: SectionParts & { endpoint: DocsEndpoint }) {
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
        <span class="verb">GET</span> <code class="path">{path}</code>{' '}
        <span class="name">
          <Described language={page.language} text={name} />
        </span>
      </summary>
      <div class="content">
        <p>
          <Described language={page.language} text={description} />
        </p>
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
              <Field
                key={parameter.name}
                id={id}
                language={page.language}
                texts={texts}
                parameter={parameter}
              />
            ))}
          <p class="buttons">
            <button type="submit">{texts.tryIt}</button>
          </p>
          <CodeBlock code={`curl ${isFile ? '-O ' : ''}'${address}'`} language="shell" copy={texts.copy} />
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

function Field({
  id,
  language,
  texts,
  parameter,
}: {
  id: string;
  language: Language;
  texts: DocsTexts;
  parameter: DocsParameter;
}) {
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
      <span id={`${own}-is`}>
        {place === 'path' ? texts.segment : <Described language={language} text={meaning} />}
      </span>
    </p>
  );
}

/** The path of an endpoint without a slash at its beginning, its segments filled. */
export function filledPath({ path, parameters }: DocsEndpoint, language: Language): string {
  const values = new Map(parameters.map(({ name, value }) => [name, value ?? '']));
  return path
    .slice(1)
    .replace(/\{(\w+)\}/g, (_, name: string) => (name === 'lang' ? language : (values.get(name) ?? '')));
}

function idOf(path: string): string {
  return path.replace(/[^a-z]+/gi, '-').replace(/^-|-$/g, '') || 'root';
}
