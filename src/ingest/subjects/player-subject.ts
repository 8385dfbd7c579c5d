import { type DirectoryCommand, playerDecider } from '../../../commands/directory-decider.ts';
import { rulesOf } from '../../domain/catalogue/sport-rules.ts';
import type { PlayerContent } from '../../domain/directory/directory-entries.ts';
import type { PlayerMessage } from '../../domain/feed/feed-messages.ts';
import {
  acceptedIfAny,
  type HandlingResult,
  type IngestSession,
  identityKeyOf,
  quarantined,
} from '../binding/ingest-session.ts';
import {
  describeEntry,
  ensureEntry,
  entryLookups,
  type FoundEntry,
  findUnclaimed,
  quarantineAmbiguous,
} from './directory-entry.ts';
import { defineSubject } from './subject.ts';

/** A `player` message. Its team must be known by the id that the source itself uses. */
async function handlePlayer(session: IngestSession, message: PlayerMessage): Promise<HandlingResult> {
  const { kind, source, at, sport, league, ref, ...facts } = message;
  const { team_ref } = facts;
  let team: { team_id?: number } = {};
  if (team_ref !== undefined) {
    const id = await session.identities.findEntity('team', sport, source, team_ref);
    if (id === undefined) {
      return quarantined({
        reason: `${source} has no team ${team_ref} here yet`,
        code: 'unknown_ref',
        keys: [identityKeyOf.entity('team', sport, source, team_ref)],
      });
    }
    team = { team_id: id };
  }
  const found = await findPlayer(session, message);
  if ('cause' in found) return found;
  const content: PlayerContent = { rank: 'described', ...(league ? { league } : {}), facts: { ...facts, ...team } };
  const id = await ensureEntry(session, 'player', sport, source, ref, found.id);
  return acceptedIfAny(await describePlayer(session, { id, sport, ref, at, source, content }));
}

/** The player of a ref; else the only one of that name whose birthdate does not differ. */
async function findPlayer(session: IngestSession, message: PlayerMessage): Promise<FoundEntry> {
  const { sport, source, ref, full_name, birthdate } = message;
  const bound = await session.identities.findEntity('player', sport, source, ref);
  if (bound !== undefined) return { id: bound };
  const candidates: number[] = [];
  for (const id of await findUnclaimed(session, 'player', sport, source, full_name)) {
    const born = (await session.states.get(playerDecider, id)).current?.facts.birthdate;
    if (born === undefined || birthdate === undefined || born === birthdate) candidates.push(id);
  }
  return candidates.length > 1 ? quarantineAmbiguous('player', message, full_name, candidates) : { id: candidates[0] };
}

/** Stages the description of a player by a source, its names, and the changes in its events. */
export function describePlayer(
  session: IngestSession,
  fact: DirectoryCommand<PlayerContent>,
): Promise<readonly unknown[]> {
  const { facts } = fact.content;
  const names = [facts.full_name, ...(facts.aliases ?? [])];
  // In team sports, players are not sides of events.
  const isSide = rulesOf(fact.sport).entry === 'player';
  return describeEntry(session, { kind: 'player', decider: playerDecider, names, isSide }, fact);
}

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
