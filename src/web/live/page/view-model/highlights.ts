import type { BoardEvent, LineOutcome } from '../../answers/live-page-answers.ts';
import { decimalOf } from './odds-format.ts';

/** A line move since the page was opened. Times are milliseconds of the viewer's clock. */
export interface Move {
  readonly seenAt: number;
  readonly direction: 'up' | 'down';
  /** The values before; the point only if the point moved. */
  readonly price_from: number;
  readonly point_from: number | null;
}

/** The highlights of one event: moves by `market/outcome`, and when the score of each side changed. */
export interface Highlights {
  readonly moves: Readonly<Record<string, Move>>;
  readonly scoreChangedAt: readonly [number | null, number | null];
}

export const NO_HIGHLIGHTS: Highlights = { moves: {}, scoreChangedAt: [null, null] };
/** How long a move is highlighted, and how long a new score. */
export const MOVE_HIGHLIGHT_MS = 15_000;
export const SCORE_HIGHLIGHT_MS = 2_500;

export const moveKey = (market: string, outcome: string): string => `${market}/${outcome}`;

/** The highlights after a newer version of the event. */
export function updateHighlights(
  before: BoardEvent,
  highlights: Highlights,
  after: BoardEvent,
  now: number,
): Highlights {
  const moves = newMoves(before, after, now);
  const scored = after.sides.map((side, index) => {
    const was = before.sides[index];
    const changed = was && (was.score !== side.score || was.game_score !== side.game_score);
    return changed ? now : (highlights.scoreChangedAt[index] ?? null);
  });
  return { moves: { ...highlights.moves, ...moves }, scoreChangedAt: [scored[0] ?? null, scored[1] ?? null] };
}

/** Only lines of the same bookmaker are compared: a change of bookmaker is no move. */
function newMoves(before: BoardEvent, after: BoardEvent, now: number): Record<string, Move> {
  const moves: Record<string, Move> = {};
  for (const line of after.lines) {
    const was = before.lines.find(({ market, bookmaker }) => {
      return market === line.market && bookmaker.slug === line.bookmaker.slug;
    });
    for (const outcome of line.outcomes) {
      const from = was?.outcomes.find((other) => other.outcome === outcome.outcome);
      const move = from && moveFrom(from, outcome, now);
      if (move) moves[moveKey(line.market, outcome.outcome)] = move;
    }
  }
  return moves;
}

/** Up means: the point is higher, or at the same point the price pays more. */
function moveFrom(from: LineOutcome, to: LineOutcome, now: number): Move | null {
  if (from.point !== null && to.point !== null && from.point !== to.point) {
    return {
      seenAt: now,
      direction: to.point > from.point ? 'up' : 'down',
      price_from: from.price,
      point_from: from.point,
    };
  }
  if (from.price === to.price) return null;
  const direction = decimalOf(to.price) > decimalOf(from.price) ? 'up' : 'down';
  return { seenAt: now, direction, price_from: from.price, point_from: null };
}

/** Returns the same object if nothing expired. */
export function expireHighlights(highlights: Highlights, now: number): Highlights {
  const moves = Object.entries(highlights.moves);
  const remaining = moves.filter(([, { seenAt }]) => now - seenAt < MOVE_HIGHLIGHT_MS);
  const old = (at: number | null) => at !== null && now - at >= SCORE_HIGHLIGHT_MS;
  if (remaining.length === moves.length && !highlights.scoreChangedAt.some(old)) return highlights;
  const [first, second] = highlights.scoreChangedAt;
  return {
    moves: Object.fromEntries(remaining),
    scoreChangedAt: [old(first) ? null : first, old(second) ? null : second],
  };
}
