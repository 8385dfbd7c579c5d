import fc from 'fast-check';
import { normalizeName } from '../../../src/domain/primitives/name-normalization.ts';
import type { Message } from '../feed-messages.ts';

/**
 * A league in which two sources spell a team and a player in two ways, so that each is two entries; and in which a third
 * source spells them as the first one does, so that what may be two is one.
 */

const NBA = { sport: 'nba', league: 'nba' };
const START = Date.parse('2026-11-10T00:00:00Z');
export const NOW = START - 20 * 24 * 3_600_000;
const iso = (time: number): string => new Date(time).toISOString();

export interface WorldEntry {
  readonly kind: 'team' | 'player';
  readonly name: string;
  readonly source: string;
  readonly ref: string;
  /** The ref of its team. */
  readonly team?: string;
}
export const TEAMS: readonly WorldEntry[] = [
  { kind: 'team', name: 'Hawks', source: 'alpha', ref: 'h' },
  { kind: 'team', name: 'Atlanta Hawks', source: 'beta', ref: 'ah' },
  { kind: 'team', name: 'Hawks of Atlanta', source: 'gamma', ref: 'hoa' },
  { kind: 'team', name: 'Bulls', source: 'alpha', ref: 'b' },
  { kind: 'team', name: 'Hawks', source: 'delta', ref: 'h2' },
];
export const PLAYERS: readonly WorldEntry[] = [
  { kind: 'player', name: 'Jo Doe', source: 'alpha', ref: 'p1', team: 'h' },
  { kind: 'player', name: 'Joe Doe', source: 'beta', ref: 'p2', team: 'ah' },
  { kind: 'player', name: 'Al Poe', source: 'alpha', ref: 'p3', team: 'b' },
  { kind: 'player', name: 'Jo Doe', source: 'delta', ref: 'p4', team: 'h2' },
];
const BULLS = TEAMS[3]!;

const headOf = ({ source, ref }: WorldEntry, at: number) => ({ ...NBA, source, ref, at: iso(at) });

const teamOf = (team: WorldEntry, at: number, value: number): Message => ({
  kind: 'team',
  ...headOf(team, at),
  name: team.name,
  abbreviation: `T${value % 3}`,
  ...(value % 4 === 0 ? { city: `City ${value}` } : {}),
});

const playerOf = (player: WorldEntry, at: number, value: number): Message => ({
  kind: 'player',
  ...headOf(player, at),
  full_name: player.name,
  ...(player.team === undefined || value % 5 === 0 ? {} : { team_ref: player.team }),
  position: `P${value % 3}`,
});

/** Who tells of each game. */
const HOSTS = [TEAMS[0]!, TEAMS[1]!, TEAMS[2]!, TEAMS[0]!, TEAMS[4]!];
const EVENTS = HOSTS.length;
export const EVENT_REFS = HOSTS.map(({ source }, index) => ({ source, ref: `${source}-${index}` }));
const scheduleOf = (index: number, at: number, value: number): Message => {
  const team = HOSTS[index]!;
  const called = { name: team.name, ...(value % 2 ? { ref: team.ref } : {}) };
  const other = { name: BULLS.name };
  const isTurned = value % 5 === 0;
  return {
    kind: 'schedule',
    ...NBA,
    ...{ source: team.source, at: iso(at), ref: `${team.source}-${index}` },
    starts_at: iso(START + index * 24 * 3_600_000 + (value % 3) * 60_000),
    participants: [
      { role: 'home', ...(isTurned ? other : called) },
      { role: 'away', ...(isTurned ? called : other) },
    ],
  };
};

const scoreOf = (index: number, at: number, value: number): Message => {
  const { source } = HOSTS[index]!;
  const head = { kind: 'score', ...NBA, source, at: iso(at), ref: `${source}-${index}` };
  return { ...head, status: 'inprogress', scores: [{ role: 'home', score: String(value) }] };
};

const INJURED = [PLAYERS[0]!, PLAYERS[1]!, PLAYERS[3]!];
const injuryOf = (index: number, at: number, value: number): Message => {
  const player = INJURED[index % INJURED.length]!;
  const team = TEAMS.find(({ source, ref }) => source === player.source && ref === player.team)!;
  return {
    kind: 'injury',
    ...NBA,
    ...{ source: player.source, at: iso(at), player: player.name, status: ['out', 'questionable'][value % 2] },
    ...(value % 3 === 0 ? { team: team.name } : { team_ref: team.ref }),
    // By name alone, who is meant depends on the team of the player at that moment.
    player_ref: player.ref,
  };
};

/** Every name and ref is told once, so that nothing waits. */
export const INTRODUCTIONS: readonly Message[] = [
  ...TEAMS.map((team, index) => teamOf(team, NOW - 1_000_000 + index, index + 1)),
  ...PLAYERS.map((player, index) => playerOf(player, NOW - 900_000 + index, index + 1)),
  // All have the sides in one order at first.
  ...[1, 2, 3, 4, 6].map((value, index) => scheduleOf(index, NOW - 800_000 + index, value)),
];

const MAKERS = [scheduleOf, scheduleOf, scoreOf, injuryOf, injuryOf];
export const telling: fc.Arbitrary<Message> = fc
  .record({ what: fc.nat({ max: 9 }), index: fc.nat({ max: 9 }), value: fc.nat({ max: 20 }), at: fc.nat({ max: 60 }) })
  .map(({ what, index, value, at }): Message => {
    // Many come late.
    const time = NOW - 700_000 + at * 60_000;
    if (what < 2) return teamOf(TEAMS[index % TEAMS.length]!, time, value);
    if (what < 4) return playerOf(PLAYERS[index % PLAYERS.length]!, time, value);
    return MAKERS[what % MAKERS.length]!(index % EVENTS, time, value);
  });

/** One source tells the same of two games at once. */
export const twins: fc.Arbitrary<readonly Message[]> = fc
  .record({ value: fc.nat({ max: 20 }), at: fc.nat({ max: 60 }) })
  .map(({ value, at }) => [0, 3].map((index) => scoreOf(index, NOW - 700_000 + at * 60_000, value)));

/** The names by which a message means a team alone. */
export const namesAlone = ({ participants = [], team }: Message): readonly string[] => [
  ...(participants as readonly { name: string; ref?: string }[]).flatMap(({ name, ref }) => (ref ? [] : [name])),
  ...(team === undefined ? [] : [String(team)]),
];

/** The entry of which this is the normalised name. */
export const entryOfName = (kind: string, name: string): WorldEntry | undefined =>
  [...TEAMS, ...PLAYERS].find((one) => one.kind === kind && normalizeName(one.name) === name);
export const entryOfRef = (kind: string, source: string, ref: string): WorldEntry | undefined =>
  [...TEAMS, ...PLAYERS].find((one) => one.kind === kind && one.source === source && one.ref === ref);
