import { z } from 'zod';
import { DAY, parseDate, parseTime } from '../../../domain/primitives/time.ts';
import { AS_OF_BASES, type AsOf } from '../../../read-models/as-of/as-of.ts';
import { badRequest } from '../../calls/api-errors.ts';
import { markThingId } from '../../calls/operation/thing-ids.ts';

/**
 * Building blocks of operations' inputs. They describe typed values, as in JSON bodies and MCP arguments; query strings
 * and paths are converted to these types before (see `src/api/calls/operation/operation-input.ts`).
 */

const OUT_OF_RANGE = `must lie between ${Number.MIN_SAFE_INTEGER} and ${Number.MAX_SAFE_INTEGER}`;

/** An integer. */
export function integer(description: string, { min, max }: { min?: number; max?: number } = {}) {
  let schema = z.int({ error: ({ code }) => (code === 'invalid_type' ? 'must be an integer' : OUT_OF_RANGE) });
  if (min !== undefined) schema = schema.min(min, `must be at least ${min}`);
  if (max !== undefined) schema = schema.max(max, `must be at most ${max}`);
  return schema.meta({ description });
}

/** The id of anything that has a number, but an event, a team or a player. It may match nothing. */
export const entityId = (description: string) => integer(description);

/** The id of an event. One that was merged into another event means that one. */
export const eventId = (description: string, rules: Omit<Parameters<typeof markThingId>[1], 'of'> = {}) =>
  markThingId(integer(description), { of: 'event', ...rules });
/** The id of a team; as that of an event. */
export const teamId = (description: string) => markThingId(integer(description), { of: 'team' });
/** The id of a player; as that of an event. */
export const playerId = (description: string) => markThingId(integer(description), { of: 'player' });

const MAX_IDS = 200;
const FOLLOWED = { isKept: true } as const;
const toList = (given: number | readonly number[]): readonly number[] => (typeof given === 'number' ? [given] : given);

/**
 * Ids of events to follow, as they were given; in a URL a comma list. An empty list is read as none, each id once. Who
 * reads them asks what they mean.
 */
export const followedEventIds = (description: string) =>
  z
    .union(
      [
        eventId('One id.', FOLLOWED),
        z.array(eventId('One of them.', FOLLOWED)).max(MAX_IDS, `must hold at most ${MAX_IDS} ids`),
      ],
      { error: 'must be an integer, or some of them' },
    )
    .transform((given) => [...new Set(toList(given))])
    .meta({ description });

/** Any number. */
export const number = (description: string) => z.number({ error: 'must be a number' }).meta({ description });

export const boolean = (description: string) => z.boolean({ error: 'must be true or false' }).meta({ description });

interface Lengths {
  readonly min?: number;
  readonly max?: number;
}

/** NUL is refused: databases and headers cut texts there. */
const characters = ({ min = 0, max = 300 }: Lengths = {}) =>
  z
    .string({ error: 'must be a string' })
    .min(min, min === 1 ? 'must not be empty' : `must have at least ${min} characters`)
    .max(max, `must have at most ${max} characters`)
    .refine((value) => !value.includes('\0'), 'must not contain NUL characters');

/** Any text up to `max` characters. */
export const text = (description: string, lengths?: Lengths) =>
  characters(lengths).meta({ description, pattern: '^[^\\u0000]*$' });

/**
 * A text whose format is documented but checked by the operation, so that a wrong one is answered with 400, where a
 * schema would give 422.
 * @param form in JSON Schema
 */
export const described = (description: string, form: Readonly<Record<string, unknown>>) =>
  z.string({ error: 'must be a string' }).meta({ description, ...form });

