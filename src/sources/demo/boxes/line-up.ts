import type { Absence } from '../before-start.ts';
import { SQUADS } from '../cast/squads.ts';
import type { Fixture } from '../fixture.ts';
import { randomFor } from '../random.ts';

/** Somebody of a team on the day of a game. */
export interface Member {
  readonly ref: string;
  readonly name: string;
  readonly position: string;
  readonly jersey: number;
  readonly starter: boolean;
  /** Will not play. */
  readonly out: boolean;
  /** How good the player is: 1 is the average of the position. The same in every game. */
  readonly skill: number;
}
export type LineUp = readonly Member[];

const SKILL = { from: 0.78, to: 1.24 };

/** Who plays for either side. Where somebody of the first team is missing, the bench stands in. */
export const lineUpsOf = (fixture: Fixture, absence: Absence | null): readonly [LineUp, LineUp] => [
  lineUpOf(fixture, 0, absence),
  lineUpOf(fixture, 1, absence),
];

function lineUpOf({ sport, sides }: Fixture, side: 0 | 1, absence: Absence | null): LineUp {
  const squad = SQUADS[sport];
  const missing = absence?.side === side ? sides[side].players.findIndex(({ ref }) => ref === absence.player) : -1;
  const standIn = squad[missing]?.starts ? squad.findIndex(({ starts, spared }) => !starts && spared) : -1;
  return sides[side].players.map(({ ref, name }, index) => {
    const place = squad[index === standIn ? missing : index]!;
    return {
      ref,
      name,
      position: place.position,
      jersey: ((index * 7 + 2) % 40) + 1,
      starter: place.starts && index !== missing,
      out: index === missing,
      skill: randomFor('skill', ref).between(SKILL.from, SKILL.to),
    };
  });
}
