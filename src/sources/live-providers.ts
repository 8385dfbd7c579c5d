import { actionNetworkProvider } from './action-network/provider.ts';
import { type EspnSettings, espnProvider } from './espn/provider.ts';
import { kalshiProvider } from './kalshi/provider.ts';
import { MLB } from './mlb/source.ts';
import { NHL } from './nhl/source.ts';
import { polymarketProvider } from './polymarket/provider.ts';
import { createGamesProvider } from './provider-base/games-source.ts';
import type { Provider } from './provider-base/provider.ts';
import type { VenueKnowledge } from './provider-base/venue-memory.ts';
import type { ReadLoggedPrices } from './the-odds-api/live-prices.ts';
import { theOddsApiProvider } from './the-odds-api/provider.ts';
import type { OddsApiSettings } from './the-odds-api/requests.ts';

interface LiveProviderSettings extends OddsApiSettings {
  /** Divides every wait. */
  readonly pace: number;
  /** How ESPN is asked for the days ahead. */
  readonly ahead: EspnSettings['ahead'];
}

/**
 * All providers that can be polled, by name.
 * @param inLog reads prices that were published before this server started
 * @param venues what other books think of a market: without it no price proves the side of a contract; and what persons
 *   have bound
 */
export const createLiveProviders = (
  settings: LiveProviderSettings,
  inLog?: ReadLoggedPrices,
  venues?: VenueKnowledge,
) =>
  ({
    espn: () => espnProvider(settings),
    kalshi: () => kalshiProvider(venues),
    polymarket: () => polymarketProvider(venues),
    mlb: () => createGamesProvider(MLB),
    nhl: () => createGamesProvider(NHL),
    'the-odds-api': () => theOddsApiProvider(settings, inLog),
    'action-network': () => actionNetworkProvider(),
  }) satisfies Record<string, () => Provider>;
