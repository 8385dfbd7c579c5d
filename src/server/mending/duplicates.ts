import { type PlayerDocument, players } from '../../../projections/directory/players.ts';
import { type TeamDocument, teams } from '../../../projections/directory/teams.ts';
import { type EventDocument, events } from '../../../projections/sports-events/events.ts';
import { SPORT_SLUGS, SPORTS } from '../../domain/catalogue/catalogue.ts';
import { isTennis } from '../../domain/catalogue/sport-rules.ts';
import { foldWords, joinWords } from '../../domain/directory/naming/folded-words.ts';
import { foldText } from '../../domain/primitives/name-normalization.ts';
import type { Query } from '../../read-models/store/document-reader.ts';
import type { DuplicateRow } from '../../web/account/admin/identity-desk.ts';
import { duplicateEvents } from './duplicate-events.ts';
import { type DuplicateParts, haveSourceInCommon } from './source-in-common.ts';
import { thingRows } from './thing-rows.ts';

const AT_ONCE = 100;

/** Pairs that are probably one, of events the nearest first: nobody acts on them by itself. */
export async function* findDuplicates(parts: DuplicateParts, league?: string): AsyncGenerator<DuplicateRow> {
  const leagues = SPORTS.flatMap((sport) => sport.leagues).filter(
    ({ slug }) => league === undefined || slug === league,
  );
  yield* duplicateEvents(parts, leagues);
  for (const { slug } of leagues) yield* duplicateTeams(parts, slug);
  const sports = SPORT_SLUGS.filter((sport) => leagues.some((one) => one.sport === sport));
  for (const sport of sports) yield* duplicatePlayers(parts, sport, league);
  for (const sport of sports) if (isTennis(sport)) yield* duplicatesByInitial(parts, sport, league);
}

/**
 * Teams of a league whose names are equal but for a mark, or one word more or less, that never met, and for which no
 * source has a ref each.
 */
async function* duplicateTeams(parts: DuplicateParts, league: string): AsyncGenerator<DuplicateRow> {
  const byName = new Map<string, TeamDocument[]>();
  for await (const team of allOf<TeamDocument>(parts.store, teams.name, { league })) {
    const words = foldWords(team.facts.name);
    const shorter = words.length < 2 ? [] : words.map((_, index) => joinWords(words.toSpliced(index, 1)));
    const full = joinWords(words);
    const found = new Map<number, { readonly team: TeamDocument; readonly reason: string }>();
    for (const other of byName.get(full) ?? []) found.set(other.id, { team: other, reason: 'the same name' });
    for (const key of [full, ...shorter]) {
      for (const other of byName.get(key) ?? []) {
        const isNear = key === full || joinWords(foldWords(other.facts.name)) === key;
        if (isNear && !found.has(other.id)) found.set(other.id, { team: other, reason: 'one word more or less' });
      }
    }
    for (const { team: other, reason } of found.values()) {
      if (await haveSourceInCommon(parts, 'team', team, other)) continue;
      if (!(await haveMet(parts.store, team.id, other.id))) yield* pairOf(parts, 'team', [other, team], reason);
    }
    for (const key of new Set([full, ...shorter])) byName.set(key, [...(byName.get(key) ?? []), team]);
  }
}

async function haveMet(store: DuplicateParts['store'], one: number, other: number): Promise<boolean> {
  const order = { field: 'starts_at', direction: 'asc' } as const;
  let after: Query['after'];
  for (;;) {
    const query = { where: { team_ids: one }, order, limit: AT_ONCE, ...(after ? { after } : {}) };
    const page = await store.find<EventDocument>(events.name, query);
    if (page.some(({ document }) => document.sides?.some(({ id }) => id === other))) return true;
    const last = page.at(-1)?.document;
    if (page.length < AT_ONCE || !last?.event.schedule) return false;
    after = { value: Date.parse(last.event.schedule.starts_at), id: last.id };
  }
}

