import type { LineupContent } from './streams/statistics-streams.ts';
import { type Told, toldLast, withRepeated, withTold } from './told-parts.ts';

export type LineupSide = NonNullable<LineupContent['teams']['home']>;
export type ProbableStarter = NonNullable<NonNullable<LineupContent['probable_starters']>['home']>;
/** What of the `lineup` messages of one event still counts; see `withTold`. */
export type ToldLineup = readonly Told<LineupContent>[];

/** Who plays for one side, as it stands. */
export interface Lineup {
  readonly team: LineupSide;
  /** Whose ids the `ref`s are. */
  readonly source: string;
}

const SIDES = ['home', 'away'] as const;

function partsOf({ teams, probable_starters }: LineupContent): string[] {
  return SIDES.flatMap((side) => [
    ...(teams[side] ? [`teams.${side}`] : []),
    ...(probable_starters?.[side] ? [`probable_starters.${side}`] : []),
  ]);
}

/** Folds a record; the records of an event may come in any order of `at`. */
export const lineupWith = (kept: ToldLineup, told: Told<LineupContent>): ToldLineup => withTold(kept, told, partsOf);

/** Folds a reconfirmation. */
export const lineupReconfirmed = (
  kept: ToldLineup,
  repeated: { readonly at: string; readonly source: string },
): ToldLineup => withRepeated(kept, repeated, partsOf);

/** The lineup of a side, of the newest that tells it; undefined before. */
export function lineupOf(kept: ToldLineup, index: 0 | 1): Lineup | undefined {
  const side = SIDES[index];
  const told = toldLast(kept, `teams.${side}`, partsOf);
  return told && { team: told.content.teams[side]!, source: told.source };
}

/** Who is expected to start for a side. */
export function probableStarterOf(kept: ToldLineup, index: 0 | 1): ProbableStarter | undefined {
  const side = SIDES[index];
  return toldLast(kept, `probable_starters.${side}`, partsOf)?.content.probable_starters?.[side];
}

/** Where the one player stands on whom a game of a sport hangs more than on any other, by the lineups' abbreviations. */
const LEADING: Readonly<Record<string, readonly string[]>> = { mlb: ['SP', 'P'], nfl: ['QB'], ncaaf: ['QB'] };

/** Who starts for a side as pitcher or quarterback: as was announced, else as the lineup has it. */
export function leadingStarterOf(sport: string, kept: ToldLineup, index: 0 | 1): { readonly name: string } | undefined {
  const announced = probableStarterOf(kept, index);
  const positions = LEADING[sport];
  if (announced || !positions) return announced;
  const named = lineupOf(kept, index)?.team.players.filter(
    ({ starter, position }) => starter && position !== undefined && positions.includes(position.toUpperCase()),
  );
  return named?.length === 1 ? named[0] : undefined;
}