/** A pattern for a comma list of some words in any case. JSON Schema has no flag for ignoring case. */
export function listPattern(words: readonly string[]): string {
  const anyCase = words.map((word) => word.replaceAll(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`));
  const item = `\\s*(?:(?:${anyCase.join('|')})\\s*)?`;
  return `^${item}(?:,${item})*$`;
}

/** One of a few words. */
export const oneOf = <const T extends readonly [string, ...string[]]>(description: string, values: T) =>
  z.enum(values, { error: `must be one of ${values.join(', ')}` }).meta({ description });

const CURSOR = 'Cursor: `next_after_id` of the page before.';

/** The cursor of a list. The operation checks whether its id exists (400 if not). */
export const cursor = integer(CURSOR).optional();

/** The cursor of a list of events. */
export const eventCursor = eventId(CURSOR).optional();

/** Page size. */
export const limit = ({ max = 100, fallback = 25 }: { max?: number; fallback?: number } = {}) =>
  integer('How many to answer at most.', { min: 1, max }).default(fallback);

/** The path of a resource with an integer id. */
export const pathId = (of: string) => z.object({ id: entityId(`Id of the ${of}.`) });

/** The path of an event. */
export const eventPath = () => z.object({ id: eventId('Id of the event.') });
export const teamPath = () => z.object({ id: teamId('Id of the team.') });
export const playerPath = () => z.object({ id: playerId('Id of the player.') });

/** Parameters of operations that can answer as of a moment; read them with `readAsOf`. */
export const asOfParameters = {
  as_of: described('The answer of this UTC time (ISO 8601 with Z), not in the future.', {
    format: 'date-time',
    pattern: 'Z$',
    examples: ['2026-01-31T18:00:00Z'],
  }).optional(),
  as_of_basis: oneOf('By when the server learned a fact, or its source observed it.', AS_OF_BASES).default('recorded'),
};

/**
 * The requested moment; undefined: now.
 * @param now called only if there is a moment: an answer that reads the time is not cached
 * @throws ApiError bad_request if it is malformed or in the future
 */
export function readAsOf(
  input: { readonly as_of?: string | undefined; readonly as_of_basis: AsOf['basis'] },
  now: () => number,
): AsOf | undefined {
  if (input.as_of === undefined) return undefined;
  const at = parseTime(input.as_of);
  if (at === null) throw badRequest('as_of must be a UTC ISO 8601 time with a trailing Z');
  if (at > now()) throw badRequest('as_of must not be in the future');
  return { at, basis: input.as_of_basis };
}

/** A date parameter; read it with `readDate`, so that a malformed date gives 400 and not 422. */
export const date = (description: string) =>
  described(description, { format: 'date', examples: ['2026-01-31'] }).optional();

/** Start of the date in UTC, in milliseconds. @throws ApiError bad_request if it is malformed */
export function readDate(name: string, value: string): number {
  const time = parseDate(value);
  if (time === null) throw badRequest(`${name} must be a date, YYYY-MM-DD`);
  return time;
}

export const DEFAULT_BOOKMAKER = 'pinnacle';

/** The `bookmaker` parameter: one slug (default pinnacle), `all`, or a comma list. */
export const bookmakerParameter = text('A bookmaker’s slug, `all`, or a comma-separated list.', { max: 2000 })
  .default(DEFAULT_BOOKMAKER)
  .meta({ examples: ['pinnacle', 'all', 'fanduel,draftkings'] });

/** For operations on lines. */
export const includeAltsParameter = boolean('Adds the rungs beside the main lines.').default(false);

/** Seconds for which clients may cache an answer, as with odds. */
export const MARKET_CACHE_SECONDS = 120;

/** Whether an optional value is present; null counts as absent. */
export const isGiven = <Value>(value: Value | null | undefined): value is Value =>
  value !== null && value !== undefined;

/** For list operations. */
export const sportFilter = text('Sport slug; an unknown one gives an empty list.').optional();

/** The API key in the query. The route reads it from the URL by itself. */
export const apiKeyParameter = z
  .string()
  .max(200)
  .optional()
  .meta({ description: 'The API key, for clients that cannot set headers.' });

export const MAX_RANGE_DAYS = 90;

/** @throws ApiError bad_request if the days are in the wrong order, or too far apart; milliseconds */
export function checkDayRange(first: number, last: number): void {
  if (first > last) throw badRequest('from must not lie after to');
  if (last - first > MAX_RANGE_DAYS * DAY) throw badRequest(`from and to may lie at most ${MAX_RANGE_DAYS} days apart`);
}
