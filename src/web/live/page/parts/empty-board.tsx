import { Notice } from './notice.tsx';

/** What to do where nothing is known yet. */
export const EmptyBoard = () => (
  <Notice title="No events yet">
    <p>This server knows of no event. Events appear here as soon as something tells it of them:</p>
    <dl class="ways-in">
      <dt>Watch a simulated day of sport</dt>
      <dd>
        <code>FEEDS=demo npm start</code>
      </dd>
      <dt>Bring in real seasons</dt>
      <dd>
        <code>npm run -s import -- nflverse games.csv</code>
      </dd>
      <dt>Send feed messages of your own</dt>
      <dd>
        <code>npm run -s ingest -- messages.ndjson</code>
      </dd>
    </dl>
  </Notice>
);
