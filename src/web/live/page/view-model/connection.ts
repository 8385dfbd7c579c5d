/** The state of the connection to the server's stream. */
export type Connection = 'connecting' | 'live' | 'reconnecting' | 'offline';

export interface ConnectionState {
  readonly connection: Connection;
  /** Consecutive failed attempts. */
  readonly failures: number;
}

export type ConnectionInput =
  | { readonly type: 'opened' }
  | { readonly type: 'failed'; readonly online: boolean }
  /** The server ended the stream with a request to reconnect. */
  | { readonly type: 'asked to reconnect' };

export const CONNECTING: ConnectionState = { connection: 'connecting', failures: 0 };
/** After this many consecutive failures the page says that it is offline. */
const OFFLINE_AFTER = 4;

export function nextConnection(state: ConnectionState, input: ConnectionInput): ConnectionState {
  switch (input.type) {
    case 'opened':
      return state.connection === 'live' ? state : { connection: 'live', failures: 0 };
    case 'asked to reconnect':
      return { connection: 'reconnecting', failures: 0 };
    case 'failed': {
      const failures = state.failures + 1;
      const offline = !input.online || failures >= OFFLINE_AFTER;
      return { connection: offline ? 'offline' : 'reconnecting', failures };
    }
  }
}

/**
 * Milliseconds until the next attempt, doubling from half a second to 15 s. `random` in [0, 1) spreads the reconnects
 * of many viewers.
 */
export function retryDelay({ failures }: ConnectionState, random: number): number {
  if (failures === 0) return 100 + 400 * random;
  const maxDelay = Math.min(500 * 2 ** (failures - 1), 15_000);
  return maxDelay * (0.75 + 0.25 * random);
}
