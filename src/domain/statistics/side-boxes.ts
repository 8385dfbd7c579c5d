import { canonicalJson } from '../canonical.ts';
import type { BoxContent } from '../domain-events.ts';
import { timeOf } from '../observation.ts';
import { rolesOf } from '../sides.ts';

type Stats = Readonly<Record<string, number>>;

/** What one message said of the sides' own statistics. */
interface SaidBox {
  /** Milliseconds. */
  at: number;
  readonly source: string;
  readonly revision: number;
  readonly sides: readonly [Stats | null, Stats | null];
}

/** The statistics of both sides, as those messages that nothing newer replaces have them. */
export type SideBoxes = SaidBox[];

/** Of each side the object of the newest message that has one stands, whatever the order of arrival. */
export const sideStats = (boxes: SideBoxes): readonly [Stats | null, Stats | null] => [
  boxes.findLast(({ sides }) => sides[0])?.sides[0] ?? null,
  boxes.findLast(({ sides }) => sides[1])?.sides[1] ?? null,
];

/** Folds a message's box. A message that says nothing of the sides changes nothing. */
export function addBox(
  boxes: SideBoxes,
  sport: string,
  said: { at: string; source: string; revision: number; content: BoxContent },
): SideBoxes {
  const { source, revision } = said;
  const sides = sidesOf(sport, said.content);
  if (!sides[0] && !sides[1]) return boxes;
  return standing([...boxes, { at: timeOf(said.at), source, revision, sides }]);
}

/** Folds a reconfirmation: what it repeats was said once more, later. */
export function repeatBox(boxes: SideBoxes, { at, of }: { at: string; of: number }): SideBoxes {
  const time = timeOf(at);
  const repeated = boxes.find(({ revision }) => revision === of);
  if (!repeated || repeated.at >= time) return boxes;
  return standing(boxes.map((box) => (box === repeated ? { ...box, at: time } : box)));
}

function sidesOf(sport: string, { teams, players }: BoxContent): SaidBox['sides'] {
  const roles = rolesOf(sport);
  const [first, second] = roles.map((role, index) => {
    const told = (teams as Readonly<Record<string, Stats | undefined>> | undefined)?.[role];
    const asTeam = index === 0 ? teams?.home : teams?.away;
    // Whoever plays alone is his own side.
    const own = roles[0] === 'player_1' ? players?.find((player) => player.role === role)?.stats : undefined;
    return told ?? asTeam ?? own ?? null;
  });
  return [first ?? null, second ?? null];
}

/** In order of time, without those that nothing stands of. They can never stand again. */
function standing(boxes: SideBoxes): SideBoxes {
  const sorted = boxes.sort(
    (a, b) =>
      a.at - b.at ||
      compare(canonicalJson(a.sides), canonicalJson(b.sides)) ||
      compare(a.source, b.source) ||
      a.revision - b.revision,
  );
  return sorted.filter(
    ({ sides }, index) =>
      (sides[0] && !sorted.slice(index + 1).some((later) => later.sides[0])) ||
      (sides[1] && !sorted.slice(index + 1).some((later) => later.sides[1])),
  );
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
