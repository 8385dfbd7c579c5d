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
  /** Whether none of the connectors that are asked about a league has told of it for three intervals. */
  isDown(league: string, now: number): boolean;
  /** Milliseconds since any connector told of the league, or since the start. */
  ageOf(league: string, now: number): number;
}

/** @param pace divides the intervals */
export function createLeagueAnswers(pace: number, startedAt: number): LeagueAnswers {
  const expectations = new Map<string, Expectation>();
  const lastAnswers = new Map<string, number>();

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
      return known !== undefined && isOverdue(known, now);
    },
    isDown(league, now) {
      const asked = [...expectations].flatMap(([key, known]) => (key.endsWith(` ${league}`) ? [known] : []));
      const age = now - Math.max(startedAt, lastAnswers.get(league) ?? startedAt);
      return (
        asked.length > 0 && asked.every((known) => isOverdue(known, now)) && age > SILENT_INTERVALS * shortest(asked)
      );
    },
    ageOf: (league, now) => Math.max(0, now - (lastAnswers.get(league) ?? startedAt)),
  };
}

const isOverdue = ({ since, answeredAt, intervalMs }: Expectation, now: number): boolean =>
  now - Math.max(since, answeredAt) > SILENT_INTERVALS * intervalMs;

const shortest = (expectations: readonly Expectation[]): number =>
  Math.min(...expectations.map(({ intervalMs }) => intervalMs));
