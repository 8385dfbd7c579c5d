import type { LegSide } from '../leg.ts';

/** `legs[].input` of a leg that was read from a text; null where the text does not say it. */
export interface TextInput {
  /** The piece of the text, as it was written. */
  readonly text: string;
  /** Canonical: `h2h`, `spreads`, `totals`, `team_total`, else the name of a statistic. */
  readonly market_key: string | null;
  readonly side: LegSide | null;
  readonly line: number | null;
  readonly team: string | null;
  readonly player: string | null;
  readonly opponent: string | null;
  readonly date: string | null;
  readonly price: string | number | null;
}

/** One piece of a slip's text, as the grammar has it, before anybody knows whom its names mean. */
export interface TextBet {
  readonly input: TextInput;
}

/**
 * Splits and reads the text of a slip: the grammar alone, so that a request can be judged by how many legs it has.
 * Pure, linear in the length of the text, and never throws: what is no leg is a bet of which nothing but `text` is known.
 * `TextBet` may have more members than these: they are between this function and `bindTextBets`
 * (`src/operations/slips/bind-text-bets.ts`).
 */
export function readSlipText(text: string): readonly TextBet[] {
  const lines = text.split(/[\n;]/).map((line) => line.trim());
  return lines.filter((line) => line !== '').map((line) => ({ input: { ...NOTHING_SAID, text: line } }));
}

const NOTHING_SAID: Omit<TextInput, 'text'> = {
  market_key: null,
  side: null,
  line: null,
  team: null,
  player: null,
  opponent: null,
  date: null,
  price: null,
};
