import { LRUCache } from 'lru-cache';
import { entriesAtMost } from '../../platform/cache-bounds.ts';
import { LastPublished } from '../provider-base/last-published.ts';
import { type Provider, type ProviderAnswer, UnknownAnswerShape } from '../provider-base/provider.ts';
import { readOddsApiAnswer } from './live-answers.ts';
import type { ReadLoggedPrices } from './live-prices.ts';
import { type OddsApiSettings, oddsApiRequests, parseRequest } from './requests.ts';
import { keyOfLeague, sportOfKey } from './sports.ts';

/** Many times the markets of a few bookmakers in all listed events. */
const PUBLISHED_BYTES = 24 * 1024 * 1024;
const MAX_EVENTS = 10_000;
const EVENT_BYTES = 250;
/** The provider has fewer than a hundred sports. */
const MAX_KEYS = 500;

/**
 * The Odds API: prices of bookmakers. It remembers the last message of each market, because the provider's times of
 * price changes are not always right.
 * @param inLog reads prices that were published before this server started
 */
export function theOddsApiProvider(settings: OddsApiSettings, readLoggedPrices?: ReadLoggedPrices): Provider {
  const published = new LastPublished(PUBLISHED_BYTES);
  const keysOfEvents = new LRUCache<string, string>(entriesAtMost(MAX_EVENTS));
  let inSeason: readonly string[] = [];
  const keys = {
    ofLeague(league: string) {
      const own = keyOfLeague(league);
      const others = inSeason.filter((key) => key !== own && sportOfKey(key)?.league === league);
      return own === undefined ? others : [own, ...others];
    },
    ofEvent: (ref: string) => keysOfEvents.get(ref),
  };
  return {
    name: 'the-odds-api',
    address: 'https://api.the-odds-api.com',
    requests(leagues, now) {
      for (const { league, events } of leagues) {
        for (const { ref } of events) {
          if (ref === undefined) continue;
          // An event from before the start of the server has a schedule already, with unknown content.
          if (!published.get(`schedule ${ref}`)) published.set(`schedule ${ref}`, { at: 0, fingerprint: '' });
          const own = keyOfLeague(league);
          if (own !== undefined && !keysOfEvents.has(ref)) keysOfEvents.set(ref, own);
        }
      }
      return oddsApiRequests(leagues, now, settings, keys);
    },
    async *read(answer: ProviderAnswer) {
      const request = parseRequest(answer.request);
      if (!request) throw new UnknownAnswerShape('', `answers no question of this provider: ${answer.request.path}`);
      const onEvent = (ref: string) => void keysOfEvents.set(ref, request.sportKey!);
      for await (const item of readOddsApiAnswer(answer, request, {
        published,
        readLoggedPrices,
        onEvent,
      })) {
        if ('sports' in item) inSeason = item.sports.slice(0, MAX_KEYS);
        else yield item;
      }
    },
    forgetPublished: () => published.clear(),
    get memory() {
      const bytes = published.bytes + keysOfEvents.size * EVENT_BYTES;
      return { bytes, limit: PUBLISHED_BYTES + MAX_EVENTS * EVENT_BYTES };
    },
  };
}
