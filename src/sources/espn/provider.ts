import { findLeague } from '../../domain/catalogue/catalogue.ts';
import { yieldToEventLoop } from '../../platform/async/yield-to-event-loop.ts';
import { isFull } from '../provider-base/answer-notes.ts';
import { type Provider, type ProviderAnswer, UnknownAnswerShape } from '../provider-base/provider.ts';
import { DaysAhead } from './days-ahead.ts';
import { KnownGames } from './known-games.ts';
import { readEspnAnswer } from './live-answers.ts';
import { espnRequests, parseRequest } from './requests.ts';

export interface EspnSettings {
  /** Divides every wait; default 1. */
  readonly pace?: number;
  /** How the days ahead are asked for; default `auto`: soccer by month, the others by day. */
  readonly ahead?: 'auto' | 'day' | 'month';
}

/** Sum of the limits of all leagues, in bytes. */
const MEMORY_LIMIT = 32 * 1024 * 1024;

/** ESPN's public interface: schedules, scores, box scores, lineups, injuries and the directory. */
export function espnProvider({ pace = 1, ahead = 'auto' }: EspnSettings = {}): Provider {
  const book = new KnownGames();
  const daysAhead = new DaysAhead(ahead);
  /** The moment of the last requests, in milliseconds. */
  let lastAt = 0;
  return {
    name: 'espn',
    address: 'https://site.api.espn.com',
    requests(leagues, now) {
      // Events that the log knows from before the start of the server, or from other sources.
      for (const { league, events } of leagues) {
        for (const { ref, startsAt, status } of events) {
          if (ref !== undefined && !book.has(league, ref)) book.set(league, ref, startsAt, status);
        }
      }
      lastAt = now;
      return espnRequests(leagues, now, pace, daysAhead);
    },
    async *read(answer: ProviderAnswer) {
      const request = parseRequest(answer.request);
      if (!request) throw new UnknownAnswerShape('', `answers no question of this provider: ${answer.request.path}`);
      for await (const item of readEspnAnswer(answer, request, book)) {
        await yieldToEventLoop();
        yield item;
      }
      if (isFull(answer)) daysAhead.markUnusable(request.league.league, request.day);
    },
    missing({ league, kind, query }) {
      if (kind === 'scoreboard' && league !== undefined) daysAhead.markUnusable(league, query['dates']);
    },
    ahead: (leagues) =>
      Object.fromEntries(
        leagues.flatMap((league) => {
          const sport = findLeague(league)?.sport;
          return sport === undefined ? [] : [[league, daysAhead.wayOf(league, sport, lastAt)]];
        }),
      ),
    get memory() {
      return { bytes: book.bytes, limit: MEMORY_LIMIT };
    },
  };
}
