import { type DirectoryCommand, playerDecider, teamDecider } from '../../../commands/directory-decider.ts';
import { rulesOf } from '../../domain/catalogue/sport-rules.ts';
import type { PlayerContent, TeamContent, TeamFacts } from '../../domain/directory/directory-entries.ts';
import type { StreamDecider } from '../../domain/event-sourcing/stream-decider.ts';
import type { PlayerMessage, TeamMessage } from '../../domain/feed/feed-messages.ts';
import { normalizeName } from '../../domain/primitives/name-normalization.ts';
import { describeInEvents } from '../binding/event-descriptions.ts';
import {
  acceptedIfAny,
  type HandlingResult,
  type IngestSession,
  identityKeyOf,
  quarantineBecause,
} from '../binding/ingest-session.ts';
import type { EntryKind as Kind } from '../binding/pending-descriptions.ts';
import { venueWithId } from '../binding/venue-ids.ts';
import { withoutId } from './replayed-message.ts';
import { defineSubject, type MessageLookups } from './subject.ts';

/** The lookups of a message about an entry. */
const entryLookups = (kind: Kind, decider: StreamDecider): MessageLookups<TeamMessage | PlayerMessage> => ({
  addHints({ sport, source, ref, ...message }, hints) {
    hints.entities.push({ kind, scope: sport, source, ref });
    const name = message.kind === 'team' ? message.name : message.full_name;
    hints.names.push({ kind, scope: sport, name: normalizeName(name) });
  },
  async streamsOf({ identities }, { sport, source, ref }) {
    const id = await identities.findEntity(kind, sport, source, ref);
    return id === undefined ? [] : [[decider, id]];
  },
});

/** A `team` message: an entry of the directory. */
async function handleTeam(session: IngestSession, message: TeamMessage): Promise<HandlingResult> {
  const { kind, source, at, sport, league, ref, venue, ...rest } = message;
  const found = await findTeam(session, message);
  if ('cause' in found) return found;
  const facts: TeamFacts = { ...rest, ...(venue ? { venue: await venueWithId(session, venue) } : {}) };
  const content: TeamContent = { rank: 'described', league, facts };
  const id = await ensureEntry(session, 'team', sport, source, ref, found.id);
  return acceptedIfAny(await describeTeam(session, { id, sport, ref, at, source, content }));
}

/** A `player` message. Its team must be known by the id that the source itself uses. */
async function handlePlayer(session: IngestSession, message: PlayerMessage): Promise<HandlingResult> {
  const { kind, source, at, sport, league, ref, ...facts } = message;
  const { team_ref } = facts;
  let team: { team_id?: number } = {};
  if (team_ref !== undefined) {
    const id = await session.identities.findEntity('team', sport, source, team_ref);
    if (id === undefined) {
      return quarantineBecause(
        `${source} has no team ${team_ref} here yet`,
        identityKeyOf.entity('team', sport, source, team_ref),
      );
    }
    team = { team_id: id };
  }
  const found = await findPlayer(session, message);
  if ('cause' in found) return found;
  const content: PlayerContent = { rank: 'described', ...(league ? { league } : {}), facts: { ...facts, ...team } };
  const id = await ensureEntry(session, 'player', sport, source, ref, found.id);
  return acceptedIfAny(await describePlayer(session, { id, sport, ref, at, source, content }));
}

type FoundEntry = { readonly id: number | undefined } | (HandlingResult & { cause: unknown });

async function findTeam(
  session: IngestSession,
  { sport, source, ref, name, short_name, abbreviation, aliases = [] }: TeamMessage,
): Promise<FoundEntry> {
  const bound = await session.identities.findEntity('team', sport, source, ref);
  if (bound !== undefined) return { id: bound };
  const byName = await findUnclaimed(session, 'team', sport, source, name);
  if (byName.length === 1) return { id: byName[0] };
  if (byName.length > 1) return quarantineAmbiguous('team', sport, name, byName.length);
  // A schedule may have named the team by the short name, the abbreviation or an alias of this message.
  const stubs = new Set<number>();
  for (const other of [...aliases, abbreviation, ...(short_name ? [short_name] : [])]) {
    for (const id of await findUnclaimed(session, 'team', sport, source, other)) {
      const { history, current } = await session.states.get(teamDecider, id);
      // Only if the entry has exactly this name: two teams of a sport may share an abbreviation.
      const isNamedSo = current !== undefined && normalizeName(current.facts.name) === normalizeName(other);
      if (history.length === 0 && isNamedSo) stubs.add(id);
    }
  }
  return { id: stubs.size === 1 ? [...stubs][0] : undefined };
}

async function findPlayer(session: IngestSession, message: PlayerMessage): Promise<FoundEntry> {
  const { sport, source, ref, full_name, birthdate } = message;
  const bound = await session.identities.findEntity('player', sport, source, ref);
  if (bound !== undefined) return { id: bound };
  const candidates: number[] = [];
  for (const id of await findUnclaimed(session, 'player', sport, source, full_name)) {
    const born = (await session.states.get(playerDecider, id)).current?.facts.birthdate;
    if (born === undefined || birthdate === undefined || born === birthdate) candidates.push(id);
  }
  return candidates.length > 1
    ? quarantineAmbiguous('player', sport, full_name, candidates.length)
    : { id: candidates[0] };
}

