import type { ProviderRequest } from '../provider-base/provider.ts';

/** Intervals without an answer after which a connector counts as silent about a league. */
const SILENT_INTERVALS = 3;
/** Requests whose answers tell what is played, or at which prices. */
const ABOUT_GAMES: ReadonlySet<string> = new Set(['scoreboard', 'schedule', 'scores', 'events', 'odds', 'event-odds']);

interface Expectation {
  intervalMs: number;
  /** Since when an answer is expected at this interval. */
  since: number;
  answeredAt: number;
}

/** When connectors last told of each league. Times are milliseconds of a monotonic clock. */
export interface LeagueAnswers {
  /** The requests that a connector sends from now on. */
  expect(connector: string, requests: readonly ProviderRequest[], now: number): void;
  answered(connector: string, request: ProviderRequest, now: number): void;
  /** Nobody was asked until now. */
  restart(now: number): void;
  /** Whether a connector has not told of a league for three intervals. */
  isSilent(connector: string, league: string, now: number): boolean;
  /** When any connector last told of the league, or the start. */
  answeredAt(league: string): number;
  /**
   * From when on the feed of a league is down, unless it is told of before: then none of the connectors that are asked
   * about it has told of it for three intervals. Infinite if none is asked.
   */
  downFrom(league: string): number;
  /** A connector of another process has told of the league. */
  noteEarlier(league: string, answeredAt: number): void;
}

/** @param pace divides the intervals */
export function createLeagueAnswers(pace: number, startedAt: number): LeagueAnswers {
  const expectations = new Map<string, Expectation>();
  const lastAnswers = new Map<string, number>();
  const toldAt = (league: string): number => lastAnswers.get(league) ?? startedAt;

  function downFrom(league: string): number {
    const asked = [...expectations].flatMap(([key, known]) => (key.endsWith(` ${league}`) ? [known] : []));
    if (asked.length === 0) return Number.POSITIVE_INFINITY;
    return Math.max(...asked.map(overdueFrom), toldAt(league) + SILENT_INTERVALS * shortest(asked));
  }

  return {
    expect(connector, requests, now) {
      for (const { kind, league, intervalSeconds, isPrerequisite } of requests) {
        if (kind !== 'scoreboard' || !isPrerequisite || league === undefined || intervalSeconds === 'once') continue;
        const key = `${connector} ${league}`;
        const intervalMs = (intervalSeconds * 1000) / pace;
        const known = expectations.get(key);
        if (!known) expectations.set(key, { intervalMs, since: now, answeredAt: Number.NEGATIVE_INFINITY });
        else if (known.intervalMs !== intervalMs) Object.assign(known, { intervalMs, since: now });
      }
    },
    answered(connector, { kind, league, isPrerequisite }, now) {
      if (league === undefined || !ABOUT_GAMES.has(kind)) return;
      lastAnswers.set(league, now);
      const known = isPrerequisite ? expectations.get(`${connector} ${league}`) : undefined;
      if (known) known.answeredAt = now;
    },
    restart(now) {
      for (const known of expectations.values()) known.since = now;
    },
    isSilent(connector, league, now) {
      const known = expectations.get(`${connector} ${league}`);
      return known !== undefined && now > overdueFrom(known);
    },
    answeredAt: toldAt,
    downFrom,
    noteEarlier(league, answeredAt) {
      lastAnswers.set(league, Math.max(answeredAt, lastAnswers.get(league) ?? answeredAt));
    },
  };
}

const overdueFrom = ({ since, answeredAt, intervalMs }: Expectation): number =>
  Math.max(since, answeredAt) + SILENT_INTERVALS * intervalMs;

const shortest = (expectations: readonly Expectation[]): number =>
  Math.min(...expectations.map(({ intervalMs }) => intervalMs));
