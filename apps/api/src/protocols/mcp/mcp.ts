import { ArchiveFault, type AskedArchive, queryOf } from '@archiefkast/ask/archive';
import { notesIn } from '../../edition/notes.ts';
import type { OpenEdition } from '../../edition/open-editions.ts';
import { toProblem } from '../../http/errors.ts';
import { findRecord } from '../../http/find-record.ts';
import { Problem } from '../../http/problems.ts';
import { type ArchiveRequest, plainRoute, type Route } from '../../http/route.ts';
import { ownTurn } from '../../pause.ts';
import { VERSION } from '../../version.ts';
import type { Protocol, ProtocolTools } from '../protocol.ts';
import { llmsText } from './llms-text.ts';

/** The archive for assistants: the Model Context Protocol at /mcp, and llms.txt, which leads there. */
export const MCP: Protocol = {
  distributions: [],
  createRoutes: (tools) => ({
    others: [
      ...(tools.hasMcp ? [mcpRoute(tools)] : []),
      {
        ...plainRoute('/llms.txt', 'For assistants', 'text/plain; charset=utf-8', ({ open }) => ({
          body: [llmsText(open.edition, tools)],
        })),
        atRoot: true,
      },
    ],
  }),
};

function mcpRoute(tools: ProtocolTools): Route {
  return {
    ...plainRoute('/mcp', 'Model Context Protocol', 'application/json', async (request) => {
      // Loaded only when an assistant asks.
      const { answerOverHttp } = await import('@archiefkast/ask');
      const { sent, signal } = request;
      const failures: unknown[] = [];
      const archive = askedArchive(tools, request, (error) => failures.push(error));
      const headers = Object.entries(sent?.headers ?? {}).map(([name, value]): [string, string] => [
        name,
        String(value),
      ]);
      const message = new Request(`${tools.baseUrl}/mcp`, {
        method: 'POST',
        headers,
        body: sent?.text ?? '',
        signal,
      });
      const answer = await answerOverHttp(archive, VERSION, message);
      const text = await answer.text();
      // As the API does: 503 and the like, which are logged.
      if (failures.length > 0) throw failures[0];
      return {
        status: answer.status,
        contentType: answer.headers.get('content-type') ?? 'application/json',
        text,
      };
    }),
    ...{ atRoot: true, takesJson: true, dependsOn: 'state' },
  };
}

/**
 * The archive as its own endpoints answer within a request.
 *
 * @param onFailure is told each error that is no fault of the question
 */
function askedArchive(
  tools: ProtocolTools,
  request: ArchiveRequest,
  onFailure: (error: unknown) => void,
): AskedArchive {
  const { baseUrl, findOpen, openViews, readEndpoint } = tools;
  /** Reads in an edition, by default that of the request. @throws ArchiveFault */
  async function readIn<Found>(edition: string | undefined, read: (open: OpenEdition) => Promise<Found>) {
    try {
      const open = edition === undefined ? request.open : await findOpen(edition);
      if (!open)
        throw new Problem('no-such-edition', `No edition with key ${edition}.`, 'the key of a kept edition');
      return await read(open);
    } catch (error) {
      const { message, expected, members, status } = toProblem(error);
      if (status >= 500) onFailure(error);
      const corrections = Array.isArray(members['corrections']) ? members['corrections'].map(String) : [];
      throw new ArchiveFault(message, { expected, corrections });
    }
  }
  return {
    ...{ baseUrl, isBare: false },
    read: <Body>(...[language, path, { edition, ...others }]: Parameters<AskedArchive['read']>) =>
      readIn(edition, async (open) => {
        const read = await readEndpoint<Body>({ ...request, language, open }, path, queryOf(others));
        // A megabyte of text may be parsed after this.
        await ownTurn();
        return read;
      }),
    readNotes: (language, uuid, edition) =>
      readIn(edition, async (open) => {
        const key = await findRecord(tools, { open }, uuid);
        if (!key) return [];
        const { archive } = open.edition;
        const notes = await openViews(open, language).look((relations) => notesIn(archive, relations, key));
        return notes.map((note) => note[language]);
      }),
  };
}
