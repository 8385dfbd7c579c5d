import { z } from 'zod';
import { americanFromDecimal } from '../../../domain/odds/american-odds.ts';
import { ownValue } from '../../../domain/primitives/own-properties.ts';
import { parseTime } from '../../../domain/primitives/time.ts';
import { namedCompetition } from '../../../text/query/named-competition.ts';
import { parseSlip } from '../../../text/slips/grammar/parse-slip.ts';
import { eventId, isGiven, playerId, teamId, text } from '../shared/parameters.ts';
import { clues, legMembers, MAX_TEXT, refuseLeg, type StructuredLeg, stake, takenPrice } from '../slips/slip-body.ts';

export const MAX_BETS_AT_ONCE = 200;

/** The members of a structured leg; all are optional here, since a text may stand in their place. */
const structured = {
  ...legMembers.partial().shape,
  event_id: eventId('Id of the event.').optional(),
  player_id: playerId('Of a prop, where it is required.').nullish(),
  team_id: teamId('Of a team total, where it is required.').nullish(),
};
const LEG_MEMBERS = Object.keys(structured) as (keyof typeof structured)[];
const NEEDED = ['event_id', 'market_key', 'side'] as const;

const bet = z
  .object({
    ...structured,
    text: text(
      `The bet in words, such as \`Chiefs -3.5\`, in the place of its members; at most ${MAX_TEXT} characters.`,
      {
        max: MAX_TEXT,
      },
    )
      .transform(parseSlip)
      .nullish(),
    clues: clues.nullish().meta({ description: 'They limit what `text` means.' }),
    price: takenPrice,
    decimal: z
      .number({ error: 'must be a number: decimal odds' })
      .gt(1, 'must be more than 1')
      .nullish()
      .meta({
        description:
          'The same price in decimal odds, where it was taken so: the bet then pays by it, and `price` is it in American odds, rounded.',
        examples: [1.95],
      }),
    stake,
    book: text('Where it was placed: a bookmaker’s slug, or any name.', { min: 1, max: 60 })
      .refine((name) => name.trim() !== '', 'must not be blank')
      .meta({ examples: ['draftkings'] }),
    placed_at: z
      .string({ error: 'must be a string' })
      .refine((value) => parseTime(value) !== null, 'must be a UTC ISO 8601 time with a trailing Z')
      .meta({
        description: 'When it was placed; not in the future. Words for days in `text` are relative to it.',
        format: 'date-time',
        pattern: 'Z$',
      }),
  })
  .superRefine((given, context) => {
    const refuse = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message });
    const { price, decimal, text: words } = given;
    const american = isGiven(decimal) ? americanFromDecimal(decimal) : price;
    if (american === undefined) refuse('decimal', 'must lie within American odds of 1,000,000 either way');
    else if (american !== price) refuse('decimal', `must be the same price as price: it is ${american}`);
    if (!isGiven(words)) {
      const missing = NEEDED.filter((name) => !isGiven(given[name]));
      for (const name of missing) refuse(name, 'is required where there is no text');
      if (missing.length === 0) refuseLeg(given as StructuredLeg, refuse);
      return;
    }
    for (const name of LEG_MEMBERS) if (isGiven(given[name])) refuse(name, 'must not be given beside a text');
    for (const name of ['sport', 'league'] as const) {
      const clue = given.clues?.[name];
      if (isGiven(clue) && !namedCompetition(clue, name)) {
        const message = `must name a sport or a league that the server knows; “${clue}” is none`;
        context.addIssue({ code: 'custom', path: ['clues', name], message });
      }
    }
    // A text that was already refused, such as for its length, is still a string here.
    if (typeof words === 'string') return;
    const { bets } = words as Exclude<typeof words, string>;
    if (bets.length !== 1) refuse('text', bets.length === 0 ? 'must hold a bet' : 'must hold one bet alone, no parlay');
  });
export type GivenBet = z.infer<typeof bet>;

/** A bet whose members are wrong. That is told in its turn: what is wrong with the bets before it comes first. */
export interface RefusedBet {
  readonly refused: { readonly given: unknown; readonly issues: readonly z.core.$ZodIssue[] };
}

export const isRefused = (one: GivenBet | RefusedBet): one is RefusedBet => 'refused' in one;

/** Under this key a bet of a sheet has reasons, by member, why cells could not be read. They say more than the schema does. */
export const WHY_UNREAD = Symbol('why cells could not be read');

function refusedBet(given: unknown, issues: readonly z.core.$ZodIssue[]): RefusedBet {
  const reasons = (given as { readonly [WHY_UNREAD]?: Readonly<Record<string, string>> } | null)?.[WHY_UNREAD] ?? {};
  const told = issues.map((issue) => {
    const [member, ...inner] = issue.path;
    const reason = inner.length === 0 ? ownValue(reasons, String(member)) : undefined;
    return reason === undefined ? issue : { ...issue, message: reason };
  });
  return { refused: { given, issues: told } };
}

/** Without an input there is no wrong bet: the conversion to JSON Schema asks for a default. */
const judgedBet = bet.catch(
  (wrong) => (wrong && refusedBet(wrong.input, wrong.error.issues)) as never,
) as unknown as z.ZodType<GivenBet | RefusedBet, z.input<typeof bet>>;

export const betBody = z.object({
  bets: z
    .array(judgedBet, { error: 'must be an array of bets' })
    .min(1, 'must hold at least 1 bet')
    .max(MAX_BETS_AT_ONCE, `must hold at most ${MAX_BETS_AT_ONCE} bets`)
    .meta({ description: `At most ${MAX_BETS_AT_ONCE}. All are taken, or none.` }),
});
export type BetBody = z.infer<typeof betBody>;
