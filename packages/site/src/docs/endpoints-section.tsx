import { linkTo } from '../layout/page-context.ts';
import { Described } from './described.tsx';
import type { DocsEndpoint } from './docs-data.ts';
import { Endpoint, filledPath } from './endpoint.tsx';
import type { SectionParts } from './records-section.tsx';

/** What the endpoints of a group share. */
export interface GroupParts extends SectionParts {
  group: { name: string; description: string };
  endpoints: readonly DocsEndpoint[];
}

/** The endpoints of a group: files in one table, each other one with a form to try it. */
export function EndpointGroup({ page, texts, group, endpoints }: GroupParts) {
  const id = `endpoints-${group.name.toLowerCase()}`;
  const files = endpoints.filter(({ isFile, parameters }) => isFile && parameters.every(isOptional));
  return (
    <section id={id}>
      <h3 id={`${id}-title`}>
        <Described language={page.language} text={group.name} />
      </h3>
      <p>
        <Described language={page.language} text={group.description} />
      </p>
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
                <td>
                  <Described language={page.language} text={file.description} />
                </td>
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
          <Endpoint key={endpoint.path} page={page} texts={texts} endpoint={endpoint} />
        ))}
    </section>
  );
}

function isOptional({ required, name }: DocsEndpoint['parameters'][number]): boolean {
  return !required || name === 'lang';
}
