import type { Lineup, LineupPlayer } from '../fixtures/demo-lineups.ts';
import type { Pair } from '../simulation/chances.ts';
import type { PlayedGame } from './played-game.ts';

type Counts = Record<string, number>;
/** A side, 0 for the first. */
export type SideIndex = 0 | 1;

/** What is counted of a sport. */
interface CountedStats {
  /** What a row of this position states, from the first moment on. */
  readonly ofPlayer: (position: string) => readonly string[];
  /** What a side states that is the sum of its players'. */
  readonly sums: readonly string[];
  /** What a side states beside that. */
  readonly ofSide: readonly string[];
  /** Members that get a row; all where it is left out. */
  readonly hasRow?: (member: LineupPlayer) => boolean;
}

/** What happens in a game, step by step. */
interface Tally {
  /** @param who a member of the line-up, or null for the side itself */
  note(step: number, side: SideIndex, who: LineupPlayer | null, stat: string, amount?: number): void;
  /** What stands after each step; a box is made when it is asked for, before the next step. */
  boxes(): Generator<{ readonly changed: boolean; readonly box: () => Box }>;
}

interface BoxRow {
  readonly ref: string;
  readonly name: string;
  readonly role: 'home' | 'away';
  readonly starter: boolean;
  readonly dnp?: true;
  readonly stats: Readonly<Counts>;
}
export interface Box {
  readonly teams: { readonly home: Readonly<Counts>; readonly away: Readonly<Counts> };
  readonly players: readonly BoxRow[];
}

interface Note {
  readonly side: SideIndex;
  readonly who: LineupPlayer | null;
  readonly stat: string;
  readonly amount: number;
}

export function createTally(counted: CountedStats, lineUps: readonly [Lineup, Lineup], steps: number): Tally {
  const notes: Note[][] = Array.from({ length: steps }, () => []);
  const { ofPlayer, sums, ofSide, hasRow = () => true } = counted;
  const zeros = (names: readonly string[]): Counts => Object.fromEntries(names.map((name) => [name, 0]));
  return {
    note(step, side, who, stat, amount = 1) {
      if (step >= 0 && amount !== 0) notes[step]!.push({ side, who, stat, amount });
    },
    *boxes() {
      const sides = [zeros([...sums, ...ofSide]), zeros([...sums, ...ofSide])] as const;
      const members = lineUps.map((lineUp) =>
        lineUp
          .filter((member) => member.out || hasRow(member))
          .map((member) => ({ member, stats: zeros(member.out ? [] : ofPlayer(member.position)) })),
      );
      const counts = new Map(members.flat().map(({ member, stats }) => [member, stats]));
      for (const step of notes) {
        for (const { side, who, stat, amount } of step) {
          const own = who && counts.get(who);
          if (own && stat in own) own[stat]! += amount;
          if (who === null || sums.includes(stat)) sides[side][stat] = (sides[side][stat] ?? 0) + amount;
        }
        yield {
          changed: step.length > 0,
          box: () => ({
            teams: { home: { ...sides[0] }, away: { ...sides[1] } },
            players: withoutZeros(
              members.flatMap((rows, side) =>
                rows.map(({ member: { ref, name, starter, out }, stats }) => ({
                  ref,
                  name,
                  role: side === 0 ? ('home' as const) : ('away' as const),
                  starter,
                  ...(out ? { dnp: true as const } : {}),
                  stats,
                })),
              ),
            ),
          }),
        };
      }
    },
  };
}

/** A zero is told in one row only, where no row has more: the others are known by it, and boxes are half as large. */
function withoutZeros(rows: readonly BoxRow[]): BoxRow[] {
  const stated = new Set(rows.flatMap(({ stats }) => Object.keys(stats).filter((stat) => stats[stat] !== 0)));
  return rows.map((row) => {
    const stats: Counts = {};
    for (const [stat, value] of Object.entries(row.stats)) {
      if (value === 0 && stated.has(stat)) continue;
      stated.add(stat);
      stats[stat] = value;
    }
    return { ...row, stats };
  });
}

export const SIDES: readonly SideIndex[] = [0, 1];
export const otherSide = (side: SideIndex): SideIndex => (side === 0 ? 1 : 0);
/** Those that play. */
export const presentPlayers = (lineUp: Lineup): Lineup => lineUp.filter(({ out }) => !out);

/** What a bookmaker expects of a player in a whole game. */
export interface Expectation {
  readonly member: LineupPlayer;
  readonly side: SideIndex;
  readonly stat: string;
  readonly mean: number;
  /** Of a sum of many; absent for what is counted one by one. */
  readonly deviation?: number;
}

export type TallyWriter = Pick<Tally, 'note'>;

/** How a sport is counted. */
export interface SportBox {
  readonly counted: CountedStats;
  /** Notes all that happens in a game. */
  readonly count: (course: PlayedGame, tally: TallyWriter) => void;
  /** @param scored what either side is expected to score. @returns what is offered as a player prop */
  readonly expectations?: (lineUps: readonly [Lineup, Lineup], scored: Pair) => Expectation[];
}
