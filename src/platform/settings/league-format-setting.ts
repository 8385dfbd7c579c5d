import { z } from 'zod';
import type { SportSlug } from '../../domain/catalogue/built-in-sports.ts';
import { type OwnFormat, type OwnPlayoffs, PLAYOFFS_OF, TITLES } from '../../domain/catalogue/own-format.ts';

const oneOf = (values: readonly string[]): string => `must be one of ${values.join(', ')}`;
const numberFrom = (least: number, most: number) => {
  const allowed = `must be a whole number of ${least} to ${most}`;
  return z.int(allowed).min(least, allowed).max(most, allowed);
};

const MOST_TEAMS = 64;
const MOST_PLACES = 32;
const MOST_ROUNDS = 6;
const SERIES = 'must be a list of 1 to 6 odd numbers of 1 to 9';

const playoffs = z.strictObject({
  places: numberFrom(2, MOST_PLACES),
  of: z.enum(PLAYOFFS_OF, oneOf(PLAYOFFS_OF)).optional(),
  of_division: numberFrom(0, MOST_PLACES).optional(),
  play_in: z.boolean('must be true or false').optional(),
  best_of: z
    .array(z.int(SERIES).min(1, SERIES).max(9, SERIES), SERIES)
    .min(1, SERIES)
    .max(MOST_ROUNDS, SERIES)
    .refine((games) => games.every((one) => one % 2 === 1), SERIES)
    .optional(),
} satisfies Record<keyof OwnPlayoffs, z.ZodType>);

/** `format` of a league of the CONFIG file, as far as one member does not depend on another. */
export const ownFormat = z.strictObject({
  title: z.enum(TITLES, oneOf(TITLES)),
  double_round_of: numberFrom(2, MOST_TEAMS).optional(),
  games: numberFrom(1, 200).optional(),
  promoted: numberFrom(1, MOST_PLACES).optional(),
  relegated: numberFrom(1, MOST_PLACES).optional(),
  playoffs: playoffs.optional(),
} satisfies Record<keyof OwnFormat, z.ZodType>);

/** What of a format does not fit together: the path of the member (empty: all of them) and what is allowed. */
export function problemsOfFormat(like: SportSlug, format: OwnFormat): readonly (readonly [member: string, string])[] {
  if (like === 'tennis') return [['', 'tours of tennis have no table']];
  const problems: [string, string][] = [];
  const { title, double_round_of: teams, games, promoted = 0, relegated = 0, playoffs: given } = format;
  if (teams === undefined && games === undefined) problems.push(['games', 'must be given without double_round_of']);
  if (teams !== undefined && games !== undefined)
    problems.push(['games', 'is not allowed beside double_round_of, from which it follows']);
  if (title === 'playoffs' && !given) problems.push(['playoffs', 'must be given where they decide the title']);
  if (title === 'playoffs' && promoted > 0)
    problems.push(['promoted', 'is not allowed where the playoffs decide the title']);
  if (given && (given.of ?? 'table') === 'table' && given.of_division !== undefined)
    problems.push(['playoffs.of_division', 'is not allowed unless of is conference']);
  if (given?.of === 'conference' && promoted > 0)
    problems.push(['promoted', 'is not allowed where the playoffs are those of conferences']);
  if (given?.of_division !== undefined && given.play_in)
    problems.push(['playoffs.play_in', 'is not allowed beside of_division']);
  if (given?.of_division !== undefined && given.of_division > given.places)
    problems.push(['playoffs.of_division', `must be at most ${given.places}, the places of a conference`]);
  const ofEach = given ? given.places + (given.play_in ? 2 : 0) : 0;
  const places = ofEach * (given?.of === 'conference' ? 2 : 1);
  if (teams !== undefined && promoted + places + relegated > teams)
    problems.push(['double_round_of', `must be at least ${promoted + places + relegated}, all places that it decides`]);
  return problems;
}
