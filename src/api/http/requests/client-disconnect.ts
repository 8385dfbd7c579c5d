import type { ServerResponse } from 'node:http';
import { setImmediate, setTimeout } from 'node:timers/promises';
import type { Awaitable } from '../../../platform/async/awaitable.ts';

/**
 * Whether an answer cannot reach the client, because the connection is closed. A reset right after the request is seen
 * two turns of the event loop later. Waiting for it is worth it only for a paid call, and only on the first request of a
 * connection, so that requests on kept-alive connections are not slowed down.
 *
 * A client that has ended its side may still read: HTTP allows that. It looks like one that is gone until something is
 * sent. So it gets interim answers: the machine of a client that is gone replies to the first one with a reset.
 */
export function isClientGone(response: ServerResponse, isPaid: boolean): Awaitable<boolean> {
  const { socket } = response.req;
  if (isClosed(response)) return true;
  if (!isPaid || (socket.bytesWritten > 0 && !socket.readableEnded)) return false;
  return isGoneOnSecondLook(response);
}

const isClosed = (response: ServerResponse): boolean => response.destroyed || !response.req.socket.writable;

async function isGoneOnSecondLook(response: ServerResponse): Promise<boolean> {
  const { socket, httpVersionMinor } = response.req;
  if (await afterTurns(TURNS, () => isClosed(response))) return true;
  if (!socket.readableEnded) return false;
  // HTTP/1.0 knows no interim answers.
  if (httpVersionMinor === 0) return false;
  response.writeProcessing();
  await setTimeout(RESET_MS);
  // After its end nothing is read from the connection: only a further write finds the reset.
  if (!isClosed(response)) response.writeProcessing();
  return afterTurns(TURNS, () => isClosed(response));
}

/** How long a reset may be under way, in milliseconds. */
const RESET_MS = 250;

/** Newer versions of Node read a connection once per turn: the reset comes one turn after the request. */
const TURNS = 2;

async function afterTurns(turns: number, check: () => boolean): Promise<boolean> {
  for (let turn = 0; turn < turns && !check(); turn++) await setImmediate();
  return check();
}
