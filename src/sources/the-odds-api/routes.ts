import type { Question } from '../importing/connector.ts';

/** What of The Odds API's is asked for. */
export type OddsApiRoute = 'sports' | 'odds' | 'events' | 'scores' | 'event-odds';

export interface OddsApiAsked {
  readonly route: OddsApiRoute;
  /** The provider's key of the sport; undefined for the list of sports. */
  readonly sportKey: string | undefined;
  /** The provider's keys of the markets that were asked for. */
  readonly markets: readonly string[];
  readonly oddsFormat: string | undefined;
}

const PATH = /\/v4\/sports(?:\/([a-z0-9_]+)\/(?:(odds|events|scores)|events\/[^/]+\/(odds)))?\/?$/;

/** What was asked, from where it was asked; undefined where it is none of the places that are asked. */
export function askedAt({ path, query }: Pick<Question, 'path' | 'query'>): OddsApiAsked | undefined {
  const found = PATH.exec(path);
  if (!found) return undefined;
  const [, sportKey, list, ofEvent] = found;
  const route = sportKey === undefined ? 'sports' : ofEvent ? 'event-odds' : (list as OddsApiRoute);
  const markets = (query['markets'] ?? '').split(',').filter(Boolean);
  return { route, sportKey, markets, oddsFormat: query['oddsFormat'] };
}
