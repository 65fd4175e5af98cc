import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

/**
 * The limit: a bare `node:http` server that sends the same bytes and headers from a buffer to every request, and 304 if the request has an
 * If-None-Match. A separate process: `node bare-server.ts PORT BODY-FILE HEADERS-AS-JSON`.
 */
const [, , port, bodyFile = '', headersJson = '{}'] = process.argv;
const body = readFileSync(bodyFile);
const headers: Record<string, string> = JSON.parse(headersJson);
const { 'Content-Length': _length, ...headersWithoutBody } = headers;

const server = createServer((request, response) => {
  if (request.headers['if-none-match']) {
    response.writeHead(304, headersWithoutBody).end();
  } else {
    response.writeHead(200, headers).end(body);
  }
});
server.listen(Number(port), '127.0.0.1');
process.once('SIGTERM', () => {
  server.close();
  server.closeAllConnections();
});
