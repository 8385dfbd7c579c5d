import { type Asked, askOver } from './ask.ts';
import type { Server } from './server.ts';
import type { TickedEvents } from './ticks.ts';

export interface LongRead {
  readonly what: string;
  /** @param n differs from call to call: what is asked as of a moment is asked as of another each time */
  read(n: number): Promise<Asked>;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** The kinds of reads of the one event, number 1, that grow with its history where somebody is careless. */
export function longReads(server: Server, { rounds, now }: TickedEvents): readonly LongRead[] {
  const ask = askOver(server.port, server.key);
  const open = askOver(server.port, '');
  /** Somewhere in the history, as the feed observed it; golden steps lie everywhere in turn. */
  const moment = (n: number) => {
    const back = ((n + 1) * 0.618_033_988_75) % 1;
    return `as_of=${new Date(now - HOUR - Math.floor(back * rounds) * MINUTE).toISOString()}&as_of_basis=observed`;
  };
  const of = (what: string, pathOf: (n: number) => string, by = ask): LongRead => ({
    what,
    read: (n) => by(pathOf(n)),
  });
  return [
    of('detail', () => '/v1/events/1'),
    of('detail with odds', () => '/v1/events/1?include_odds=true'),
    of('odds of all books', () => '/v1/events/1/odds?bookmaker=all'),
    of('history', () => '/v1/events/1/odds/history?limit=50'),
    of('odds as of a moment', (n) => `/v1/events/1/odds?bookmaker=all&${moment(n)}`),
    of('history as of a moment', (n) => `/v1/events/1/odds/history?limit=50&${moment(n)}`),
    of('story', () => '/live/events/1/story', open),
    of('odds summary', () => '/v1/events/1/odds/summary?bookmaker=all'),
    of('probabilities', () => '/live/events/1/probabilities', open),
    of('intelligence', () => '/v1/events/1/intelligence'),
  ];
}
