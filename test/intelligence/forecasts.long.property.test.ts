import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { modelOf } from '../../src/intelligence/models/index.ts';
import { roundProbabilities } from '../../src/intelligence/prices/rounding.ts';
import { type GameKnownAt, walkForward } from '../../src/intelligence/walk-forward.ts';
import { BOOTSTRAP_KEY, serveAgent } from '../api/agent/serving.ts';
import { randomOf } from '../api/fuzz/random.ts';
import type { Message } from '../api/spec/messages.ts';
import { endOf, iso, messagesOf, pricesOf, refOf, scheduleOf } from '../forecasting/track-record/game-messages.ts';
import { cases } from '../support/cases.ts';
import { gamesOf, LEAGUES, numbersOf } from './seasons.ts';

const DAY = 86_400_000;
const GAMES = 125;

/** Games and their forecasts by a walk forward; the last game is upcoming. */
function seasonOf(sport: (typeof LEAGUES)[number]['sport'], league: string, seed: number) {
  const games = gamesOf(sport, league, GAMES, numbersOf(seed)).map((game) => ({
    ...game,
    starters: { home: null, away: null },
    detail: sport === 'soccer' ? game.detail : null,
  }));
  const expected = [...walkForward(games, (name) => modelOf(sport, name))].map(({ game, forecast, earlier }) => ({
    place: games.indexOf(game),
    moneyline:
      earlier < 100
        ? null
        : roundProbabilities(
            forecast.draw === null ? [forecast.home, forecast.away] : [forecast.home, forecast.away, forecast.draw],
          ),
  }));
  return { games, expected, next: games.at(-1)! };
}

/** Schedules first: messages of an unknown event would wait for its schedule. */
function shuffled(messages: readonly Message[], seed: number): Message[] {
  const random = randomOf(seed);
  const placed = (message: Message) => random.below(1_000_000) + (message.kind === 'schedule' ? 0 : 1_000_000);
  return messages
    .map((message) => ({ message, place: placed(message) }))
    .sort((a, b) => a.place - b.place)
    .map(({ message }) => message);
}

async function told(messages: readonly Message[], time: number) {
  const server = await serveAgent({ time });
  await server.feed(...messages);
  const read = async (place: number): Promise<any> =>
    server.get(`/v1/events/${await server.eventId('feed', refOf(place))}/intelligence`, BOOTSTRAP_KEY);
  return { server, read };
}

const moneylineOf = (body: any): number[] | null => {
  const bets = body.bets.filter(({ bet_type }: any) => bet_type.startsWith('ML_'));
  return bets.length === 0 || bets[0].probability === null ? null : bets.map(({ probability }: any) => probability);
};

/** As in the messages, which have no sets in tennis. */
const TEAM_LEAGUES = LEAGUES.filter(({ sport }) => sport !== 'tennis');

describe.each(TEAM_LEAGUES)('forecasts of $league', ({ sport, league }) => {
  it('are those of a walk forward with what was known before each start, whatever the order of arrival', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(), fc.nat(), async (seed, order) => {
        const { games, expected, next } = seasonOf(sport, league, seed);
        const { server, read } = await told(shuffled(messagesOf(sport, games), order), next.startsAt + DAY);
        try {
          for (const { place, moneyline } of expected.slice(90)) {
            expect([place, moneylineOf(await read(place))]).toEqual([place, moneyline]);
          }
        } finally {
          await server.close();
        }
      }),
      { numRuns: cases(5, 1) },
    );
  }, 120_000);

  it('of an upcoming event follow each result as it arrives', async () => {
    const { games, expected, next } = seasonOf(sport, league, 7);
    const past = games.slice(0, -1);
    const messages: Message[] = [
      ...messagesOf(sport, past.slice(0, -1)),
      scheduleOf(sport, next, GAMES - 1),
      pricesOf(sport, next, GAMES - 1),
      scheduleOf(sport, past.at(-1)!, GAMES - 2),
    ];
    const { server, read } = await told(messages, next.startsAt - 1);
    try {
      const before = moneylineOf(await read(GAMES - 1));
      await server.feed(...endOf(sport, past.at(-1)!, GAMES - 2));
      const after = moneylineOf(await read(GAMES - 1));
      expect(after).toEqual(expected.at(-1)!.moneyline);
      expect(before).not.toBeNull();
      const told = past.at(-1)! as GameKnownAt;
      const asOf = `?as_of=${iso(told.knownAt - 1)}&as_of_basis=observed`;
      const id = await server.eventId('feed', refOf(GAMES - 1));
      const then: any = await server.get(`/v1/events/${id}/intelligence${asOf}`, BOOTSTRAP_KEY);
      expect(moneylineOf(then)).toEqual(before);
    } finally {
      await server.close();
    }
  }, 60_000);
});
