import { type DemoRun, dayLength, dayStart, fixturesOfRun } from './demo-day.ts';

/** A game that is worth showing now: it is in play, and every bookmaker has prices. */
interface Showcase {
  readonly ref: string;
  /** Milliseconds; a moment early in the game. */
  readonly early: number;
}

/** @param now milliseconds @returns undefined if no game is in play */
export function showcaseOf(run: DemoRun, now: number): Showcase | undefined {
  const today = Math.max(0, Math.floor((now - run.startedAt) / dayLength(run)));
  const games = [today - 1, today]
    .filter((day) => day >= 0)
    .flatMap((day) =>
      fixturesOfRun(run, day).map(({ ref, scenario, startsAt, league }) => {
        const wall = (second: number) => dayStart(run, day) + (second * 1000) / run.speed;
        const seconds = league.minutes * 60;
        const share = (now - wall(startsAt)) / (wall(seconds) - wall(0));
        return { ref, fate: scenario, share, early: Math.floor(wall(startsAt + 0.25 * seconds) / 1000) * 1000 };
      }),
    )
    .filter(({ fate, share }) => fate === 'plain' && share > 0.35 && share < 0.8);
  return games.sort((a, b) => a.share - b.share || (a.ref < b.ref ? -1 : 1))[0];
}
