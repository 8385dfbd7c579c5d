import { asNumber, asRecord, asRecords, asText, type Json } from '../json-file.ts';
import { PAIRS, snakeCase, statName } from './stat-names.ts';

type Stats = Record<string, number>;
type Role = 'home' | 'away';

interface Player {
  readonly ref: string;
  readonly name: string;
  readonly role: Role;
  starter?: boolean;
  dnp?: boolean;
  readonly stats: Stats;
}

/** What a box score says: the statistics of both teams, and of every player, merged over its groups. */
export function boxOf(boxscore: Json, roleOf: (teamRef: string) => Role | undefined): Json | undefined {
  const teams: Partial<Record<Role, Stats>> = {};
  for (const one of asRecords(boxscore['teams'])) {
    const role = roleOf(asText(asRecord(one['team'])['id']) ?? '');
    const stats = role ? teamStats(asRecords(one['statistics'])) : {};
    if (role && Object.keys(stats).length > 0) teams[role] = stats;
  }
  const players = new Map<string, Player>();
  for (const one of asRecords(boxscore['players'])) {
    const role = roleOf(asText(asRecord(one['team'])['id']) ?? '');
    if (role) for (const group of asRecords(one['statistics'])) readGroup(group, role, players);
  }
  if (Object.keys(teams).length === 0 && players.size === 0) return undefined;
  return { teams, players: [...players.values()] };
}

function readGroup(group: Json, role: Role, players: Map<string, Player>): void {
  const name = asText(group['name']) ?? asText(group['type']) ?? '';
  const keys = Array.isArray(group['keys']) ? group['keys'].map((key) => asText(key) ?? '') : [];
  for (const given of asRecords(group['athletes'])) {
    const athlete = asRecord(given['athlete']);
    const ref = asText(athlete['id']);
    const fullName = asText(athlete['displayName']) ?? asText(athlete['fullName']);
    if (!ref || !fullName) continue;
    const player: Player = players.get(ref) ?? { ref, name: fullName, role, stats: {} };
    players.set(ref, player);
    if (typeof given['starter'] === 'boolean') player.starter = player.starter || given['starter'];
    if (given['didNotPlay'] === true) player.dnp = true;
    const values = Array.isArray(given['stats']) ? given['stats'] : [];
    for (const [index, key] of keys.entries()) addStat(player.stats, name, key, asText(values[index]));
  }
}

const CLOCK = /^(\d+):(\d\d)$/;
const INNINGS = 'fullInnings.partInnings';

/** One value: a number, a pair such as `6-9` or `14/25`, or a time. What says nothing (`--`) is left out. */
function addStat(stats: Stats, group: string, key: string, value: string | undefined): void {
  if (value === undefined || key === '') return;
  if (key === INNINGS) {
    // `6.1` are six innings and one out.
    const [full, part] = value.split('.').map(Number);
    if (Number.isInteger(full)) stats['outs_recorded'] = full! * 3 + (part || 0);
    return;
  }
  const names = key.split(/[-/]/);
  if (names.length === 2) {
    addPair(stats, [statName(group, names[0]!), statName(group, names[1]!)], value);
    return;
  }
  const clock = CLOCK.exec(value);
  const number = clock ? Number(clock[1]) * 60 + Number(clock[2]) : asNumber(value);
  const name = statName(group, key);
  if (number !== undefined) stats[clock ? `${name}_seconds` : name] = number;
}

function addPair(stats: Stats, names: readonly [string, string], value: string): void {
  const parts = /^(\d+)[-/](\d+)$/.exec(value);
  if (!parts) return;
  stats[names[0]] = Number(parts[1]);
  stats[names[1]] = Number(parts[2]);
}

function teamStats(given: readonly Json[]): Stats {
  const stats: Stats = {};
  for (const stat of given) {
    const name = asText(stat['name']) ?? '';
    const value = asText(stat['displayValue']) ?? asText(stat['value']);
    const pair = PAIRS[name];
    if (pair && value !== undefined) addPair(stats, pair, value);
    else if (Array.isArray(stat['stats'])) addNested(stats, name, asRecords(stat['stats']));
    else addStat(stats, '', name, value);
  }
  return stats;
}

/** Baseball gives a team's statistics by part of the game; the same name means another thing in each. */
function addNested(stats: Stats, part: string, given: readonly Json[]): void {
  for (const stat of given) {
    const value = asNumber(stat['value']) ?? asNumber(stat['displayValue']);
    if (value !== undefined) stats[`${snakeCase(part)}_${snakeCase(asText(stat['name']) ?? '')}`] = value;
  }
}
