import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Bytes per write to a socket. */
const PIECE_BYTES = 128 * 1024;

/** Pieces written per turn of the event loop. */
const PIECES_IN_A_TURN = 16;

/** Bytes of the current response that have not been written to its socket. */
const left = new WeakMap<Socket, number>();

/** Queue of functions that write the next piece of a response. */
const waiting: (() => void)[] = [];

/**
 * Ends a response with a body. A large body is written in pieces, of which only a few are written per turn of the event
 * loop: the system accepts megabytes at once, and hundreds of such writes would block other requests.
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

/** Bytes of responses in memory that the client of a socket has not received. */
export function unsentBytes(socket: Socket): number {
  return socket.writableLength + (left.get(socket) ?? 0);
}
