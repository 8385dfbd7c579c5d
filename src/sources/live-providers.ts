import { actionNetworkProvider } from './action-network/connector.ts';
import { espnProvider } from './espn/connector.ts';
import type { Provider } from './importing/connector.ts';
import { theOddsApiProvider } from './the-odds-api/connector.ts';
import type { PricesInLog } from './the-odds-api/live-prices.ts';
import type { OddsApiSettings } from './the-odds-api/questions.ts';

export interface LiveProviderSettings extends OddsApiSettings {
  /** What every wait is divided by. */
  readonly pace: number;
}

/**
 * Every provider that can be polled, by name.
 * @param inLog prices that were told before this server started
 */
export const liveProviders = (settings: LiveProviderSettings, inLog?: PricesInLog) =>
  ({
    espn: () => espnProvider(settings),
    'the-odds-api': () => theOddsApiProvider(settings, inLog),
    'action-network': () => actionNetworkProvider(),
  }) satisfies Record<string, () => Provider>;
