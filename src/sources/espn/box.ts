import { playsLike } from '../../domain/catalogue/added-leagues.ts';
import type { SportSlug } from '../../domain/catalogue/catalogue.ts';
import { asNumber, asRecord, asRecords, asText, type JsonObject } from '../parsing/json-values.ts';
import type { EspnSide } from './sides.ts';
import { nestedName, PAIRS, statName } from './stat-names.ts';

type Stats = Record<string, number>;
type Role = EspnSide['role'];

/** The side of a team in the answer. */
type RoleOf = (teamRef: string) => Role | undefined;

export interface Player {
  readonly ref: string;
  readonly name: string;
  readonly role: Role;
  starter?: boolean;
  dnp?: boolean;
  readonly stats: Stats;
}

/** The content of a box score: the statistics of both teams and of every player, merged over its groups. `more` has
 *  players whose statistics are elsewhere in the answer. Undefined if it has no statistics. */
export function boxOf(
  boxscore: JsonObject,
  sport: SportSlug,
  roleOf: RoleOf,
  more: readonly Player[] = [],
): JsonObject | undefined {
  const teams: Partial<Record<Role, Stats>> = {};
  for (const one of asRecords(boxscore['teams'])) {
    const role = roleOf(asText(asRecord(one['team'])['id']) ?? '');
    const stats = role ? statsOf(asRecords(one['statistics']), sport) : {};
    if (role && Object.keys(stats).length > 0) teams[role] = stats;
  }
  const players = new Map<string, Player>();
  for (const one of asRecords(boxscore['players'])) {
    const role = roleOf(asText(asRecord(one['team'])['id']) ?? '');
    if (role) for (const group of asRecords(one['statistics'])) readGroup(group, sport, role, players);
  }
  for (const player of more) if (!players.has(player.ref)) players.set(player.ref, player);
  if (Object.keys(teams).length === 0 && players.size === 0) return undefined;
  return { teams, players: [...players.values()] };
}

function readGroup(group: JsonObject, sport: SportSlug, role: Role, players: Map<string, Player>): void {
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
    const nameOf = (key: string) => statName(sport, name, key);
    for (const [index, key] of keys.entries()) addStat(player.stats, nameOf, key, asText(values[index]));
  }
}

const CLOCK = /^(\d+):(\d\d)$/;
const INNINGS = 'fullInnings.partInnings';

/** Adds one value: a number, a pair such as `6-9` or `14/25`, or a time. Values without meaning (`--`) are left out. */
function addStat(stats: Stats, nameOf: (key: string) => string, key: string, value: string | undefined): void {
  if (value === undefined || key === '') return;
  if (key === INNINGS) {
    // `6.1` means six innings and one out.
    const [full, part] = value.split('.').map(Number);
    if (Number.isInteger(full)) stats['outs_recorded'] = full! * 3 + (part || 0);
    return;
  }
  const names = key.split(/[-/]/);
  if (names.length === 2) {
    addPair(stats, [nameOf(names[0]!), nameOf(names[1]!)], value);
    return;
  }
  const clock = CLOCK.exec(value);
  const number = clock ? Number(clock[1]) * 60 + Number(clock[2]) : asNumber(value);
  const name = nameOf(key);
  if (number !== undefined) stats[clock ? `${name}_seconds` : name] = number;
}

function addPair(stats: Stats, names: readonly [string, string], value: string): void {
  const parts = /^(\d+)[-/](\d+)$/.exec(value);
  if (!parts) return;
  stats[names[0]] = Number(parts[1]);
  stats[names[1]] = Number(parts[2]);
}

/** Statistics given as a list of names and values, such as those of teams. */
export function statsOf(given: readonly JsonObject[], sport: SportSlug): Stats {
  const stats: Stats = {};
  const nameOf = (key: string) => statName(sport, '', key);
  for (const stat of given) {
    const name = asText(stat['name']) ?? '';
    const value = asText(stat['displayValue']) ?? asText(stat['value']);
    const pair = Object.hasOwn(PAIRS, name) ? PAIRS[name] : undefined;
    if (pair && value !== undefined) addPair(stats, pair, value);
    else if (Array.isArray(stat['stats'])) addNested(stats, sport, name, asRecords(stat['stats']));
    else addStat(stats, nameOf, name, value);
  }
  if (playsLike(sport) === 'soccer') addPassAccuracy(stats);
  return stats;
}

function addNested(stats: Stats, sport: SportSlug, part: string, given: readonly JsonObject[]): void {
  for (const stat of given) {
    const value = asNumber(stat['value']) ?? asNumber(stat['displayValue']);
    if (value !== undefined) stats[nestedName(sport, part, asText(stat['name']) ?? '')] = value;
  }
}

/** ESPN's own `passPct` is a share of 1, rounded to a tenth. */
function addPassAccuracy(stats: Stats): void {
  const { passes, accurate_passes: accurate, pass_pct: share } = stats;
  delete stats['pass_pct'];
  if (passes && accurate !== undefined) stats['pass_accuracy_pct'] = Math.round((accurate / passes) * 1000) / 10;
  else if (share !== undefined) stats['pass_accuracy_pct'] = Math.round(share * 1000) / 10;
}
