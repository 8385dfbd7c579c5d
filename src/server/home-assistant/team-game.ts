import type { OddsDocument } from '../../../projections/odds/odds.ts';
import type { EventDocument } from '../../../projections/sports-events/events.ts';
import type { EventStatus } from '../../domain/catalogue/catalogue.ts';
import { rolesOf } from '../../domain/catalogue/sport-rules.ts';
import { timeOf } from '../../domain/observations/observation.ts';
import { decimalFromAmerican } from '../../domain/odds/american-odds.ts';
import { DAY, HOUR } from '../../domain/primitives/time.ts';
import { hasPlayBegun, isInPlay } from '../../domain/sports-events/event-results.ts';
import { isBettableBook } from '../../intelligence/prices/sharp-books.ts';
import { renderEventSummary, sideName } from '../../read-models/rendering/render-event.ts';

/** What Home Assistant shows of a team: the game in play, else the one that ended last, else the next one. */
export interface TeamState {
  readonly event_id: number | null;
  /** Null: no game is known. */
  readonly state: EventStatus | null;
  /** The team's own score first, as `24-17`; null before the start. */
  readonly score: string | null;
  readonly opponent: string | null;
  /** Start of the next game that has not begun, ISO 8601. */
  readonly next_game: string | null;
  /** Period and clock while it is played. */
  readonly clock: string | null;
  /** The best moneyline price on the team in this game, in American odds. */
  readonly odds: number | null;
}

const OVER: ReadonlySet<EventStatus> = new Set(['final', 'walkover']);
const TO_COME: ReadonlySet<EventStatus> = new Set(['scheduled', 'delayed']);
/** How long after its start a game that is over is shown, unless the next one begins. */
const SHOWN_FOR = 12 * HOUR;

const startOf = ({ event }: EventDocument): number => timeOf(event.schedule!.starts_at);

/** Whether somebody has spoken of the game since that time: a game may be resumed long after its start. */
const isReportedSince = ({ scoredAt }: EventDocument, since: number): boolean =>
  scoredAt !== undefined && timeOf(scoredAt) > since;

/**
 * Chooses the game to show. A game that nobody has ended or spoken of for long hides no other: its source has stopped.
 * @param games of the team, by start
 * @param now milliseconds
 */
export function chooseGame(games: readonly EventDocument[], now: number): EventDocument | undefined {
  const inPlay = games.filter(
    (game) => isInPlay(game.event.status) && (startOf(game) > now - DAY || isReportedSince(game, now - SHOWN_FOR)),
  );
  return (
    inPlay.findLast(({ event }) => event.status === 'inprogress') ??
    inPlay.at(-1) ??
    games.findLast((game) => OVER.has(game.event.status) && isShownAfterEnd(game, now)) ??
    games.find((game) => TO_COME.has(game.event.status) && startOf(game) > now - DAY)
  );
}

/** One that was resumed on a later day has just ended although its start is long ago. */
const isShownAfterEnd = (game: EventDocument, now: number): boolean => {
  const endedAt = timeOf(game.grounds?.status?.at ?? game.event.schedule!.starts_at);
  const isResumed = endedAt > startOf(game) + SHOWN_FOR;
  return (isResumed ? endedAt : startOf(game)) > now - SHOWN_FOR;
};

/** @param games of the team, by start @param odds of the game that `chooseGame` chooses */
export function describeTeam(
  teamId: number,
  games: readonly EventDocument[],
  odds: OddsDocument | undefined,
  now: number,
): TeamState {
  const next = games.find((game) => TO_COME.has(game.event.status) && startOf(game) > now);
  const next_game = next?.event.schedule?.starts_at ?? null;
  const game = chooseGame(games, now);
  if (!game) return { event_id: null, state: null, score: null, opponent: null, next_game, clock: null, odds: null };
  const { period_label, period, clock } = renderEventSummary(game);
  const own = ownSide(game, teamId);
  return {
    event_id: game.id,
    state: game.event.status,
    score: scoreOf(game, teamId),
    opponent: sideName(game, own === 0 ? 1 : 0),
    next_game,
    clock: isInPlay(game.event.status)
      ? [period_label ?? period, clock].filter((part) => part !== null).join(' ') || null
      : null,
    odds: odds ? bestMoneyline(odds, game, own) : null,
  };
}

const ownSide = (game: EventDocument, teamId: number): 0 | 1 => (game.sides?.[0].id === teamId ? 0 : 1);

/** The team's own score first; null until both sides have one. */
export function scoreOf(game: EventDocument, teamId: number): string | null {
  const { status, sides } = game.event;
  const own = ownSide(game, teamId);
  const [mine, theirs] = [sides[own].score, sides[own === 0 ? 1 : 0].score];
  return hasPlayBegun(status) && mine !== undefined && theirs !== undefined ? `${mine}-${theirs}` : null;
}

function bestMoneyline({ books }: OddsDocument, { sport }: EventDocument, own: 0 | 1): number | null {
  const role = rolesOf(sport)[own];
  const prices = Object.entries(books)
    .filter(([book]) => isBettableBook({ book }))
    .flatMap(([, { markets }]) => markets['h2h'] ?? [])
    .filter(({ outcome }) => outcome === role)
    .map(({ price }) => price);
  if (prices.length === 0) return null;
  return prices.reduce((best, price) => (decimalFromAmerican(price) > decimalFromAmerican(best) ? price : best));
}

export const GAME_EVENTS = ['game_start', 'score_change', 'game_final'] as const;
export type GameEvent = (typeof GAME_EVENTS)[number];

/** What was last known of a game, for one team. */
export interface SeenGame {
  readonly status: EventStatus;
  readonly score: string | null;
}

/**
 * What happened between two states of a game, in order. A game that was not known before has begun if it is played, and
 * nothing is told of one that is over: its score is no news.
 */
export function eventsBetween(before: SeenGame | undefined, after: SeenGame): GameEvent[] {
  if (!before) return isInPlay(after.status) ? ['game_start'] : [];
  const happened: GameEvent[] = [];
  const hasBegun = isPlayed(after.status);
  if (!isPlayed(before.status) && hasBegun) happened.push('game_start');
  if (hasBegun && after.score !== null && after.score !== (before.score ?? '0-0')) happened.push('score_change');
  if (after.status === 'final' && before.status !== 'final') happened.push('game_final');
  return happened;
}

/** A game that is called off has not begun, unless it was played before. */
const isPlayed = (status: EventStatus): boolean => hasPlayBegun(status) && status !== 'cancelled';
