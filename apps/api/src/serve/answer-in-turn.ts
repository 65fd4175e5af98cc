import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** What ends the headers of a request. */
const END_OF_HEADERS = '\r\n\r\n';

/**
 * Reads the next request of a connection only when the answer before it has been taken. Node parses every request of a
 * chunk at once: 64 kB of short ones are thousands of requests and answers in memory for one connection. Here its parser
 * is given one request at a time. The bytes after it stay in the socket, which stops reading when it holds 64 kB. Each
 * further request waits for another turn of the event loop, so that connections take turns.
 */
export function answerInTurn(server: Server): void {
  const answers = new WeakMap<Socket, ServerResponse>();
  const begin = ({ socket }: IncomingMessage, response: ServerResponse) => {
    answers.set(socket, response);
  };
  server.on('request', begin);
  server.on('checkExpectation', begin);
  server.on('connection', (socket: Socket) => {
    // Node's own listener, which feeds its parser.
    const [parse] = socket.listeners('data');
    if (!parse) throw new Error('Node has no listener that parses requests');
    socket.removeAllListeners('data');
    let isPaused = false;
    const resume = () => {
      isPaused = false;
      socket.resume();
    };
    socket.on('data', (chunk: Buffer) => {
      let rest = chunk;
      // A socket that is being ended takes no more answers.
      while (rest.length > 0 && socket.writable) {
        const answer = answers.get(socket);
        if (answer && !answer.closed) {
          socket.pause();
          socket.unshift(rest);
          if (!isPaused) answer.once('close', () => setImmediate(resume));
          isPaused = true;
          return;
        }
        const next = upToEndOfHeaders(rest);
        rest = rest.subarray(next.length);
        parse.call(socket, next);
      }
    });
  });
}

/** The bytes up to the end of the first headers; all, where none end. */
function upToEndOfHeaders(bytes: Buffer): Buffer {
  const end = bytes.indexOf(END_OF_HEADERS);
  return end === -1 ? bytes : bytes.subarray(0, end + END_OF_HEADERS.length);
}
