import { asRecord } from '../parsing/json-values.ts';
import { createVenueImporter } from '../provider-base/venue-importer.ts';
import { kalshiProvider } from './provider.ts';

export const kalshiImporter = createVenueImporter({
  name: 'kalshi',
  summary: 'lists of events with markets, and of markets, of the public data of Kalshi (JSON)',
  createProvider: () => kalshiProvider(),
  pathOf(body) {
    const { events, markets } = asRecord(body);
    if (Array.isArray(events)) return '/trade-api/v2/events';
    return Array.isArray(markets) ? '/trade-api/v2/markets' : undefined;
  },
});
