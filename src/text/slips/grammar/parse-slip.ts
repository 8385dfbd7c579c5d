import type { LegSide } from '../slip-leg.ts';
import type { ParsedBet } from './parsed-bet.ts';
import { type LegReading, readLeg } from './read-leg.ts';
import { splitIntoPieces } from './split-slip.ts';

/** `legs[].input` of a leg that was read from a text; null where the text does not say it. */
interface TextInput {
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
  readonly reading: LegReading;
}

/** The text of a slip, read once: whoever judges it and whoever grades it look at the same bets. */
interface ParsedSlip {
  /** As it was given. */
  readonly text: string;
  readonly bets: readonly TextBet[];
  /** What is kept of a slip, and compared with others, is its text alone. */
  toJSON(): string;
}

export const parseSlip = (text: string): ParsedSlip => ({
  text,
  bets: readSlipBets(text),
  toJSON: () => text,
});

/**
 * Splits and reads the text of a slip: the grammar of docs/slips.md alone, so that a request can be judged by how many
 * legs it has. Pure, linear in the length of the text, and never throws: what is no leg is a bet of which nothing but
 * `text` is known. A text of headers and stakes alone has none.
 */
export function readSlipBets(text: string): readonly TextBet[] {
  return splitIntoPieces(text).map(({ line, tokens, text: piece }) => {
    const reading = readLeg(line, tokens);
    return { input: toTextInput(piece, reading, reading.bets[0]), reading };
  });
}

/** What is echoed of a leg, read in one way. */
export function toTextInput(text: string, { date, price }: LegReading, bet: ParsedBet | undefined): TextInput {
  return {
    text,
    market_key: bet ? marketKeyOf(bet) : null,
    side: bet?.side ?? null,
    line: bet?.line ?? null,
    team: bet?.team ?? null,
    player: bet?.player ?? null,
    opponent: bet?.opponent ?? null,
    date,
    price,
  };
}

const MARKETS = {
  moneyline: 'h2h',
  draw: 'h2h',
  spread: 'spreads',
  total: 'totals',
  team_total: 'team_total',
} as const;

/** Null for a prop whose statistic has several names: which is meant depends on the player. */
export function marketKeyOf({ kind, stats }: ParsedBet): string | null {
  if (kind !== 'prop') return MARKETS[kind];
  const names = new Set(stats?.values());
  return names.size === 1 ? [...names][0]! : null;
}
