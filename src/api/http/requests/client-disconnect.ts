import type { ServerResponse } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import type { Awaitable } from '../../../platform/async/awaitable.ts';

/**
 * Whether an answer cannot reach the client: the connection is closed, or the other side has ended it. A reset right
 * after the request is seen two turns of the event loop later. Waiting for it is worth it only for a paid call, and
 * only on the first request of a connection, so that requests on kept-alive connections are not slowed down.
 */
export function isClientGone(response: ServerResponse, isPaid: boolean): Awaitable<boolean> {
  const { socket } = response.req;
  if (response.destroyed || !socket.writable) return true;
  if (!isPaid || socket.bytesWritten > 0) return false;
  return afterTurns(TURNS, () => response.destroyed || !socket.writable);
}

/** Newer versions of Node read a connection once per turn: the reset comes one turn after the request. */
const TURNS = 2;

async function afterTurns(turns: number, check: () => boolean): Promise<boolean> {
  for (let turn = 0; turn < turns && !check(); turn++) await setImmediate();
  return check();
}
