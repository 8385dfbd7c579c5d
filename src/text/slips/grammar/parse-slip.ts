import type { LegSide } from '../../../domain/grading/leg.ts';
import type { LegScope } from '../../../domain/grading/leg-scope.ts';
import { THREE_WAY } from '../../../domain/odds/three-way.ts';
import type { ParsedBet } from './parsed-bet.ts';
import { type LegReading, readLeg } from './read-leg.ts';
import { splitIntoPieces } from './split-slip.ts';

/** `legs[].input` of a leg from a text; null for what the text does not say. */
interface TextInput {
  /** The piece of the text, as written. */
  readonly text: string;
  /** Canonical: `h2h`, `h2h_3_way`, `spreads`, `totals`, `team_total`, else the name of a statistic. */
  readonly market_key: string | null;
  readonly side: LegSide | null;
  readonly line: number | null;
  readonly team: string | null;
  readonly player: string | null;
  readonly opponent: string | null;
  readonly date: string | null;
  readonly price: string | number | null;
  /** Only of a bet on a part of an event. */
  readonly scope?: LegScope;
}

/** One parsed piece of a slip's text, before its names are resolved. */
export interface TextBet {
  readonly input: TextInput;
  readonly reading: LegReading;
}

/** The text of a slip, parsed once: validation and grading use the same bets. */
interface ParsedSlip {
  /** As received. */
  readonly text: string;
  readonly bets: readonly TextBet[];
  /** Only the text is stored and compared. */
  toJSON(): string;
}

export const parseSlip = (text: string): ParsedSlip => ({
  text,
  bets: readSlipBets(text),
  toJSON: () => text,
});

/**
 * Splits and parses the text of a slip by the grammar of docs/slips.md only, so that a request can be judged by its
 * number of legs. Pure, linear in the length of the text, never throws. A piece that is not a leg becomes a bet with
 * only `text`. A text of headers and stakes only has no bets.
 */
export function readSlipBets(text: string): readonly TextBet[] {
  return splitIntoPieces(text).map(({ line, tokens, text: piece }) => {
    const reading = readLeg(line, tokens);
    return { input: toTextInput(piece, reading, reading.bets[0]), reading };
  });
}

/** The echoed input of one reading of a leg. */
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
    ...(bet?.scope ? { scope: bet.scope } : {}),
  };
}

const MARKETS = {
  moneyline: 'h2h',
  draw: 'h2h',
  three_way: THREE_WAY,
  spread: 'spreads',
  total: 'totals',
  team_total: 'team_total',
} as const;

/** Null for a prop whose statistic depends on the player. */
export function marketKeyOf({ kind, stats }: ParsedBet): string | null {
  if (kind !== 'prop') return MARKETS[kind];
  const names = new Set(stats?.values());
  return names.size === 1 ? [...names][0]! : null;
}
