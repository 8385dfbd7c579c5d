import type { ServerResponse } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import type { Awaitable } from '../../../platform/async/awaitable.ts';

/**
 * Whether what is written to it reaches nobody: the connection is closed, or was ended from the other side. A client
 * that resets its connection right behind the request is known to be gone two turns later. These are waited for
 * where there is something to pay, and at the first request of a connection alone: those that are kept open have all
 * others, and are not slowed down.
 */
export function isClientGone(response: ServerResponse, isPaid: boolean): Awaitable<boolean> {
  const { socket } = response.req;
  if (response.destroyed || !socket.writable) return true;
  if (!isPaid || socket.bytesWritten > 0) return false;
  return afterTurns(TURNS, () => response.destroyed || !socket.writable);
}

/** Newer versions of Node read a connection once a turn: the reset comes a turn after the request. */
const TURNS = 2;

async function afterTurns(turns: number, tell: () => boolean): Promise<boolean> {
  for (let turn = 0; turn < turns && !tell(); turn++) await setImmediate();
  return tell();
}