const quarantineAmbiguous = (kind: Kind, sport: string, name: string, count: number) =>
  quarantineBecause(
    `${count} ${kind}s of ${sport} are known as ${name}`,
    identityKeyOf.name(kind, sport, normalizeName(name)),
  );

/** Entries of this name for which the source has no other ref: one source has one ref for one thing. */
export async function findUnclaimed(
  session: IngestSession,
  kind: Kind,
  sport: string,
  source: string,
  name: string,
): Promise<number[]> {
  const ids: number[] = [];
  for (const id of await session.identities.findByName(kind, sport, normalizeName(name))) {
    if (!(await session.identities.hasRefOf(kind, sport, source, id))) ids.push(id);
  }
  return ids;
}

/** The id of the entry, with the ref of the source bound to it. Allocates a new id if there is none. */
export async function ensureEntry(
  session: IngestSession,
  kind: Kind,
  sport: string,
  source: string,
  ref: string | undefined,
  found: number | undefined,
): Promise<number> {
  const id = found ?? (await session.identities.allocate(kind))[0]!;
  if (found === undefined) session.states.markNew(kind, id);
  if (ref !== undefined && (await session.identities.findEntity(kind, sport, source, ref)) !== id) {
    await session.identities.bindEntity(kind, sport, source, ref, id);
    session.noteKnown(identityKeyOf.entity(kind, sport, source, ref));
  }
  return id;
}

/** Stages the description of a team by a source, its names, and the changes in its events. */
export async function describeTeam(
  session: IngestSession,
  fact: DirectoryCommand<TeamContent>,
): Promise<readonly unknown[]> {
  const state = await session.states.get(teamDecider, fact.id);
  const before = state.standings;
  const events = await session.states.decideWithoutStaging(teamDecider, fact.id, fact);
  // A message that changes nothing, such as a later schedule, may still use a name that nobody has used before.
  const { facts } = fact.content;
  await learnNames(session, 'team', fact, [facts.name, facts.short_name, facts.abbreviation, ...(facts.aliases ?? [])]);
  const side = { kind: 'team', id: fact.id, source: fact.source } as const;
  if (events.length === 0) {
    // The source may have sent it before without getting an answer: some descriptions may be missing.
    if (fact.content.rank === 'described') session.pendingDescriptions.addSide(side);
    return events;
  }
  session.states.stage(teamDecider, fact.id, events);
  await describeInEvents(session, side, before, state.standings);
  return events;
}

export async function describePlayer(
  session: IngestSession,
  fact: DirectoryCommand<PlayerContent>,
): Promise<readonly unknown[]> {
  const state = await session.states.get(playerDecider, fact.id);
  const before = state.standings;
  const events = await session.states.decideWithoutStaging(playerDecider, fact.id, fact);
  // A message that changes nothing, such as a later schedule, may still use a name that nobody has used before.
  const { facts } = fact.content;
  await learnNames(session, 'player', fact, [facts.full_name, ...(facts.aliases ?? [])]);
  const side = { kind: 'player', id: fact.id, source: fact.source } as const;
  if (events.length === 0) {
    // As for a team. In team sports, players are not sides of events.
    if (fact.content.rank === 'described' && rulesOf(fact.sport).entry === 'player')
      session.pendingDescriptions.addSide(side);
    return events;
  }
  session.states.stage(playerDecider, fact.id, events);
  await describeInEvents(session, side, before, state.standings);
  return events;
}

/**
 * Reports every name and ref of the entry as known, also names that were known before: after a crash between the
 * identities and the log they are known, but the messages that wait for them were not retried.
 */
async function learnNames(
  session: IngestSession,
  kind: Kind,
  { id, sport, source, ref }: { id: number; sport: string; source: string; ref?: string },
  names: readonly (string | undefined)[],
): Promise<void> {
  for (const name of names) {
    if (name === undefined) continue;
    const normalized = normalizeName(name);
    await session.identities.addName(kind, sport, normalized, id);
    session.noteKnown(identityKeyOf.name(kind, sport, normalized));
  }
  if (ref !== undefined) session.noteKnown(identityKeyOf.entity(kind, sport, source, ref));
}

export const teamSubject = defineSubject({
  decider: teamDecider,
  messages: { team: { handle: handleTeam, lookups: entryLookups('team', teamDecider) } },
  replay: {
    TeamChanged({ data }) {
      const { at, source, sport, ref, content } = data;
      // A schedule named the team: the replayed schedule names it again.
      if (content.rank === 'named') return undefined;
      const { venue, ...facts } = content.facts;
      return { kind: 'team', source, at, sport, league: content.league, ref, ...facts, ...withoutId('venue', venue) };
    },
  },
});

export const playerSubject = defineSubject({
  decider: playerDecider,
  messages: { player: { handle: handlePlayer, lookups: entryLookups('player', playerDecider) } },
  replay: {
    PlayerChanged({ data }) {
      const { at, source, sport, ref, content } = data;
      // A schedule named the player: the replayed schedule names the player again.
      if (content.rank === 'named') return undefined;
      const { team_id: _, ...facts } = content.facts;
      const league = content.league === undefined ? {} : { league: content.league };
      return { kind: 'player', source, at, sport, ...league, ref, ...facts };
    },
  },
});
