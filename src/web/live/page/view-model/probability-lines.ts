import type { EventProbabilities, ProbabilityPoint } from '../../answers/live-page-intelligence.ts';
import { paddedRange } from './chart-lines.ts';
import { lastAt } from './story-model.ts';

/** The win probability of an event's first side, with times in milliseconds. */
export interface ProbabilityLines {
  readonly outcome: string;
  readonly from: number;
  readonly to: number;
  /** The range of both lines, with a little room. */
  readonly range: readonly [low: number, high: number];
  readonly fair: readonly ProbabilityMoment[];
  readonly forecast: readonly ProbabilityMoment[];
}

export interface ProbabilityMoment {
  readonly at: number;
  readonly probability: number;
}

/** The smallest range, so that small movements look small. */
const MIN_EXTENT = 0.08;

/** Null if nothing was known before the start. */
export function toProbabilityLines(answer: EventProbabilities | null): ProbabilityLines | null {
  if (!answer) return null;
  const [fair, forecast] = [momentsOf(answer.fair), momentsOf(answer.forecast)];
  const all = [...fair, ...forecast];
  if (all.length === 0) return null;
  const from = all.reduce((first, { at }) => Math.min(first, at), Number.POSITIVE_INFINITY);
  const [low, high] = paddedRange(
    all.map(({ probability }) => probability),
    MIN_EXTENT,
  );
  const range = [Math.max(0, low), Math.min(1, high)] as const;
  return { outcome: answer.outcome, from, to: Math.max(from, Date.parse(answer.until)), range, fair, forecast };
}

const momentsOf = (points: readonly ProbabilityPoint[]): ProbabilityMoment[] =>
  points.map(({ at, probability }) => ({ at: Date.parse(at), probability }));

interface ProbabilityRow {
  readonly at: number;
  readonly fair: number | null;
  readonly forecast: number | null;
}

const MAX_ROWS = 200;

/** Both lines as a table with a row for each change. Only the last rows, if there are very many. */
export function probabilityRows({ fair, forecast }: Pick<ProbabilityLines, 'fair' | 'forecast'>): ProbabilityRow[] {
  const times = new Set([...fair, ...forecast].map(({ at }) => at));
  return [...times]
    .sort((a, b) => a - b)
    .slice(-MAX_ROWS)
    .map((at) => ({
      at,
      fair: lastAt(fair, at)?.probability ?? null,
      forecast: lastAt(forecast, at)?.probability ?? null,
    }));
}
