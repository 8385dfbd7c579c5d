import { z } from 'zod';
import { SCORE_MOMENTS, SEVERITIES } from '../../../domain/alerts/alert-filter.ts';
import { MAX_QUIET } from '../../../domain/alerts/alert-formats.ts';
import { SPORT_SLUGS } from '../../../domain/catalogue/catalogue.ts';
import { WEBHOOK_EVENT_TYPES } from '../../../domain/webhook-types.ts';

const MAX_ITEMS = 200;
const NOT_A_LIST = { error: 'must be an array' };

/** Some of something; an empty list would let nothing pass, which nobody means. */
const some = <Item extends z.ZodType>(item: Item) =>
  z.array(item, NOT_A_LIST).min(1, 'must not be empty').max(MAX_ITEMS, `must hold at most ${MAX_ITEMS} items`);
const words = <const T extends readonly [string, ...string[]]>(values: T) =>
  z.enum(values, { error: `must be one of ${values.join(', ')}` });
const slug = z
  .string({ error: 'must be a string' })
  .regex(/^[a-z0-9_]{1,40}$/, 'must be a slug: small letters, digits and underscores');
const ids = some(z.int({ error: 'must be an integer' }));
const least = (max: number) =>
  z.number({ error: 'must be a number' }).min(0, 'must be at least 0').max(max, `must be at most ${max}`);

/** Which changes a subscription is told of. */
export const alertFilter = z
  .strictObject(
    {
      types: some(words(WEBHOOK_EVENT_TYPES)),
      sports: some(words(SPORT_SLUGS)),
      leagues: some(slug),
      event_ids: ids,
      team_ids: ids,
      player_ids: ids,
      bookmakers: some(slug),
      markets: some(words(['h2h', 'spreads', 'totals'])),
      min_line_move: least(1000),
      min_price_move: least(100),
      min_ev_percent: least(100),
      min_severity: words(SEVERITIES),
      before_start_minutes: z
        .int({ error: 'must be an integer' })
        .min(1, 'must be at least 1')
        .max(100_000, 'must be at most 100000'),
      score: words(SCORE_MOMENTS),
    },
    { error: ({ code }) => (code === 'unrecognized_keys' ? 'must hold no unknown members' : 'must be an object') },
  )
  .partial()
  .meta({
    id: 'AlertFilter',
    description:
      'What passes every member that is given. `types` goes before `event_types`; thresholds are “at least”, and hold back what has no such number; `min_price_move` is in points of implied probability.',
  });

export const quiet = z
  .strictObject({
    min_interval_seconds: z
      .int({ error: 'must be an integer' })
      .min(0, 'must be at least 0')
      .max(MAX_QUIET, `must be at most ${MAX_QUIET}`),
  })
  .meta({ description: 'At most one message about an event in this time; what came between is one. 30 for people.' });
