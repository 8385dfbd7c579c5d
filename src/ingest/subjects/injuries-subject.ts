import { firstKnownAt, playerDecider } from '../../../commands/directory-decider.ts';
import { eventDecider } from '../../../commands/events/event-decider.ts';
import { injuriesDecider, type KnownPlayer } from '../../../commands/injuries-decider.ts';
import type { InjuryMessage } from '../../domain/feed/feed-messages.ts';
import { normalizeName } from '../../domain/primitives/name-normalization.ts';
import {
  acceptedIfAny,
  type HandlingResult,
  type IngestSession,
  identityKeyOf,
  unclearName,
} from '../binding/ingest-session.ts';
import { findUnclaimed } from './directory-entry.ts';
import { eventLookups, withEvent } from './event-message.ts';
import { findNamedTeam } from './named-team.ts';
import { defineSubject } from './subject.ts';

/**
 * An `injury` message: the availability of one player. The team must be known. If the directory has no such player, or
 * several, the player stays a name until it can be identified without guessing.
 */
async function handleInjury(session: IngestSession, message: InjuryMessage): Promise<HandlingResult> {
  const { player, sport, status } = message;
  if (player === undefined || sport === undefined || status === undefined)
    return handleInjuriesChecked(session, message);
  const team = await findNamedTeam(session, message, sport);
  if (typeof team !== 'number') return { status: 'quarantined', cause: team };
  const identified = await findInjuredPlayer(session, message, { sport, player, team });
  const { at, source, body_part, note, source_url } = message;
  const content = {
    player,
    status,
    ...(body_part === undefined ? {} : { body_part }),
    ...(note === undefined ? {} : { note }),
    ...(source_url === undefined ? {} : { source_url }),
  };
  const name = normalizeName(player);
  const { league = '', team: named, team_ref, player_ref } = message;
  const origin = {
    league,
    ...(named === undefined ? {} : { team: named }),
    ...(team_ref === undefined ? {} : { team_ref }),
    ...(player_ref === undefined ? {} : { player_ref }),
  };
  const fact = { teamId: team, sport, identified, name, at, source, content, origin };
  const events = await session.states.decide(injuriesDecider, team, fact);
  // A throttled report is in quarantine already, with the message that it repeats.
  const isThrottled = events.length === 0 && session.states.throttleMs > 0;
  if (identified !== null || isThrottled) return acceptedIfAny(events);
  const quarantineCause = unclearName(
    'player',
    sport,
    player,
    [],
    [
      identityKeyOf.name('player', sport, name),
      ...(player_ref === undefined ? [] : [identityKeyOf.entity('player', sport, source, player_ref)]),
    ],
  );
  return { ...acceptedIfAny(events), quarantineCause };
}

/** `checked: true` without a player: the source checked this event and found nothing new. */
function handleInjuriesChecked(session: IngestSession, message: InjuryMessage): Promise<HandlingResult> {
  return withEvent(session, message, async (_, identity) => {
    const { source, at } = message;
    const { origin } = identity;
    const fact = { kind: 'injuries checked', identity, at, source, ...(origin ? { origin } : {}) } as const;
    return acceptedIfAny(await session.states.decide(eventDecider, identity.eventId, fact));
  });
}

async function findInjuredPlayer(
  session: IngestSession,
  { player_ref, source }: InjuryMessage,
  { sport, player, team }: { sport: string; player: string; team: number },
): Promise<KnownPlayer | null> {
  if (player_ref !== undefined) {
    const bound = await session.identities.findEntity('player', sport, source, player_ref);
    if (bound !== undefined) return toKnownPlayer(session, bound);
  }
  const ids =
    player_ref === undefined
      ? await session.identities.findByName('player', sport, normalizeName(player))
      : await findUnclaimed(session, 'player', sport, source, player);
  const fitting: number[] = [];
  for (const id of ids) {
    const teamId = (await session.states.get(playerDecider, id)).current?.facts.team_id;
    // A player of the same name in another team is a different player.
    if (teamId === undefined || teamId === team) fitting.push(id);
  }
  if (fitting.length !== 1) return null;
  if (player_ref !== undefined) {
    await session.identities.bindEntity('player', sport, source, player_ref, fitting[0]!);
    session.noteKnown(identityKeyOf.entity('player', sport, source, player_ref));
  }
  return toKnownPlayer(session, fitting[0]!);
}

async function toKnownPlayer(session: IngestSession, id: number): Promise<KnownPlayer> {
  return { id, at: firstKnownAt(await session.states.get(playerDecider, id)) };
}

export const injuriesSubject = defineSubject({
  decider: injuriesDecider,
  messages: { injury: { handle: handleInjury, lookups: eventLookups() } },
  replay: {
    InjuryReported({ data }) {
      const { at, source, sport, content, origin } = data;
      return { kind: 'injury', source, at, sport, ...origin, ...content };
    },
  },
});
