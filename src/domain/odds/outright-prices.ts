import type { Observation } from '../observations/observation.ts';
import { ownValue, setOwn } from '../primitives/own-properties.ts';

/** Movements that are kept of a bookmaker. */
const MAX_MOVEMENTS = 200;

/** What a bookmaker offers on how a season ends for a team, or for a player. */
export interface OutrightOutcome {
  /** As reported. */
  readonly team?: string;
  readonly team_ref?: string;
  readonly team_id?: number;
  readonly player?: string;
  readonly player_ref?: string;
  /** Null: the directory did not know the player. */
  readonly player_id?: number | null;
  /** American odds. */
  readonly price: number;
}

/** The prices of one bookmaker on one market of a season at one moment. */
export interface OutrightContent {
  readonly market: string;
  readonly bookmaker: string;
  /** Whether outcomes that are not named are withdrawn. */
  readonly complete: boolean;
  readonly outcomes: readonly OutrightOutcome[];
}

/** The last price of an outcome. */
interface QuotedOutcome extends Omit<OutrightOutcome, 'team_ref' | 'player_ref'> {
  readonly isWithdrawn?: true;
}

interface OutrightMovement {
  /** Key of the outcome in `outcomes`. */
  readonly outcome: string;
  readonly from: number;
  readonly to: number;
  readonly at: string;
}

/** The prices of one bookmaker on one market of a season, and how they moved, newest movement last. */
export interface OutrightBook {
  capturedAt: string;
  readonly outcomes: Record<string, QuotedOutcome>;
  readonly movements: OutrightMovement[];
}

/** Names that a source never repeats do not pile up beyond this. */
const MAX_OUTCOMES = 1000;

/** A player without an id is known by the name alone. */
const keyOf = ({ team_id, player_id, player }: OutrightOutcome): string =>
  team_id === undefined ? `player ${player_id ?? player}` : `team ${team_id}`;

/**
 * Applies a bookmaker's report to its prices; changes and returns them. As with movements of other odds, an outcome is
 * compared with its last price even across a withdrawal, and an opening price is no movement.
 */
export function applyOutrights(
  book: OutrightBook | undefined,
  { at, content }: Pick<Observation<OutrightContent>, 'at' | 'content'>,
): OutrightBook {
  const next: OutrightBook = book ?? { capturedAt: at, outcomes: {}, movements: [] };
  next.capturedAt = at;
  // If a report has an outcome twice, the last one counts.
  const reported = new Map(content.outcomes.map((outcome) => [keyOf(outcome), outcome]));
  if (content.complete) {
    for (const [key, outcome] of Object.entries(next.outcomes)) {
      if (!reported.has(key)) setOwn(next.outcomes, key, { ...outcome, isWithdrawn: true });
    }
  }
  for (const [key, { team_ref: _, player_ref: __, ...outcome }] of reported) {
    const before = ownValue(next.outcomes, key)?.price;
    if (before !== undefined && before !== outcome.price) {
      next.movements.push({ outcome: key, from: before, to: outcome.price, at });
    }
    setOwn(next.outcomes, key, outcome);
  }
  if (next.movements.length > MAX_MOVEMENTS) next.movements.splice(0, next.movements.length - MAX_MOVEMENTS);
  if (Object.keys(next.outcomes).length > MAX_OUTCOMES) dropForgotten(next);
  return next;
}

/** Drops the outcomes that are withdrawn and have no movement. */
function dropForgotten({ outcomes, movements }: OutrightBook): void {
  const moved = new Set(movements.map(({ outcome }) => outcome));
  for (const [key, { isWithdrawn }] of Object.entries(outcomes)) {
    if (isWithdrawn && !moved.has(key)) delete outcomes[key];
  }
}
