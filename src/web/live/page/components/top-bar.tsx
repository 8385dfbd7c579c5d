import { connection } from '../stores/board-store.ts';
import { chooseOddsFormat, chooseTheme, oddsFormat, theme } from '../stores/preferences.ts';
import type { Connection } from '../view-model/connection.ts';

export const TopBar = () => (
  <header class="top-bar">
    <div class="top-bar-inside">
      <Wordmark />
      <ConnectionStatus />
      <div class="tools">
        <a class="tool" href="/docs">
          API
        </a>
        <a class="tool" href="/dashboard">
          Account
        </a>
        <OddsToggle />
        <ThemeToggle />
      </div>
    </div>
  </header>
);

const Wordmark = () => (
  <a class="wordmark" href="#/">
    <svg viewBox="0 0 32 32" width="22" height="22" aria-hidden="true">
      <rect class="wordmark-ground" width="32" height="32" rx="7" />
      <path class="wordmark-line" d="M6 22h6v-6h6v3h4v-9h4" />
    </svg>
    Ledgerline
  </a>
);

const CONNECTION_WORDS: Readonly<Record<Connection, string>> = {
  connecting: 'Connecting',
  live: 'Live',
  reconnecting: 'Reconnecting',
  offline: 'Offline',
};

/** The state of the connection, as a word and a shape. */
function ConnectionStatus() {
  const state = connection.value.connection;
  return (
    <p class={`connection connection-${state}`} role="status">
      <svg viewBox="0 0 12 12" width="10" height="10" aria-hidden="true">
        <circle cx="6" cy="6" r="4" />
      </svg>
      {CONNECTION_WORDS[state]}
    </p>
  );
}

/** Switches to the other theme. */
function ThemeToggle() {
  const other = theme.value === 'dark' ? 'light' : 'dark';
  return (
    <button type="button" class="tool" onClick={() => chooseTheme(other)} title={`Switch to the ${other} look`}>
      <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
        <circle class="look-ring" cx="8" cy="8" r="6" />
        <path class="look-half" d="M8 2a6 6 0 0 1 0 12z" />
      </svg>
      <span class="hidden-text">Switch to the {other} look</span>
    </button>
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
