import type { Lineup, LineupPlayer } from '../fixtures/demo-lineups.ts';
import type { Pair } from '../simulation/chances.ts';
import type { PlayedGame } from './played-game.ts';

type Counts = Record<string, number>;
/** A side, 0 for the first. */
export type SideIndex = 0 | 1;

/** The statistics that are counted in a sport. */
interface CountedStats {
  /** Statistics in the row of a player of this position, from the first moment on. */
  readonly ofPlayer: (position: string) => readonly string[];
  /** Statistics of a side that are the sums of its players'. */
  readonly sums: readonly string[];
  /** Further statistics of a side. */
  readonly ofSide: readonly string[];
  /** Lineup members that get a row; all if absent. */
  readonly hasRow?: (member: LineupPlayer) => boolean;
}

/** Counts the events of a game, step by step. */
interface Tally {
  /** @param who a member of the lineup, or null for the side itself */
  note(step: number, side: SideIndex, who: LineupPlayer | null, stat: string, amount?: number): void;
  /** The state after each step. A box is computed when it is requested, which must be before the next step. */
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

/** States a zero only if no row has more, and then in one row only. The other zeros follow from that, and boxes are
 *  half as large. */
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
/** The members who play. */
export const presentPlayers = (lineUp: Lineup): Lineup => lineUp.filter(({ out }) => !out);

/** A bookmaker's expectation of a player in a whole game. */
export interface Expectation {
  readonly member: LineupPlayer;
  readonly side: SideIndex;
  readonly stat: string;
  readonly mean: number;
  /** Standard deviation of a sum of many values; absent for events counted one by one. */
  readonly deviation?: number;
}

export type TallyWriter = Pick<Tally, 'note'>;

/** The counting rules of a sport. */
export interface SportBox {
  readonly counted: CountedStats;
  /** Notes all events of a game. */
  readonly count: (course: PlayedGame, tally: TallyWriter) => void;
  /** @param scored expected score of each side @returns the expectations behind the player props */
  readonly expectations?: (lineUps: readonly [Lineup, Lineup], scored: Pair) => Expectation[];
}
