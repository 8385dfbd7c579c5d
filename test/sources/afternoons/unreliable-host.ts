import { MINUTE, SECOND } from '../../../src/domain/primitives/time.ts';
import { type Afternoon, eventAt, isOnDay, type Moment, momentAt, type PlayedGame } from './afternoon.ts';
import type { Random } from './generated-afternoons.ts';

/** Seconds in which what takes something back without a clock is answered as it is: three answers must agree on it. */
const QUIET_MS = 80 * SECOND;
const OLDEST_MS = 4 * MINUTE;

/** A scoreboard between caches: it answers as it is, with an old copy, with a part, or with nonsense. */
export interface UnreliableHost {
  /** The text of the answer. @param day `YYYYMMDD` */
  scoreboard(day: string, now: number): string;
  /** How many answers were not as they should be, by kind. */
  readonly troubles: ReadonlyMap<string, number>;
}

/**
 * Like ESPN's host in a bad hour. A game is shown wrongly at most twice in a row: what three answers in a row say is
 * believed.
 */
export function unreliableHost({ games }: Afternoon, random: Random): UnreliableHost {
  const troubles = new Map<string, number>();
  let wrongInARow = 0;
  const count = (kind: string): void => void troubles.set(kind, (troubles.get(kind) ?? 0) + 1);

  const isQuiet = (now: number): boolean =>
    games.some(({ moments }) => moments.some(({ at, isUnordered }) => isUnordered && at <= now && now < at + QUIET_MS));

  /** One game runs backwards, the others do not. */
  function regressed(game: PlayedGame, now: number): Moment {
    const moment = momentAt(game, now);
    const clock = moment.clock.includes("'") ? "1'" : '20:00';
    const kinds: readonly Partial<Moment>[] = [
      { name: 'SCHEDULED', state: 'pre', period: 0, home: 0, away: 0 },
      { name: 'IN_PROGRESS', state: 'in', period: 1, clock, detail: 'Top 1', outs: 0, home: 0, away: 0 },
      { home: 0, away: 0 },
    ];
    if (moment.state === 'pre' || moment.name === 'POSTPONED') return moment;
    // A touchdown may be taken back, and all that was told before it; more is not.
    return { ...moment, ...kinds[random(moment.home + moment.away > 16 ? 2 : 1)] };
  }

  function eventsAt(day: string, now: number): readonly any[] {
    const shown = games.filter((game) => isOnDay(game, day));
    const asItIs = () => shown.map((game) => eventAt(game, momentAt(game, now)));
    if (isQuiet(now) || wrongInARow >= 2) {
      wrongInARow = 0;
      return asItIs();
    }
    const dice = random(99);
    wrongInARow = dice < 55 ? wrongInARow + 1 : 0;
    if (dice < 40) {
      count('stale');
      const age = SECOND + random(OLDEST_MS - SECOND);
      return shown.map((game) => eventAt(game, momentAt(game, now - age)));
    }
    if (dice < 48) {
      count('regressed');
      const one = random(shown.length - 1);
      return shown.map((game, index) => eventAt(game, index === one ? regressed(game, now) : momentAt(game, now)));
    }
    if (dice < 52) {
      count('missing');
      return asItIs().filter(() => random(1) === 0);
    }
    if (dice < 55) {
      count('empty');
      return [];
    }
    return asItIs();
  }

  return {
    troubles,
    scoreboard(day, now) {
      const textOf = (events: readonly any[]) => JSON.stringify({ leagues: [{}], events });
      if (isQuiet(now) || random(19) > 0) return textOf(eventsAt(day, now));
      count('cut');
      const text = textOf(games.map((game) => eventAt(game, momentAt(game, now))));
      return text.slice(0, random(text.length - 1));
    },
  };
}
