import { createVenueImporter } from '../provider-base/venue-importer.ts';
import { polymarketProvider } from './provider.ts';

export const polymarketImporter = createVenueImporter({
  name: 'polymarket',
  summary: 'lists of events with markets of the public data of Polymarket (JSON)',
  createProvider: () => polymarketProvider(),
  pathOf: (body) => (Array.isArray(body) ? '/events' : undefined),
});