/** Players of one team with the same name, or the same birthdate and last name. */
async function* duplicatePlayers(
  parts: DuplicateParts,
  sport: string,
  league: string | undefined,
): AsyncGenerator<DuplicateRow> {
  const seen = new Map<string, PlayerDocument>();
  for await (const player of allOf<PlayerDocument>(parts.store, players.name, { sport })) {
    const { team_id, full_name, birthdate, last_name } = player.facts;
    if (team_id === undefined || (league !== undefined && player.league !== league)) continue;
    const keys: [key: string, reason: string][] = [[`${team_id} ${foldText(full_name)}`, 'the same name in one team']];
    if (birthdate !== undefined) {
      const last = foldText(last_name ?? full_name.split(' ').at(-1)!);
      keys.push([`${team_id} ${birthdate} ${last}`, 'the same birthdate and last name in one team']);
    }
    const known = keys.find(([key]) => seen.has(key));
    if (known) yield* pairOf(parts, 'player', [seen.get(known[0])!, player], known[1]);
    for (const [key] of keys) if (!seen.has(key)) seen.set(key, player);
  }
}

/**
 * Players of tennis, who have no team: a name with an initial, and the only full name that it fits, as `Alcaraz C.` and
 * `Carlos Alcaraz Garfia` do, where no source has a ref for each.
 */
async function* duplicatesByInitial(
  parts: DuplicateParts,
  sport: string,
  league: string | undefined,
): AsyncGenerator<DuplicateRow> {
  const initialed: { readonly player: PlayerDocument; readonly key: string }[] = [];
  const byKey = new Map<string, PlayerDocument[]>();
  for await (const player of allOf<PlayerDocument>(parts.store, players.name, { sport })) {
    if (league !== undefined && player.league !== undefined && player.league !== league) continue;
    const key = initialKey(player.facts.full_name);
    if (key !== undefined) initialed.push({ player, key });
    else for (const own of keysOfFullName(player.facts.full_name)) byKey.set(own, [...(byKey.get(own) ?? []), player]);
  }
  for (const { player, key } of initialed) {
    const [other, ...more] = byKey.get(key) ?? [];
    if (!other || more.length > 0 || (await haveSourceInCommon(parts, 'player', other, player))) continue;
    yield* pairOf(parts, 'player', [other, player], 'the same initial and last name');
  }
}

/** `c alcaraz` of `Alcaraz C.` and of `C. Alcaraz`; undefined of a name without an initial. */
function initialKey(name: string): string | undefined {
  const words = name.split(/\s+/);
  const isInitial = (word: string): boolean => word.includes('.') || word.length === 1;
  const [initial] = words.filter(isInitial);
  const last = words.filter((word) => !isInitial(word)).join(' ');
  return initial === undefined || last === '' ? undefined : `${foldText(initial)[0]} ${joinWords(foldWords(last))}`;
}

/** Of which words a last name consists is not known: each beginning and each end of what follows the first word. */
function keysOfFullName(name: string): Set<string> {
  const [first = '', ...rest] = foldWords(name);
  const parts = rest.flatMap((_, index) => [rest.slice(index), rest.slice(0, index + 1)]);
  return new Set(parts.map((words) => `${first[0]} ${joinWords(words)}`));
}

async function* allOf<Document extends { readonly id: number }>(
  store: DuplicateParts['store'],
  projection: string,
  where: NonNullable<Query['where']>,
): AsyncGenerator<Document> {
  let after: Query['after'];
  for (;;) {
    const page = await store.find<Document>(projection, { where, limit: AT_ONCE, ...(after ? { after } : {}) });
    for (const { document } of page) yield document;
    if (page.length < AT_ONCE) return;
    const { id } = page.at(-1)!.document;
    after = { value: null, id };
  }
}

async function* pairOf(
  parts: DuplicateParts,
  what: DuplicateRow['what'],
  pair: readonly [any, any],
  reason: string,
): AsyncGenerator<DuplicateRow> {
  const [a, b] = await thingRows(parts, what, pair);
  yield { what, a: a!, b: b!, reason };
}
