import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { MINUTE, SECOND } from '../../../src/domain/primitives/time.ts';
import type { Afternoon, Moment, PlayedGame } from './afternoon.ts';

export type Random = (max: number) => number;
export function randomOf(seed: number): Random {
  const generator = xoroshiro128plus(seed);
  return (max) => uniformInt(generator, 0, max);
}

/** 13:00 in New York. */
export const AFTERNOON = Date.parse('2026-06-06T17:00:00Z');

export const PLACES = {
  epl: 'soccer/eng.1',
  nba: 'basketball/nba',
  nfl: 'football/nfl',
  nhl: 'hockey/nhl',
  mlb: 'baseball/mlb',
} as const;
export type AfternoonLeague = keyof typeof PLACES;
export const AFTERNOON_LEAGUES = Object.keys(PLACES) as AfternoonLeague[];

/** Tells a game moment by moment. */
class Teller {
  readonly moments: Moment[];
  readonly random: Random;
  #now: Moment;

  constructor(startsAt: number, random: Random) {
    this.random = random;
    this.#now = { at: 0, name: 'SCHEDULED', state: 'pre', period: 0, clock: '0:00', home: 0, away: 0 };
    this.moments = [this.#now];
    this.#now = { ...this.#now, at: startsAt };
  }

  get now(): Moment {
    return this.#now;
  }

  wait(seconds: number): this {
    this.#now = { ...this.#now, at: this.#now.at + seconds * SECOND };
    return this;
  }

  tell(change: Partial<Moment>): this {
    const { isUnordered: _, ...last } = this.#now;
    this.#now = { ...last, ...change };
    this.moments.push(this.#now);
    return this;
  }

  /** One side scores. */
  score(points: number, more: Partial<Moment> = {}): this {
    const side = this.random(1) === 0 ? 'home' : 'away';
    return this.tell({ [side]: this.#now[side] + points, ...more });
  }

  /** What the last change of the score brought is taken back. */
  takeBack(before: Moment, more: Partial<Moment> = {}): this {
    return this.tell({ home: before.home, away: before.away, ...more });
  }
}

const clockText = (seconds: number): string => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;

/** A final, that may be corrected, or be none after all. */
function end(game: Teller, name: string, goOn: () => void): void {
  game.tell({ name, state: 'post' });
  const kind = game.random(3);
  if (kind === 0) {
    const before = game.now;
    game
      .wait(60 + game.random(240))
      .score(1)
      .wait(120 + game.random(120));
    if (game.random(1) === 0) game.takeBack(before, { isUnordered: true });
  } else if (kind === 1) {
    game.wait(30 + game.random(200));
    goOn();
    game.wait(200).tell({ name, state: 'post', isUnordered: true });
  }
}

/** Soccer: a clock of minutes. */
function soccer(game: Teller): void {
  const half = (period: number, name: string, from: number) => {
    let takeBack: { readonly before: Moment; readonly inMinutes: number } | undefined;
    for (let minute = 1; minute <= 48; minute++) {
      const clock = minute <= 45 ? `${from + minute}'` : `${from + 45}'+${minute - 45}'`;
      game.tell({ name, state: 'in', period, clock });
      if (takeBack && minute >= takeBack.inMinutes) {
        game.takeBack(takeBack.before);
        takeBack = undefined;
      }
      const second = game.random(50);
      game.wait(second);
      if (!takeBack && game.random(14) === 0) {
        const { now: before } = game;
        game.score(1);
        const review = game.random(5);
        if (review === 0) takeBack = { before, inMinutes: minute + 1 + game.random(2) };
        // In the same minute.
        if (review === 1 && second < 20) game.wait(20).takeBack(before, { isUnordered: true }).wait(-20);
      }
      game.wait(60 - second);
    }
    if (takeBack) game.takeBack(takeBack.before, { isUnordered: true }).wait(80);
  };
  half(1, 'FIRST_HALF', 0);
  game.tell({ name: 'HALFTIME', clock: `45'+4'` }).wait(240);
  half(2, 'SECOND_HALF', 45);
  end(game, 'FULL_TIME', () => game.tell({ name: 'SECOND_HALF', state: 'in', isUnordered: true }));
}

/** Periods of a clock that runs down, and stands while points are counted. */
const byClock = (periods: number, length: number, play: (game: Teller) => void) => (game: Teller) => {
  for (let period = 1; period <= periods; period++) {
    game.tell({ name: 'IN_PROGRESS', state: 'in', period, clock: clockText(length) }).wait(20);
    for (let left = length; left > 0; ) {
      const run = Math.min(left, 4 + game.random(40));
      for (let n = 0; n < run; n += 2) {
        left = Math.max(0, left - 2);
        game.tell({ clock: clockText(left) }).wait(1);
      }
      if (left > 0) play(game);
    }
    if (period < periods) game.tell({ name: 'END_PERIOD', clock: '0:00' }).wait(60);
  }
  end(game, 'FINAL', () => game.tell({ name: 'IN_PROGRESS', state: 'in', isUnordered: true }));
};

const basketball = byClock(4, 720, (game) => {
  const kind = game.random(9);
  if (kind < 4) game.score(2 + game.random(1));
  if (kind === 4) {
    // Free throws, while the clock stands.
    game.wait(20).score(1).wait(20).score(1).wait(10);
  }
  if (kind === 5) {
    const { now: before } = game;
    game.score(3).wait(5 + game.random(40));
    const left = Number(before.clock.split(':')[0]) * 60 + Number(before.clock.split(':')[1]);
    // Taken back when play goes on.
    if (left > 10) game.takeBack(before, { clock: clockText(left - 1) }).wait(1);
  }
});

const football = byClock(4, 900, (game) => {
  const kind = game.random(19);
  if (kind === 0) game.score(3).wait(60);
  if (kind === 1) {
    const { now: before } = game;
    game.score(6).wait(45 + game.random(30));
    if (game.random(2) === 0) game.takeBack(before, { isUnordered: true }).wait(90);
    else {
      const side = game.now.home > before.home ? 'home' : 'away';
      game.tell({ [side]: game.now[side] + 1 }).wait(60);
    }
  }
  game.wait(game.random(30));
});

const hockey = byClock(3, 1200, (game) => {
  if (game.random(19) === 0) {
    const { now: before } = game;
    game.score(1).wait(40 + game.random(60));
    if (game.random(3) === 0) game.takeBack(before, { isUnordered: true }).wait(90);
  }
  game.wait(game.random(20));
});

/** Baseball: halves of innings and outs. */
function baseball(game: Teller): void {
  const detail = (half: string, inning: number) => `${half} ${inning}`;
  for (let inning = 1; inning <= 9; inning++) {
    for (const half of ['Top', 'Bottom']) {
      for (let outs = 0; outs < 3; outs++) {
        const at: Partial<Moment> = { name: 'IN_PROGRESS', state: 'in', period: inning, detail: detail(half, inning) };
        game.tell({ ...at, outs, clock: '0:00' }).wait(20 + game.random(60));
        if (game.random(9) > 0) continue;
        const { now: before } = game;
        game.score(1 + game.random(1)).wait(20 + game.random(60));
        const kind = game.random(7);
        if (kind === 0) game.takeBack(before, { isUnordered: true }).wait(90);
        if (kind === 1)
          game
            .tell({ name: 'RAIN_DELAY' })
            .wait(300 + game.random(300))
            .tell({ name: 'IN_PROGRESS', isUnordered: true })
            .wait(90);
      }
      game.tell({ detail: detail(half === 'Top' ? 'Mid' : 'End', inning), outs: 3 }).wait(40);
    }
  }
  end(game, 'FINAL', () => game.tell({ name: 'IN_PROGRESS', state: 'in', isUnordered: true }));
}

const PLAYS: Readonly<Record<AfternoonLeague, (game: Teller) => void>> = {
  epl: soccer,
  nba: basketball,
  nfl: football,
  nhl: hockey,
  mlb: baseball,
};

function playedGame(league: AfternoonLeague, number: number, random: Random): PlayedGame {
  const startsAt = AFTERNOON + 5 * MINUTE * random(3);
  const game = new Teller(startsAt, random);
  if (random(9) === 0) game.wait(-600).tell({ name: 'POSTPONED', state: 'post' });
  else PLAYS[league](game);
  const id = String(401_000 + number);
  const date = `${new Date(startsAt).toISOString().slice(0, 16)}Z`;
  const side = (homeAway: string, n: number) => {
    const name = `Team ${league} ${n}`;
    return { id: String(n), homeAway, team: { id: String(n), displayName: name, abbreviation: `T${n}` } };
  };
  const competitors = [side('home', 2 * number + 1), side('away', 2 * number + 2)];
  const season = { year: 2026, type: 2 };
  const event = { id, date, season, competitions: [{ id, date, timeValid: true, competitors }] };
  return { event, id, startsAt, moments: game.moments };
}

/** An afternoon that nobody has played, of the shape that ESPN's answers have. */
export function generatedAfternoon(league: AfternoonLeague, games: number, seed: number): Afternoon {
  const random = randomOf(seed);
  return {
    league,
    place: PLACES[league],
    games: Array.from({ length: games }, (_, number) => playedGame(league, number, random)),
  };
}
