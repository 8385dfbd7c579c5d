import { z } from 'zod';
import { type AlertFilter, EV_JUDGES, SCORE_MOMENTS, SEVERITIES } from '../../../domain/alerts/alert-filter.ts';
import { MAX_QUIET } from '../../../domain/alerts/alert-formats.ts';
import type { IdentitySubject } from '../../../domain/feed/identity-message.ts';
import { WATCHED_MARKETS } from '../../../domain/odds/bookmaker-prices.ts';
import { WEBHOOK_EVENT_TYPES } from '../../../domain/webhook-types.ts';
import { markThingId } from '../../calls/operation/thing-ids.ts';

const MAX_ITEMS = 100;
const NOT_A_LIST = { error: 'must be an array' };

/** Some of something. An empty list is read as none. */
const some = <Item extends z.ZodType>(item: Item) =>
  z.array(item, NOT_A_LIST).max(MAX_ITEMS, `must hold at most ${MAX_ITEMS} items`);
const words = <const T extends readonly [string, ...string[]]>(values: T) =>
  z.enum(values, { error: `must be one of ${values.join(', ')}` });
/** One that nobody knows matches nothing. */
const slug = z.string({ error: 'must be a string' }).max(40, 'must have at most 40 characters');
/** In the case of the slugs, as `books` and `bookmakers` of a call. */
const book = slug.toLowerCase();
/** Ids as they were given: who reads them asks what they mean. */
const idsOf = (of: IdentitySubject) => some(markThingId(z.int({ error: 'must be an integer' }), { of, isKept: true }));
const least = (max: number) =>
  z.number({ error: 'must be a number' }).min(0, 'must be at least 0').max(max, `must be at most ${max}`);

/** Which changes a subscription is told of. */
export const alertFilter = z
  .strictObject(
    {
      types: some(words(WEBHOOK_EVENT_TYPES)).describe('In the place of `event_types`.'),
      sports: some(slug).describe('Slugs.'),
      leagues: some(slug).describe('Slugs.'),
      event_ids: idsOf('event').describe('Events.'),
      team_ids: idsOf('team').describe('Of either side.'),
      player_ids: idsOf('player').describe('Sides, or who is injured.'),
      books: some(book).describe('In the place of the account’s list; or `all`.'),
      bookmakers: some(book).describe('Holds back other prices alone.'),
      markets: some(words(WATCHED_MARKETS)).describe('Keys.'),
      min_line_move: least(1000).describe('Points.'),
      min_price_move: least(100).describe('Points of implied probability.'),
      min_ev_percent: least(100).describe('Expected value.'),
      by: words(EV_JUDGES).describe('Judge of expected value.'),
      min_severity: words(SEVERITIES).describe('Of injuries.'),
      before_start_minutes: z
        .int({ error: 'must be an integer' })
        .min(1, 'must be at least 1')
        .max(100_000, 'must be at most 100000')
        .describe('Only so shortly before the start.'),
      score: words(SCORE_MOMENTS).describe('Moments of a game.'),
    },
    { error: ({ code }) => (code === 'unrecognized_keys' ? 'must hold no unknown members' : 'must be an object') },
  )
  .partial()
  .meta({
    description: 'All members must let a change pass.',
  });

export const quiet = z
  .strictObject({
    min_interval_seconds: z
      .int({ error: 'must be an integer' })
      .min(0, 'must be at least 0')
      .max(MAX_QUIET, `must be at most ${MAX_QUIET}`)
      .describe('Seconds; 30 for people.'),
  })
  .meta({ description: 'At most one message about an event in this time.' });

/** A filter without its empty lists; null if it is one that lets everything pass. */
export function givenFilter(filter: z.infer<typeof alertFilter>): AlertFilter | null {
  const given = Object.entries(filter).filter(([, value]) => !(Array.isArray(value) && value.length === 0));
  return given.length === 0 ? null : (Object.fromEntries(given) as AlertFilter);
}
