import { z } from 'zod';
import { bookFee, bookProbability, levels, money } from './book-message.ts';
import { common, league, match, text } from './message-fields.ts';

/** A question with two answers and a draw has no more. */
const MAX_SIDES = 4;

/**
 * A contract of a prediction market of which its source does not know what it is a bet on. It waits until a person says
 * so; `ref` is the venue's own id of it. The order book is that of its Yes.
 */
export const unclearContractMessage = z.looseObject({
  kind: z.literal('unclear_contract'),
  ...common,
  ref: text,
  ...league,
  /** The game that it is probably on. */
  match: match.optional(),
  title: text,
  /** Why it is unclear. */
  reason: text,
  /** What it may be a bet on. */
  sides: z.array(text).max(MAX_SIDES).optional(),
  bids: levels.optional(),
  asks: levels.optional(),
  last: bookProbability.optional(),
  volume: money.optional(),
  fee: bookFee.optional(),
});
