import { legKindOf } from '../../../domain/grading/leg-markets.ts';
import { parseTime } from '../../../domain/primitives/time.ts';
import { yieldToEventLoop } from '../../../platform/async/yield-to-event-loop.ts';
import type { BoundLeg } from '../../../text/slips/slip-leg.ts';
import type { FieldError } from '../../calls/api-errors.ts';
import type { OperationContext } from '../../calls/operation/operation.ts';
import { issueErrors, validationError } from '../../calls/operation/operation-input.ts';
import { isLimitedToSports } from '../../calls/scopes.ts';
import type { NewBet } from '../../calls/services/bet-services.ts';
import { isGiven } from '../shared/parameters.ts';
import { bindStructuredLegs } from '../slips/bind-structured-legs.ts';
import { bindTextBets } from '../slips/bind-text-bets.ts';
import type { BindingContext } from '../slips/binding-context.ts';
import type { StructuredLeg } from '../slips/slip-body.ts';
import { gradeLegs } from '../slips/slip-grader.ts';
import type { GradedLeg } from '../slips/slip-schemas.ts';
import { type GivenBet, isRefused, type RefusedBet } from './bet-body.ts';

/** Bets that are settled together, before other work has its turn. */
const AT_ONCE = 25;

/**
 * The bets with their names resolved, each judged as the leg of a slip is: one that would be unmapped is refused.
 * @throws ApiError of the first that is wrong: validation_error with its place, then those of all others whose members are
 * wrong; sport_scope_denied
 */
export async function bindBets(
  given: readonly (GivenBet | RefusedBet)[],
  context: OperationContext,
): Promise<readonly NewBet[]> {
  const errors = given.flatMap((one, place) =>
    isRefused(one) ? issueErrors(['body', 'bets', place], one.refused.given, one.refused.issues) : [],
  );
  const firstRefused = given.findIndex(isRefused);
  const before = given.slice(0, firstRefused < 0 ? given.length : firstRefused) as readonly GivenBet[];
  const bound = await bindInOrder(before, context, errors);
  if (errors.length > 0) throw validationError(errors);
  return bound;
}

/** @param later errors of bets after these */
async function bindInOrder(
  given: readonly GivenBet[],
  context: OperationContext,
  later: readonly FieldError[],
): Promise<readonly NewBet[]> {
  const wrong = (bet: number, member: string, msg: string) =>
    validationError([{ loc: ['body', 'bets', bet, member], msg, type: 'invalid_value' }, ...later]);
  const bound: NewBet[] = [];
  // An event outside the scopes of a key refuses all legs beside it, so that its turn is known only where it is alone.
  const atOnce = isLimitedToSports(context.principal) ? 1 : AT_ONCE;
  for (let start = 0; start < given.length; start += atOnce) {
    const some = given.slice(start, start + atOnce);
    const legs = await bindLegs(some, context);
    const { legs: graded, sportOf } = await gradeLegs(legs, { context, asOf: undefined, moment: context.now() });
    for (const [index, one] of some.entries()) {
      const place = start + index;
      if (parseTime(one.placed_at)! > context.now()) throw wrong(place, 'placed_at', 'must not lie in the future');
      const { leg } = legs[index]!;
      const grade = graded[index]!;
      const sport = leg && sportOf(leg.event_id);
      if (!leg || !sport || grade.result === null) {
        throw wrong(place, wrongMember(one, legs[index]!, grade), reasonOf(grade));
      }
      const { price, decimal = null, stake, book, placed_at } = one;
      bound.push({ leg, sport, price, decimal, stake, book: book.trim(), placedAt: parseTime(placed_at)! });
    }
    await yieldToEventLoop();
  }
  return bound;
}

/** In the order of the bets. */
async function bindLegs(bets: readonly GivenBet[], context: OperationContext): Promise<readonly BoundLeg[]> {
  const structured = bets.flatMap((bet) => (isGiven(bet.text) ? [] : [bet as unknown as StructuredLeg]));
  const byIds = (await bindStructuredLegs(structured, { context }))[Symbol.iterator]();
  const bound: BoundLeg[] = [];
  for (const { text, clues, placed_at } of bets) {
    if (!isGiven(text)) {
      bound.push(byIds.next().value!);
      continue;
    }
    // Tonight is the night of the bet.
    const reading: BindingContext = { context, asOf: undefined, moment: parseTime(placed_at)! };
    const [leg] = await bindTextBets((text as Exclude<typeof text, string>).bets, clues ?? {}, reading);
    bound.push(leg!);
    await yieldToEventLoop();
  }
  return bound;
}

/** Names of what a text may mean, beyond which they only say that there are more. */
const MAX_NAMES = 5;

/** Why a bet is refused, with the names of what it may mean where it may mean several. */
function reasonOf({ message, resolve, team_resolve, event_resolve }: GradedLeg): string {
  if (message === null) return 'The bet is not understood.';
  const sides = [...resolve.candidates, ...(team_resolve?.candidates ?? [])].map(({ display_name, sport }) =>
    typeof sport === 'string' ? `${display_name} (${sport})` : String(display_name),
  );
  const events = (event_resolve?.candidates ?? []).map(({ name, starts_at }) => `${name} on ${starts_at.slice(0, 10)}`);
  const names = sides.length > 0 ? sides : events;
  if (names.length < 2) return message;
  const more = names.length > MAX_NAMES ? ' and others' : '';
  return `${message.replace(/\.$/, '')}: ${names.slice(0, MAX_NAMES).join(', ')}${more}.`;
}

/** The member that is to blame, as far as that can be told. */
function wrongMember(bet: GivenBet, { leg, found }: BoundLeg, { market }: GradedLeg): string {
  if (isGiven(bet.text)) return 'text';
  const kind = legKindOf(found.market_key!);
  if (!leg) return kind === 'prop' ? 'player_id' : 'team_id';
  // Of an event that is unknown the market names no id.
  if (market.event_id === null) return 'event_id';
  if (leg.side === 'draw') return 'side';
  if (leg.scope !== undefined) return 'scope';
  if (leg.team_id !== null && kind !== 'team_total') return 'team_id';
  return kind === 'prop' ? 'player_id' : kind === 'team_total' ? 'team_id' : 'market_key';
}
