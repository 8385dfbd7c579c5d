import { z } from 'zod';
import type { SportSlug } from '../../domain/catalogue/built-in-sports.ts';
import { MOST_MINUTES, rulesAllowed, rulesWith } from '../../domain/catalogue/game-rules.ts';
import { OVERTIMES, type OwnRules } from '../../domain/catalogue/own-rules.ts';

const minutes = z
  .int(`must be a whole number of 1 to ${MOST_MINUTES}`)
  .min(1, `must be 1 to ${MOST_MINUTES}`)
  .max(MOST_MINUTES, `must be 1 to ${MOST_MINUTES}`);
const oneOf = (values: readonly (string | number)[]): string => `must be one of ${values.join(', ')}`;
const yesOrNo = z.boolean('must be true or false');

/** `rules` of a league of the CONFIG file, as far as its sport does not matter. */
export const ownRules = z.strictObject({
  periods: z.int('must be a whole number').optional(),
  period_minutes: minutes.optional(),
  overtime: z.enum(OVERTIMES, oneOf(OVERTIMES)).optional(),
  overtime_minutes: minutes.optional(),
  shootout: yesOrNo.optional(),
  draws: yesOrNo.optional(),
} satisfies Record<keyof OwnRules, z.ZodType>);

/**
 * What of the rules no league of a sport can have: the member (empty: all of them) and what is allowed.
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
  return problems;
}
