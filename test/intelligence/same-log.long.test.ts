import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { DomainRecord } from '../../src/domain/streams/domain-events.ts';
import { replayedMessagesOf as messagesAgain } from '../../src/ingest/subjects/subjects.ts';
import { type AgentServer, BOOTSTRAP_KEY, serveAgent } from '../api/agent/serving.ts';
import type { Message } from '../api/spec/messages.ts';
import { endOf, messagesOf, pricesOf, refOf, scheduleOf } from '../forecasting/track-record/game-messages.ts';
import { gamesOf, numbersOf } from './seasons.ts';

const GAMES = 141;
const DAY = 86_400_000;
const games = gamesOf('soccer', 'epl', GAMES, numbersOf(11));
const next = games.at(-1)!;
/** A result is corrected after others were known, and one comes late. */
const told: Message[] = [
  ...messagesOf('soccer', games.slice(0, -1)),
  ...endOf('soccer', { ...games[120]!, score: { home: 7, away: 0 }, winner: 'home' }, 120, games[130]!.knownAt),
  scheduleOf('soccer', next, GAMES - 1),
  pricesOf('soccer', next, GAMES - 1),
];
const time = next.startsAt - DAY / 48;

async function answersOf(server: AgentServer): Promise<unknown[]> {
  const answers: unknown[] = [];
  for (let place = 95; place < GAMES; place++) {
    const path = `/v1/events/${await server.eventId('feed', refOf(place))}/intelligence`;
    answers.push(await server.get(path, BOOTSTRAP_KEY));
  }
  return answers;
}

it('a restart, a rebuild, and a replay into another server give the same intelligence to the last digit', async () => {
  const file = mkdtempSync(join(tmpdir(), 'll-same-log-'));
  try {
    const first = await serveAgent({ time, file });
    await first.feed(...told);
    const answers = await answersOf(first);
    await first.runner.rebuild(['events', 'games', 'main-quotes'], () => {});
    expect(await answersOf(first)).toEqual(answers);
    const records = (await first.log.readAll(null, 10_000)) as readonly DomainRecord[];
    const find = async (stream: string, revision: number) =>
      (await first.log.readStream(stream, { fromRevision: revision, limit: 1 }))[0] as DomainRecord | undefined;
    const again: unknown[] = [];
    for (const record of records) again.push(...(await messagesAgain(record, find)));
    await first.close();

    const restarted = await serveAgent({ time, file });
    expect(await answersOf(restarted)).toEqual(answers);
    await restarted.close();

    const other = await serveAgent({ time });
    await other.feed(...(again as Message[]));
    expect(await answersOf(other)).toEqual(answers);
    await other.close();
    const forecast = answers.filter((answer: any) => answer.bets.some(({ probability }: any) => probability !== null));
    expect(forecast.length).toBeGreaterThan(35);
  } finally {
    rmSync(file, { recursive: true, force: true });
  }
}, 60_000);
