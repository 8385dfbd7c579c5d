import { z } from 'zod';
import { LEG_SIDES } from '../../../domain/grading/leg.ts';
import { canonicalMarket, KIND_RULES, legKindOf } from '../../../domain/grading/leg-markets.ts';
import { LEG_SCOPES } from '../../../domain/grading/leg-scope.ts';
import { RULE_SET_NAMES } from '../../../domain/grading/rules/rule-sets.ts';
import { parseSlip } from '../../../text/slips/grammar/parse-slip.ts';
import { asOfParameters, eventId, isGiven, oneOf, playerId, teamId, text } from '../shared/parameters.ts';

const MAX_LEGS = 8;
export const MAX_TEXT = 2000;
const MAX_LINE = 1000;

/** The members of a leg; `refuseLeg` checks how they go together. */
export const legMembers = z.object({
  event_id: eventId('Id of the event.'),
  market_key: z.string({ error: 'must be a string' }).meta({
    description:
      '`h2h` (or `moneyline`, `ml`), `h2h_3_way` (regular time, with a draw), `spreads` (`spread`), `totals` (`total`, `ou`), `team_total` (`team totals`, `tt`), else the name of a player’s statistic. Case does not count.',
    examples: ['h2h', 'spreads', 'passing_yards'],
  }),
  side: oneOf(
    '`home` and `away` of h2h and spreads, `draw` of h2h and h2h_3_way, `over` and `under` of all else.',
    LEG_SIDES,
  ),
  line: z
    .number({ error: 'must be a number' })
    .gt(-MAX_LINE, `must be more than -${MAX_LINE}`)
    .lt(MAX_LINE, `must be less than ${MAX_LINE}`)
    .nullish()
    .meta({ description: 'Signed to the side on spreads. Required but on h2h and h2h_3_way, which have none.' }),
  player_id: playerId('Of a prop, where it is required.').nullish(),
  team_id: teamId('Of a team total, where it is required.').nullish(),
  scope: oneOf('The part of the event that it is on; default: the whole event. Not of a prop.', LEG_SCOPES).nullish(),
});

const MIN_AMERICAN = 100;
const MAX_AMERICAN = 1_000_000;
/** American odds that were taken. */
export const takenPrice = z
  .int({ error: 'must be an integer: American odds' })
  .min(-MAX_AMERICAN, `must be at least -${MAX_AMERICAN}`)
  .max(MAX_AMERICAN, `must be at most ${MAX_AMERICAN}`)
  .refine(
    (price) => Math.abs(price) >= MIN_AMERICAN,
    `must be American odds: at least +${MIN_AMERICAN}, or at most -${MIN_AMERICAN}`,
  )
  .meta({ description: 'The price that was taken, in American odds.', examples: [-110] });

const MAX_STAKE = 1_000_000_000;
export const stake = z
  .number({ error: 'must be a number' })
  .positive('must be more than 0')
  .max(MAX_STAKE, `must be at most ${MAX_STAKE}`)
  .meta({ description: 'In a unit of one’s own.' });

/** Calls `refuse` for each member that the market does not allow, or lacks. */
export function refuseLeg(given: StructuredLeg, refuse: (path: string, message: string) => void): void {
  const market = canonicalMarket(given.market_key);
  if (!/^[a-z0-9_]{1,60}$/.test(market)) {
    refuse('market_key', 'must be [a-z0-9_]{1,60}');
    return;
  }
  const kind = legKindOf(market);
  const { needs, forbids, sides } = KIND_RULES[kind];
  for (const name of needs) if (!isGiven(given[name])) refuse(name, `is required of ${market}`);
  for (const name of forbids) if (isGiven(given[name])) refuse(name, `must not be given of ${market}`);
  if (isGiven(given.scope) && (kind === 'prop' || kind === 'period')) {
    refuse('scope', `must not be given of ${market}`);
  }
  if (!sides.includes(given.side)) refuse('side', `must be one of ${sides.join(', ')} of ${market}`);
}

const pricedLeg = legMembers.extend({ price: takenPrice.nullish(), stake: stake.nullish() });
const leg = pricedLeg.superRefine((given, context) =>
  refuseLeg(given, (path, message) => context.addIssue({ code: 'custom', path: [path], message })),
);
export type StructuredLeg = z.infer<typeof pricedLeg>;

export const clues = z.object({
  sport: text('Only events of this sport: its slug or a name of it, in any case.', { max: 40 }).nullish(),
  league: text('Only events of this league: its slug, name or abbreviation, in any case.', { max: 60 }).nullish(),
  event_id: eventId('Only this event; then no date is needed.').nullish(),
  team_id: teamId('Only events of this team.').nullish(),
  team_text: text('Only events of a team that is called so.', { max: 200 }).nullish(),
});

export const slipBody = z
  .object({
    legs: z
      .array(leg, { error: 'must be an array of legs' })
      .max(MAX_LEGS, `must hold at most ${MAX_LEGS} legs`)
      .nullish()
      .meta({ description: `At most ${MAX_LEGS}, those of \`text\` counted too. They come first in the answer.` }),
    text: text(`A slip in words, such as \`Chiefs -3.5\`; at most ${MAX_TEXT} characters.`, {
      max: MAX_TEXT,
    })
      .transform(parseSlip)
      .nullish(),
    clues: clues.nullish().meta({ description: 'They limit the legs of `text`, never those of `legs`.' }),
    stake: stake.nullish().meta({ description: 'Of one parlay of all legs.' }),
    price: takenPrice.nullish().meta({
      description: 'Of the parlay, in American odds; default: that of its legs together.',
    }),
    rules: oneOf('By whose rules it settles; default: `spec`, the rules of this server.', RULE_SET_NAMES).nullish(),
    ...asOfParameters,
  })
  .superRefine(({ legs, text: words }, context) => {
    const refuse = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message });
    if (!isGiven(words)) {
      if (!legs?.length) refuse('legs', 'must hold at least 1 leg where there is no text');
      return;
    }
    // A text that was already refused, such as for its length, is still a string here.
    if (typeof words === 'string') return;
    if (words!.text.trim() === '') return refuse('text', 'must not be blank');
    const read = words!.bets.length;
    const given = legs?.length ?? 0;
    if (read + given === 0) refuse('text', 'must hold a leg: headers and stakes are none');
    if (read + given > MAX_LEGS) refuse('text', `must hold at most ${MAX_LEGS} legs, those of \`legs\` counted too`);
  });
export type SlipBody = z.infer<typeof slipBody>;
