import { ConnectionMark } from './connection-mark.tsx';
import { LookToggle } from './look-toggle.tsx';
import { OddsToggle } from './odds-toggle.tsx';
import { Wordmark } from './wordmark.tsx';

export const TopBar = () => (
  <header class="top-bar">
    <div class="top-bar-inside">
      <Wordmark />
      <ConnectionMark />
      <div class="tools">
        <a class="tool" href="/docs">
          API
        </a>
        <a class="tool" href="/dashboard">
          Account
        </a>
        <OddsToggle />
        <LookToggle />
      </div>
    </div>
  </header>
);
