import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Bytes handed to a socket at a time. */
const PIECE_BYTES = 128 * 1024;

/** Pieces handed over in one turn of the event loop. */
const PIECES_IN_A_TURN = 16;

/** Bytes of the answer under way that have not been handed to its socket. */
const left = new WeakMap<Socket, number>();

/** Hands over the next piece of an answer, in the order in which their last ones were taken. */
const waiting: (() => void)[] = [];

/**
 * Ends an answer with a body. The system takes megabytes at once for a client that reads nothing; a large body is handed
 * over in pieces, a few of all answers in each turn of the event loop, so that hundreds of them do not keep all others
 * waiting.
 */
export function endInPieces(response: ServerResponse, body: Buffer): void {
  const { socket } = response;
  let sent = 0;
  const sendNext = () => {
    if (response.destroyed) return;
    const piece = body.subarray(sent, sent + PIECE_BYTES);
    sent += piece.length;
    if (socket) left.set(socket, body.length - sent);
    if (sent === body.length) response.end(piece);
    else response.write(piece, () => sendInTurn(sendNext));
  };
  if (body.length <= PIECE_BYTES) {
    response.end(body);
    return;
  }
  if (socket) left.set(socket, body.length);
  if (waiting.length === 0) sendNext();
  else sendInTurn(sendNext);
}

function sendInTurn(send: () => void): void {
  if (waiting.push(send) === 1) setImmediate(sendSome);
}

function sendSome(): void {
  for (const send of waiting.slice(0, PIECES_IN_A_TURN)) send();
  waiting.splice(0, PIECES_IN_A_TURN);
  if (waiting.length > 0) setImmediate(sendSome);
}

/** Bytes of answers that wait in memory for the client of a socket. */
export function unsentBytes(socket: Socket): number {
  return socket.writableLength + (left.get(socket) ?? 0);
}
