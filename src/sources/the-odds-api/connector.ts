import { LRUCache } from 'lru-cache';
import { type Provider, type TakenAnswer, UnknownAnswer } from '../importing/connector.ts';
import { LastTold } from '../importing/last-told.ts';
import { readOddsApiAnswer } from './live-answers.ts';
import type { PricesInLog } from './live-prices.ts';
import { type OddsApiSettings, oddsApiQuestions } from './questions.ts';
import { askedAt } from './routes.ts';
import { keyOf, sportOf } from './sports.ts';

/** A few bookmakers' markets of every event that is listed, many times over. */
const TOLD_BYTES = 24 * 1024 * 1024;
const MAX_EVENTS = 10_000;
const EVENT_BYTES = 250;
/** The provider has fewer than a hundred sports. */
const MAX_KEYS = 500;

/**
 * The Odds API: prices of bookmakers. It remembers what it told of each market last: the provider states when prices
 * changed, and not always rightly.
 * @param inLog what was told before this server started
 */
export function theOddsApiProvider(settings: OddsApiSettings, inLog?: PricesInLog): Provider {
  const told = new LastTold(TOLD_BYTES);
  const keysOfEvents = new LRUCache<string, string>({ max: MAX_EVENTS });
  let inSeason: readonly string[] = [];
  const keys = {
    ofLeague(league: string) {
      const own = keyOf(league);
      const others = inSeason.filter((key) => key !== own && sportOf(key)?.league === league);
      return own === undefined ? others : [own, ...others];
    },
    ofEvent: (ref: string) => keysOfEvents.get(ref),
  };
  return {
    name: 'the-odds-api',
    address: 'https://api.the-odds-api.com',
    questions(leagues, now) {
      for (const { league, events } of leagues) {
        for (const { ref } of events) {
          if (ref === undefined) continue;
          // Of an event that was told of before the server started the start is known, though not which.
          if (!told.get(`schedule ${ref}`)) told.set(`schedule ${ref}`, { at: 0, print: '' });
          const own = keyOf(league);
          if (own !== undefined && !keysOfEvents.has(ref)) keysOfEvents.set(ref, own);
        }
      }
      return oddsApiQuestions(leagues, now, settings, keys);
    },
    async *read(answer: TakenAnswer) {
      const asked = askedAt(answer.question);
      if (!asked) throw new UnknownAnswer('', `answers no question of this provider: ${answer.question.path}`);
      const onEvent = (ref: string) => void keysOfEvents.set(ref, asked.sportKey!);
      for await (const item of readOddsApiAnswer(answer, asked, { told, inLog, onEvent })) {
        if ('sports' in item) inSeason = item.sports.slice(0, MAX_KEYS);
        else yield item;
      }
    },
    forget: () => told.clear(),
    get memory() {
      const bytes = told.bytes + keysOfEvents.size * EVENT_BYTES;
      return { bytes, limit: TOLD_BYTES + MAX_EVENTS * EVENT_BYTES };
    },
  };
}
