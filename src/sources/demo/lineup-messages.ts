import type { Untimed } from './before-start.ts';
import type { LineUp } from './boxes/line-up.ts';
import type { Fixture } from './fixture.ts';
import { randomFor } from './random.ts';

const HOUR = 3600;
const FORMATION = '4-3-3';
/** Sports that name one player of each side long before the start: the pitcher, or the goaltender. */
const PROBABLE: Readonly<Record<string, string>> = { mlb: 'SP', nhl: 'G' };

/** Who will play: what is probable on the morning of a game, and the lineups shortly before the start. */
export function lineupsOf(fixture: Fixture, [home, away]: readonly [LineUp, LineUp], seed: number): Untimed[] {
  const { sport, ref, startsAt } = fixture;
  if (sport === 'tennis') return [];
  const random = randomFor(seed, ref, 'lineups');
  const probable = PROBABLE[sport];
  const starters =
    probable === undefined
      ? {}
      : { probable_starters: { home: starterOf(home, probable), away: starterOf(away, probable) } };
  const told = (hours: number, teams: Record<string, unknown>): Untimed => ({
    second: startsAt - hours * HOUR,
    message: { kind: 'lineup', ref, teams, ...starters },
  });
  const lineups = told(random.between(0.7, 1.05), { home: sideOf(home, sport), away: sideOf(away, sport) });
  return probable === undefined ? [lineups] : [told(random.between(3.2, 4), {}), lineups];
}

function starterOf(lineUp: LineUp, position: string): { ref: string; name: string } {
  const { ref, name } = lineUp.find((member) => member.position === position)!;
  return { ref, name };
}

function sideOf(lineUp: LineUp, sport: string): Record<string, unknown> {
  const present = lineUp.filter(({ out }) => !out);
  const starters = present.filter(({ starter }) => starter);
  return {
    ...(sport === 'soccer' ? { formation: FORMATION } : {}),
    players: [...starters, ...present.filter(({ starter }) => !starter)].map(
      ({ ref, name, position, jersey, starter }, index) => ({
        ref,
        name,
        position,
        jersey: String(jersey),
        ...(sport === 'soccer' && starter ? { formation_place: String(index + 1) } : {}),
        starter,
      }),
    ),
  };
}
