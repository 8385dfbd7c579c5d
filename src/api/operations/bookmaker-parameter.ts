import { text } from './parameters.ts';

/** The `bookmaker` parameter: one slug (pinnacle unless told), `all`, or a comma-separated list. */
export const bookmakerParameter = text('A bookmaker’s slug, `all`, or a comma-separated list.', { max: 2000 })
  .default('pinnacle')
  .meta({ examples: ['pinnacle', 'all', 'fanduel,draftkings'] });
