import { readSlipBets } from '../../../text/slips/grammar/parse-slip.ts';
import { textPriceOf } from './bind-text-bets.ts';

/** The decimal prices that stand in the text of a slip, a leg each, in the order of its legs; undefined: it has none. */
export const pricesOfText = (text: string): readonly (number | undefined)[] =>
  readSlipBets(text).map(({ reading }) => textPriceOf(reading));
