import { z } from 'zod';
import type { SportSlug } from '../../domain/catalogue/built-in-sports.ts';
import { MOST_MINUTES, rulesAllowed, rulesWith } from '../../domain/catalogue/game-rules.ts';
import { OVERTIMES, type OwnPoints, type OwnRules } from '../../domain/catalogue/own-rules.ts';
import { worthWith } from '../../domain/standings/result-worth.ts';

const minutes = z
  .int(`must be a whole number of 1 to ${MOST_MINUTES}`)
  .min(1, `must be 1 to ${MOST_MINUTES}`)
  .max(MOST_MINUTES, `must be 1 to ${MOST_MINUTES}`);
const oneOf = (values: readonly (string | number)[]): string => `must be one of ${values.join(', ')}`;
const yesOrNo = z.boolean('must be true or false');

const MOST_POINTS = 10;
const pointsFrom = (least: number) => {
  const allowed = `must be a whole number of ${least} to ${MOST_POINTS}`;
  return z.int(allowed).min(least, allowed).max(MOST_POINTS, allowed).optional();
};
const ownPoints = z.strictObject({
  win: pointsFrom(1),
  draw: pointsFrom(0),
  loss: pointsFrom(0),
  overtime_win: pointsFrom(0),
  overtime_loss: pointsFrom(0),
} satisfies Record<keyof OwnPoints, z.ZodType>);

/** `rules` of a league of the CONFIG file, as far as its sport does not matter. */
export const ownRules = z.strictObject({
  periods: z.int('must be a whole number').optional(),
  period_minutes: minutes.optional(),
  overtime: z.enum(OVERTIMES, oneOf(OVERTIMES)).optional(),
  overtime_minutes: minutes.optional(),
  shootout: yesOrNo.optional(),
  draws: yesOrNo.optional(),
  points: ownPoints.optional(),
} satisfies Record<keyof OwnRules, z.ZodType>);

/**
 * What of the rules no league of a sport can have: the path of the member (empty: all of them) and what is allowed.
 * @param like the built-in sport that is played
 */
export function problemsOfRules(like: SportSlug, rules: OwnRules): readonly (readonly [member: string, string])[] {
  const allowed = rulesAllowed(like);
  if (allowed.periods.length === 0) return [['', `leagues of ${like} have no rules of their own`]];
  const { periods, period_minutes, overtime, overtime_minutes, shootout, draws } = rules;
  const problems: [string, string][] = [];
  if (periods !== undefined && !allowed.periods.includes(periods))
    problems.push(['periods', `${oneOf(allowed.periods)} where the sport is ${like}`]);
  if (period_minutes !== undefined && !allowed.minutes)
    problems.push(['period_minutes', `is not allowed: ${like} has no clock`]);
  if (overtime !== undefined && !allowed.overtime.includes(overtime))
    problems.push(['overtime', `${oneOf(allowed.overtime)} where the sport is ${like}`]);
  if (shootout === true && !allowed.shootout) problems.push(['shootout', `must be false where the sport is ${like}`]);
  const { overtime: inForce, shootout: hasShootout } = rulesWith(like, rules);
  if (overtime_minutes !== undefined && inForce !== 'timed')
    problems.push(['overtime_minutes', `is not allowed: the overtime is ${inForce}`]);
  if (draws === false && inForce === 'none' && !hasShootout)
    problems.push(['draws', 'must be true where neither an overtime nor a shootout is played']);
  for (const [member, problem] of problemsOfPoints(like, rules)) problems.push([`points.${member}`, problem]);
  return problems;
}

function* problemsOfPoints(like: SportSlug, rules: OwnRules): Generator<readonly [keyof OwnPoints, string]> {
  const { points } = rules;
  if (!points) return;
  const played = rulesWith(like, rules);
  const worth = worthWith(like, played);
  if (points.win === undefined && !worthWith(like, { ...played, points: null }).hasPoints) {
    yield ['win', `must be given: ${like} counts wins, so what a win is worth is not known`];
    return;
  }
  const { draw, loss, lateWin: overtime_win, lateLoss: overtime_loss } = worth;
  for (const [member, value] of Object.entries({ draw, loss, overtime_win, overtime_loss })) {
    if (value > worth.win)
      yield [member as keyof OwnPoints, `must be at most ${worth.win}, which a win is worth; it is ${value}`];
  }
  const isBeyondPlayed = played.overtime !== 'none' || played.shootout;
  for (const member of ['overtime_win', 'overtime_loss'] as const) {
    if (points[member] === undefined) continue;
    if (!isBeyondPlayed) yield [member, 'is not allowed: neither an overtime nor a shootout is played'];
    // Their level games are draws of the table, whoever wins the shootout.
    else if (worth.byScore) yield [member, `is not allowed in a league of ${like} where draws is true`];
  }
}
