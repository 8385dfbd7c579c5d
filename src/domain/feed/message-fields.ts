import { z } from 'zod';
import { findLeague, findSport } from '../catalogue/catalogue.ts';
import { formatTime, parseTime } from '../primitives/time.ts';

/** Fields that several kinds of feed messages share. */
const MAX_TEXT = 300;
/** Length of a time in canonical spelling without milliseconds: 2026-01-31T12:00:00Z. */
export const WHOLE_SECONDS = 20;
/** Characters that databases and headers cut or replace, so that the stored text would differ from the sent one. */
const UNSTORABLE = /[\0\p{Surrogate}]/u;
export const text = z
  .string()
  .trim()
  .min(1)
  .max(MAX_TEXT)
  .refine((value) => !UNSTORABLE.test(value), 'must not contain NUL characters or lone surrogates');
/** A reader of bytes in another encoding puts U+FFFD where it can make nothing of them: the name is lost. */
export const DAMAGED_TEXT = 'holds U+FFFD, so it was read in another encoding than it was written in';
/** The name of a person, a team or a place, in Unicode normal form C. */
export const name = text.normalize('NFC').refine((value) => !value.includes('\ufffd'), DAMAGED_TEXT);
export const time = z.string().transform((value, context) => {
  const milliseconds = parseTime(value);
  if (milliseconds !== null) return value.length === WHOLE_SECONDS ? value : formatTime(milliseconds);
  context.issues.push({ code: 'custom', message: 'must be a UTC ISO 8601 time with a trailing Z', input: value });
  return z.NEVER;
});
export const SLUG = /^[a-z0-9][a-z0-9_-]{0,59}$/;
export const slug = z.string().regex(SLUG, 'must be a slug');
export const safeInteger = z.number().int().min(Number.MIN_SAFE_INTEGER).max(Number.MAX_SAFE_INTEGER);
export const price = z
  .number()
  .int()
  .min(-1_000_000)
  .max(1_000_000)
  .refine((value) => Math.abs(value) >= 100, {
    error: 'American odds are at least 100 in absolute value',
    // Stop at the first wrong price of a list.
    abort: true,
  });

export const common = { source: slug, at: time };
export const league = {
  sport: z.string().refine((value) => findSport(value) !== undefined, 'unknown sport'),
  league: z.string().refine((value) => findLeague(value) !== undefined, 'unknown league'),
};
export const ref = text;
export const side = z.enum(['home', 'away', 'player_1', 'player_2']);
export type Role = z.infer<typeof side>;

/** Which game of a day it is, where the same two sides play several. */
export const gameNumber = z.union([z.literal(1), z.literal(2), z.literal(3)], { error: 'must be 1, 2 or 3' });

export const match = z.looseObject({
  ...league,
  starts_at: time,
  game_number: gameNumber.optional(),
  home: name.optional(),
  away: name.optional(),
  player_1: name.optional(),
  player_2: name.optional(),
});
export const event = { ref: ref.optional(), match: match.optional() };

export const venue = z.looseObject({
  name,
  city: name.optional(),
  country: name.optional(),
  surface: text.optional(),
  roof_type: text.optional(),
  capacity: safeInteger.min(0).optional(),
  timezone: text.optional(),
});
