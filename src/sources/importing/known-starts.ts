import { normalizeName } from '../../domain/primitives/name-normalization.ts';
import { HOUR, parseTime } from '../../domain/primitives/time.ts';

/** A game as named by a source that knows season and sides, but not the time. */
export interface SeasonGame {
  readonly sport: string;
  readonly league: string;
  /** The year in which the season starts. */
  readonly season: number;
  readonly phase: 'regular_season' | 'playoffs';
  /** All names of the side to compare; the first match counts. */
  readonly home: readonly string[];
  readonly away: readonly string[];
}

/** Starts in milliseconds, known from other files or from the server. */
export interface KnownStarts {
  /** The start of a source's own event. */
  ofRef(source: string, ref: string): Start | Promise<Start>;
  /** The start of the only game of that season and phase with these sides; undefined if none or several fit. */
  ofGame(game: SeasonGame): Start | Promise<Start>;
}
type Start = number | undefined;

/** Collects starts from `schedule` messages, in any order; ignores all other messages. */
export interface StartCollector extends KnownStarts {
  add(message: Readonly<Record<string, unknown>>): void;
}

/** Two or more games of the same sides, at different times. */
const SEVERAL = Symbol('several');
/** Two sources may state starts of one game that differ by less than this: the rule of `match` for team sports. */
const SAME_GAME = 6 * HOUR;

interface Known {
  readonly start: number | typeof SEVERAL;
  readonly ref: string;
}

interface Side {
  readonly role?: unknown;
  readonly name?: unknown;
  readonly abbreviation?: unknown;
}

/** In a regular season two teams meet at most once at each ground, so season and sides identify the game. In the
 *  playoffs they meet once if a round is a single game; then either side may count as home on neutral ground. */
export function createStartCollector(): StartCollector {
  const byRef = new Map<string, number>();
  const byGame = new Map<string, Known>();

  const addGame = (key: string, start: number, ref: string): void => {
    const known = byGame.get(key);
    if (!known || known.ref === ref) byGame.set(key, { start, ref });
    else if (known.start === SEVERAL || Math.abs(known.start - start) > SAME_GAME) {
      byGame.set(key, { start: SEVERAL, ref: known.ref });
    }
  };

  return {
    add(message) {
      if (message['kind'] !== 'schedule' || typeof message['starts_at'] !== 'string') return;
      const start = parseTime(message['starts_at']);
      if (start === null) return;
      const ref = refKey(message['source'], message['ref']);
      byRef.set(ref, start);
      for (const [source, other] of Object.entries((message['refs'] as object | undefined) ?? {})) {
        byRef.set(refKey(source, other), start);
      }
      const season = message['season'] as { year?: unknown; phase?: unknown } | undefined;
      const sides = (message['participants'] as readonly Side[] | undefined) ?? [];
      if (typeof season?.year !== 'number' || typeof season.phase !== 'string') return;
      const [home, away] = ['home', 'away'].map((role) => namesOf(sides.find((side) => side.role === role)));
      const about = [String(message['league']), season.year, season.phase] as const;
      for (const h of home ?? []) for (const a of away ?? []) addGame(gameKey(...about, h, a), start, ref);
    },
    ofRef: (source, ref) => byRef.get(refKey(source, ref)),
    ofGame({ league, season, phase, home, away }) {
      for (const h of home) {
        for (const a of away) {
          const known = byGame.get(gameKey(league, season, phase, normalizeName(h), normalizeName(a)));
          if (known) return known.start === SEVERAL ? undefined : known.start;
        }
      }
      return undefined;
    },
  };
}

const refKey = (source: unknown, ref: unknown): string => `${source} ${ref}`;

function namesOf(side: Side | undefined): string[] {
  const names = [side?.name, side?.abbreviation].filter((name) => typeof name === 'string');
  return [...new Set(names.map(normalizeName))];
}

function gameKey(league: string, season: number, phase: string, home: string, away: string): string {
  const sides = phase === 'playoffs' ? [home, away].sort() : [home, away];
  return JSON.stringify([league, season, phase, ...sides]);
}
