import type { ReadonlySignal } from '@preact/signals';
import { chooseOddsFormat, oddsFormat } from '../stores/preferences.ts';
import type { Connection, ConnectionState } from '../view-model/connection.ts';

interface Props {
  readonly connection: ReadonlySignal<ConnectionState>;
}

/** What pages that hear of changes add to the header of all pages. */
export const PageTools = ({ connection }: Props) => (
  <>
    <ConnectionStatus connection={connection} />
    <OddsToggle />
  </>
);

const CONNECTION_WORDS: Readonly<Record<Connection, string>> = {
  connecting: 'Connecting',
  live: 'Live',
  reconnecting: 'Reconnecting',
  offline: 'Offline',
};

/** The state of the connection, as a word and a shape. */
function ConnectionStatus({ connection }: Props) {
  const state = connection.value.connection;
  return (
    <p class={`connection connection-${state}`} role="status">
      <svg viewBox="0 0 12 12" width="10" height="10" aria-hidden="true">
        <circle cx="6" cy="6" r="4" />
        {state === 'offline' && <path class="crossing" d="M2 10 10 2" />}
      </svg>
      {CONNECTION_WORDS[state]}
    </p>
  );
}

/** Switches between American and decimal odds. The button shows the present format. */
function OddsToggle() {
  const other = oddsFormat.value === 'american' ? 'decimal' : 'american';
  return (
    <button type="button" class="tool" onClick={() => chooseOddsFormat(other)} title={`Show ${other} odds`}>
      <span aria-hidden="true">
        <span class="tool-name">Odds </span>
        {oddsFormat.value === 'american' ? '+150' : '2.50'}
      </span>
      <span class="hidden-text">Show {other} odds</span>
    </button>
  );
}
