import type { Provider } from './connector.ts';
import { espnProvider } from './espn/connector.ts';

export interface LiveProviderSettings {
  readonly pace: number;
  readonly regions: readonly string[];
  readonly markets: readonly string[];
  readonly eventMarkets: readonly string[];
  /** Nobody else tells the scores. */
  readonly scores: boolean;
}

/** Every provider that can be polled, by name. */
export const liveProviders = (settings: LiveProviderSettings) =>
  ({
    espn: () => espnProvider(settings),
    'the-odds-api': () => notYet('the-odds-api'),
    'action-network': () => notYet('action-network'),
  }) satisfies Record<string, () => Provider>;

function notYet(name: string): Provider {
  throw new Error(`${name} cannot be polled yet`);
}
