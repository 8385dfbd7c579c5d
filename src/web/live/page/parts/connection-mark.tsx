import { connection } from '../live/board-store.ts';
import type { Connection } from '../state/connection.ts';

const WORDS: Readonly<Record<Connection, string>> = {
  connecting: 'Connecting',
  live: 'Live',
  reconnecting: 'Reconnecting',
  offline: 'Offline',
};

/** How the page stands with the server: by a word and a shape. */
export function ConnectionMark() {
  const state = connection.value.connection;
  return (
    <p class={`connection connection-${state}`} role="status">
      <svg viewBox="0 0 12 12" width="10" height="10" aria-hidden="true">
        <circle cx="6" cy="6" r="4" />
      </svg>
      {WORDS[state]}
    </p>
  );
}
