import { type DirectoryCommand, teamDecider } from '../../../commands/directory-decider.ts';
import type { TeamContent, TeamFacts } from '../../domain/directory/directory-entries.ts';
import type { TeamMessage } from '../../domain/feed/feed-messages.ts';
import { normalizeName } from '../../domain/primitives/name-normalization.ts';
import { acceptedIfAny, type HandlingResult, type IngestSession } from '../binding/ingest-session.ts';
import { venueWithId } from '../binding/venue-ids.ts';
import {
  describeEntry,
  ensureEntry,
  entryLookups,
  type FoundEntry,
  findUnclaimed,
  quarantineAmbiguous,
} from './directory-entry.ts';
import { withoutId } from './replayed-message.ts';
import { defineSubject } from './subject.ts';

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

async function findTeam(session: IngestSession, message: TeamMessage): Promise<FoundEntry> {
  const { sport, source, ref, name, short_name, abbreviation, aliases = [] } = message;
  const bound = await session.identities.findEntity('team', sport, source, ref);
  if (bound !== undefined) return { id: bound };
  const byName = await findUnclaimed(session, 'team', sport, source, name);
  if (byName.length === 1) return { id: byName[0] };
  if (byName.length > 1) return quarantineAmbiguous('team', message, name, byName);
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

/** Stages the description of a team by a source, its names, and the changes in its events. */
export function describeTeam(session: IngestSession, fact: DirectoryCommand<TeamContent>): Promise<readonly unknown[]> {
  const { facts } = fact.content;
  const names = [facts.name, facts.short_name, facts.abbreviation, ...(facts.aliases ?? [])];
  return describeEntry(session, { kind: 'team', decider: teamDecider, names, isSide: true }, fact);
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
