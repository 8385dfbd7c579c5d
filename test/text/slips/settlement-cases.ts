import { expect } from 'vitest';
import { made } from '../../api/markets/lines.ts';
import { type Game, game } from '../../api/spec/events.ts';
import { type Message, player, team } from '../../api/spec/messages.ts';
import type { SpecServer } from '../../api/spec/server.ts';

type Facts = Readonly<Record<string, unknown>>;
/** The score of a side, or its whole score entry. */
type SideScore = string | Facts;

/** A finished or running game, and legs on it with the expected results. */
export interface Situation {
  readonly title: string;
  readonly league: { readonly sport: string; readonly league: string };
  readonly status: string;
  readonly scores?: readonly [SideScore, SideScore];
  /** More members of the score message. */
  readonly more?: Facts;
  /** Earlier messages: status, scores and more members. */
  readonly before?: readonly (readonly [string, (readonly [SideScore, SideScore])?, Facts?])[];
  /** Statistics by player name. `dnp`: in the box, but did not play. */
  readonly box?: Readonly<Record<string, Readonly<Record<string, number>> | 'dnp'>>;
  /** More members of the box; final by default. */
  readonly boxMore?: Facts;
  /**
   * A row each: the leg, its result, `current`, and why. Legs are `ml SIDE`, `spread SIDE LINE`, `total OU LINE`,
   * `tt SIDE OU LINE` and `prop PLAYER STAT OU LINE`, with a part of the event before it: `1H ml home`. A player who is not in the box is in the home team, but for
   * `Stranger`. Results are those of the API, `unmapped`, `ungradeable`, `half-won` and `half-lost`. No number is `-`.
   */
  readonly legs: string;
}

interface Row {
  readonly leg: string;
  readonly result: string;
  readonly current: number | null;
  readonly why: string;
}

export const rowsOf = ({ legs }: Situation): readonly Row[] =>
  legs
    .trim()
    .split('\n')
    .map((line) => {
      const [leg, result, current, why] = line.split('|').map((cell) => cell.trim());
      expect(why, line).toBeTruthy();
      return { leg: leg!, result: result!, current: current === '-' ? null : Number(current), why: why! };
    });

export { made };
/** A side with these runs in each inning. */
export const innings = (...runs: readonly number[]) =>
  made(
    String(runs.reduce((sum, one) => sum + one, 0)),
    Object.fromEntries(runs.map((one, index) => [String(index + 1), one])),
  );

let situations = 0;

/** Creates the situation on a server; returns its legs as in requests. */
export async function stageSituation(server: SpecServer, situation: Situation) {
  const { league, status, scores, more = {}, before = [], box, boxMore = { final: true } } = situation;
  const one: Game = await game(server, league);
  const mark = String.fromCharCode(...[...String(++situations)].map((digit) => 97 + Number(digit)));
  const named = (name: string) => `${name} Q${mark}`;
  const rows = rowsOf(situation);
  const people = new Set(rows.flatMap(({ leg }) => /^prop (\w+)/.exec(leg)?.[1] ?? []));
  for (const name of Object.keys(box ?? {})) people.add(name);
  const hasTeams = league.sport !== 'tennis';
  const messages: Message[] = [];
  if (hasTeams) {
    messages.push(...one.sides.map((name, side) => team(league, `team ${name}`, name, `T${side}`)));
  }
  for (const name of people) {
    const of = name === 'Stranger' || !hasTeams ? {} : { team_ref: `team ${one.sides[0]}` };
    messages.push(player(league.sport, `ref ${named(name)}`, named(name), of));
  }
  for (const [state, said, facts] of before) messages.push(one.score(state, said as never, facts));
  if (status !== 'scheduled' || scores) messages.push(one.score(status, (scores ?? null) as never, more));
  if (box) {
    const players = Object.entries(box).map(([name, stats]) => ({
      ref: `ref ${named(name)}`,
      name: named(name),
      role: 'home',
      ...(stats === 'dnp' ? { stats: {}, dnp: true } : { stats }),
    }));
    messages.push({ kind: 'box', source: 'feed', at: one.nextAt(), ref: one.ref, players, ...boxMore });
  }
  if (messages.length > 0) await server.feed(...messages);
  const ids = new Map<string, number>();
  for (const name of people) {
    const { data } = await server.get(`/v1/players?sport=${league.sport}&q=${encodeURIComponent(named(name))}`);
    ids.set(name, data.find((found: any) => found.full_name === named(name)).id);
  }
  const { participants } = await server.get(one.path);
  const teamIds: number[] = participants.map((side: any) => side.team?.id);
  const legs = rows.map(({ leg }) => legOf(one.id, leg, ids, teamIds));
  return { game: one, rows, legs };
}

function legOf(event_id: number, words: string, players: ReadonlyMap<string, number>, teamIds: readonly number[]) {
  const [, scope, whole] = /^([12]H|[QPFS]\d )?(.*)$/.exec(words)!;
  const leg = wholeLegOf(event_id, whole!.trim(), players, teamIds);
  return scope === undefined ? leg : { ...leg, scope: scope.trim() };
}

function wholeLegOf(event_id: number, words: string, players: ReadonlyMap<string, number>, teamIds: readonly number[]) {
  const [kind, ...said] = words.split(' ');
  switch (kind) {
    case 'ml':
      return { event_id, market_key: 'ml', side: said[0]! };
    case 'spread':
    case 'total':
      return { event_id, market_key: kind, side: said[0]!, line: Number(said[1]) };
    case 'tt':
      return {
        event_id,
        market_key: 'tt',
        side: said[1]!,
        line: Number(said[2]),
        team_id: teamIds[said[0] === 'home' ? 0 : 1] ?? 1,
      };
    case 'prop':
      return {
        event_id,
        market_key: said[1]!,
        side: said[2]!,
        line: Number(said[3]),
        player_id: players.get(said[0]!)!,
      };
    default:
      throw new Error(`no leg: ${words}`);
  }
}

/** Grades a slip of any length, eight legs per request. */
export async function gradeAll(server: SpecServer, legs: readonly object[], more: object = {}): Promise<any[]> {
  const graded: any[] = [];
  for (let from = 0; from < legs.length; from += 8) {
    const { status, body } = await server.post('/v1/grade/slip', { legs: legs.slice(from, from + 8), ...more });
    expect([status, body.error]).toEqual([200, undefined]);
    graded.push(...body.legs);
  }
  return graded;
}

/** The result of a graded leg as in a row. */
export function shownResult({ result, result_detail }: any): string {
  if (result_detail === 'ungradeable') return result_detail;
  return result_detail?.startsWith('half_') ? result_detail.replace('_', '-') : (result ?? 'unmapped');
}
