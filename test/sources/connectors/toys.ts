import type { ProviderRequest } from '../../../src/sources/provider-base/provider.ts';

/** A question of no provider in particular. */
export const question = (key: string, more: Partial<ProviderRequest> = {}): ProviderRequest => ({
  key,
  kind: 'scoreboard',
  league: 'nba',
  path: `/${key}`,
  query: {},
  intervalSeconds: 15,
  urgency: 'live',
  ...more,
});
