import { randomUUID } from 'node:crypto';
import type { Duplex } from 'node:stream';
import { inBoth, Problem } from '../http/problems/problems.ts';
import { endWithProblem } from '../http/respond-to-errors.ts';

/** Answers a request that Node could not read, as well as can be. The connection ends with it. */
export function answerClientError(baseUrl: string) {
  return (error: NodeJS.ErrnoException, socket: Duplex): void => {
    if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy();
    else endWithProblem(socket, toProblem(error.code), baseUrl, randomUUID());
  };
}

function toProblem(code: string | undefined): Problem {
  if (code === 'HPE_HEADER_OVERFLOW') {
    return new Problem('headers-too-large', {
      en: 'The headers of the request are too large.',
      nl: 'De headers van het verzoek zijn te groot.',
    });
  }
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return new Problem('request-timeout', {
      en: 'The request did not arrive in time.',
      nl: 'Het verzoek kwam niet op tijd aan.',
    });
  }
  if (code === 'HPE_INVALID_URL') {
    return new Problem(
      'bad-request',
      {
        en: 'The address holds characters that no address may.',
        nl: 'Het adres bevat tekens die geen adres mag bevatten.',
      },
      inBoth('UTF-8, percent-encoded: caf%C3%A9'),
    );
  }
  return new Problem('bad-request', {
    en: 'The request is not valid HTTP.',
    nl: 'Het verzoek is geen geldige HTTP.',
  });
}
