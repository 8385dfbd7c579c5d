import { setTimeout as delay } from 'node:timers/promises';
import type { Server } from './server.ts';

/** Facts of games: how they are sent, and how long it takes until they can be read. */

/** Beyond it something is wrong, not slow. Milliseconds. */
const PATIENCE_MS = 60_000;
/** Between two questions whether a position is shown. */
const LOOK_AGAIN_MS = 20;

const at = (n: number) => new Date(Date.UTC(2026, 0, 1) + n * 1000).toISOString();

export const schedule = (n: number) => ({
  kind: 'schedule',
  source: 'bench',
  at: at(0),
  ref: `game-${n}`,
  sport: 'nba',
  league: 'nba',
  starts_at: new Date(Date.UTC(2026, 5, 1) + n * 86_400_000).toISOString(),
  participants: [
    { role: 'home', name: `Home ${n}` },
    { role: 'away', name: `Away ${n}` },
  ],
});

export const score = (event: number, n: number) => ({
  kind: 'score',
  source: 'bench',
  at: at(n + 1),
  ref: `game-${event}`,
  status: 'inprogress',
  scores: [{ role: 'home', score: String(n) }],
});

/** How often facts were not taken at first: 503, after which a feed sends the same again. */
let refusals = 0;
export const refusalsSoFar = (): number => refusals;

/** Sends facts, again after each 503, as feeds do. @returns the position up to which they were taken */
export async function sendFacts({ port, ingestKey }: Server, messages: readonly object[]): Promise<string> {
  for (const until = performance.now() + PATIENCE_MS; ; ) {
    const answer = await fetch(`http://127.0.0.1:${port}/ingest/v1/messages`, {
      method: 'POST',
      headers: { authorization: `Bearer ${ingestKey}`, 'content-type': 'application/json' },
      body: JSON.stringify(messages),
    });
    const text = await answer.text();
    if (answer.status === 503 && performance.now() < until) {
      refusals++;
      await delay(1000 * Number(answer.headers.get('retry-after') ?? 1));
      continue;
    }
    // What a request before had taken although it was refused is unchanged.
    const { accepted, unchanged } = JSON.parse(text) as { readonly accepted?: number; readonly unchanged?: number };
    const position = answer.headers.get('ledgerline-position');
    if (accepted === undefined || accepted + unchanged! !== messages.length || position === null) {
      throw new Error(`not all were accepted: ${text}`);
    }
    return position;
  }
}

/** Resolves when answers show the position. @throws Error when that takes too long */
export async function waitUntilReadable({ port, key }: Server, position: string): Promise<void> {
  const until = performance.now() + PATIENCE_MS;
  for (;;) {
    const answer = await fetch(`http://127.0.0.1:${port}/v1/events/1`, {
      headers: { authorization: `Bearer ${key}`, 'ledgerline-position': position },
    });
    await answer.arrayBuffer();
    if (answer.ok) return;
    if (answer.status !== 503 || performance.now() > until) throw new Error(`not shown: ${answer.status}`);
    // An answer waits for the position by itself; one that comes at once says that nobody is there.
    await delay(LOOK_AGAIN_MS);
  }
}
