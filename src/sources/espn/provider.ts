import { yieldToEventLoop } from '../../platform/async/yield-to-event-loop.ts';
import { type Provider, type ProviderAnswer, UnknownAnswerShape } from '../provider-base/provider.ts';
import { KnownGames } from './known-games.ts';
import { readEspnAnswer } from './live-answers.ts';
import { espnRequests, parseRequest } from './requests.ts';

interface EspnSettings {
  /** Divides every wait; default 1. */
  readonly pace?: number;
}

/** Sum of the limits of all leagues, in bytes. */
const MEMORY_LIMIT = 32 * 1024 * 1024;

/** ESPN's public interface: schedules, scores, box scores, lineups, injuries and the directory. */
export function espnProvider({ pace = 1 }: EspnSettings = {}): Provider {
  const book = new KnownGames();
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
      return espnRequests(leagues, now, pace);
    },
    async *read(answer: ProviderAnswer) {
      const request = parseRequest(answer.request);
      if (!request) throw new UnknownAnswerShape('', `answers no question of this provider: ${answer.request.path}`);
      for await (const item of readEspnAnswer(answer, request, book)) {
        await yieldToEventLoop();
        yield item;
      }
    },
    get memory() {
      return { bytes: book.bytes, limit: MEMORY_LIMIT };
    },
  };
}
