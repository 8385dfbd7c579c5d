import { afterEach, beforeEach, expect, it } from 'vitest';
import { type AgentServer, serveAgent } from '../../agent/serving.ts';
import { type Message, market, odds, schedule } from '../../spec/messages.ts';

const NBA = { sport: 'nba', league: 'nba' };
const GAME = schedule(NBA, 'g1', ['Boston Celtics', 'Miami Heat'], '2026-03-01T20:00:00Z', {
  at: '2026-02-28T12:00:00Z',
});
const moneyline = (home: number, away: number) =>
  market('h2h', [
    ['home', home],
    ['away', away],
  ]);
const total = (over: number, under: number) =>
  market('totals', [
    ['over', over, 220],
    ['under', under, 220],
  ]);
/** Far from what the other books say. */
const FAR = [moneyline(300, -400), total(300, -400)] as const;

let server: AgentServer;
beforeEach(async () => {
  server = await serveAgent({ time: Date.parse('2026-03-01T19:00:00Z') });
});
afterEach(() => server.close());

/** The markets of a bookmaker that have a suspect price. */
async function suspects(bookmaker: string): Promise<readonly string[]> {
  const id = await server.eventId('feed', 'g1');
  const { bookmakers } = await server.get(`/v1/events/${id}/odds?bookmaker=${bookmaker}`);
  return bookmakers[0].markets
    .filter(({ outcomes }: any) => outcomes.some(({ suspect }: any) => suspect))
    .map(({ key }: any) => key);
}

it.each([
  ['one order', FAR],
  ['the other', FAR.toReversed()],
])(
  'given a feed that sends each market of a moment in a message of its own, in %s, then its next moment repeats each',
  async (_, markets) => {
    const moment = (at: string) => markets.map((one) => odds('g1', 'fanduel', [one], { at }));
    const others = ['betmgm', 'pinnacle', 'circa'].map((book) =>
      odds('g1', book, [moneyline(-130, 110), total(-110, -110)], { at: '2026-03-01T18:00:00Z' }),
    );
    const take = async (messages: readonly Message[]) => {
      const { outcomes } = await server.take([...messages]);
      expect(outcomes.map(({ status }: any) => status)).toEqual(messages.map(() => 'accepted'));
      await server.published();
    };
    await take([GAME, ...others, ...moment('2026-03-01T18:10:00Z')]);
    expect(await suspects('fanduel')).toEqual(['h2h', 'totals']);
    await take(moment('2026-03-01T18:20:00Z'));
    expect(await suspects('fanduel')).toEqual([]);
  },
);
