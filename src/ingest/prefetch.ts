import { findLeague, seasonId, seasonYear } from '../domain/catalogue.ts';
import type { FeedMessage } from '../domain/feed/messages.ts';
import { normalizeName, normalizePair } from '../domain/names.ts';
import { timeOf } from '../domain/observation.ts';
import type { EntityKind } from '../identities/identities.ts';
import { directoryKind, pairOf } from './binding.ts';
import type { Session } from './session.ts';
import type { Subject } from './stream-states.ts';

/** Which streams a message's handler asks for, once its event is known. */
const STREAMS: Partial<Record<FeedMessage['kind'], Subject>> = {
  odds: 'odds',
  splits: 'splits',
  box: 'box',
  lineup: 'lineup',
};

/**
 * Loads in a few queries what a batch of messages will look up one by one. Only speed hangs on it: what is not
 * foreseen here is looked up when it is needed.
 */
export async function prefetchFor(session: Session, messages: readonly FeedMessage[]): Promise<void> {
  const hints = {
    events: [] as { source: string; ref: string }[],
    entities: [] as { kind: EntityKind; scope: string; source: string; ref: string }[],
    names: [] as { kind: EntityKind; scope: string; name: string }[],
    pairs: [] as string[],
  };
  for (const message of newSubjects(messages)) {
    const { source } = message;
    if (message.kind === 'team' || message.kind === 'player') {
      const { kind, sport, ref } = message;
      hints.entities.push({ kind, scope: sport, source, ref });
      hints.names.push({ kind, scope: sport, name: normalizeName(kind === 'team' ? message.name : message.full_name) });
      continue;
    }
    if (message.ref !== undefined) hints.events.push({ source, ref: message.ref });
    if (message.kind === 'schedule') {
      for (const [namer, name] of Object.entries(message.refs ?? {})) hints.events.push({ source: namer, ref: name });
      const kind = directoryKind(message.sport);
      for (const participant of message.participants.flatMap((side) => side.members ?? [side])) {
        if (participant.ref !== undefined)
          hints.entities.push({ kind, scope: message.sport, source, ref: participant.ref });
        hints.names.push({ kind, scope: message.sport, name: normalizeName(participant.name) });
      }
    } else if (message.match) {
      for (const name of matchNames(message.match)) {
        hints.names.push({
          kind: directoryKind(message.match.sport),
          scope: message.match.sport,
          name: normalizeName(name),
        });
      }
    }
  }
  await session.identities.prefetch(hints);
  await session.identities.prefetch({ events: [], entities: [], names: [], pairs: await pairsOf(session, messages) });
  await session.states.prefetch(await streamsOf(session, messages));
}

/** Without those that ask for the same as the one before: the prices of one event mostly come together. */
function* newSubjects(messages: readonly FeedMessage[]): Generator<FeedMessage> {
  let before: FeedMessage | undefined;
  for (const message of messages) {
    const same =
      before?.kind === 'odds' &&
      message.kind === 'odds' &&
      before.source === message.source &&
      before.ref === message.ref &&
      before.match === message.match;
    if (!same) yield message;
    before = message;
  }
}

const matchNames = (match: {
  home?: string | undefined;
  away?: string | undefined;
  player_1?: string | undefined;
  player_2?: string | undefined;
}) => [match.home ?? match.player_1, match.away ?? match.player_2].filter((name) => name !== undefined);

/** The two names by which a message names its event's sides, if it does. */
function namedSides(message: FeedMessage): { sport?: string; names: readonly string[] } {
  if (message.kind === 'schedule') return { sport: message.sport, names: message.participants.map(({ name }) => name) };
  if (message.kind === 'team' || message.kind === 'player' || !message.match) return { names: [] };
  return { sport: message.match.sport, names: matchNames(message.match) };
}

async function pairsOf(session: Session, messages: readonly FeedMessage[]): Promise<string[]> {
  const pairs: string[] = [];
  for (const message of newSubjects(messages)) {
    const { sport, names } = namedSides(message);
    if (sport === undefined || names.length !== 2) continue;
    const keys: string[] = [];
    for (const name of names as [string, string]) {
      if (sport === 'tennis' && name.includes('/')) keys.push(`pair:${normalizePair(name)}`);
      else {
        const kind = directoryKind(sport);
        const ids = await session.identities.findByName(kind, sport, normalizeName(name));
        if (ids.length === 1) keys.push(`${kind}:${ids[0]}`);
      }
    }
    const pair = keys.length === 2 ? pairOf(keys[0]!, keys[1]!) : null;
    if (pair !== null) pairs.push(pair);
  }
  return pairs;
}

async function streamsOf(session: Session, messages: readonly FeedMessage[]): Promise<(readonly [Subject, number])[]> {
  const streams: (readonly [Subject, number])[] = [];
  for (const message of newSubjects(messages)) {
    if (message.kind === 'team' || message.kind === 'player') {
      const id = await session.identities.findEntity(message.kind, message.sport, message.source, message.ref);
      if (id !== undefined) streams.push([message.kind, id]);
      continue;
    }
    if (message.kind === 'schedule') {
      const league = findLeague(message.league)!;
      streams.push(['season', seasonId(league, message.season?.year ?? seasonYear(league, timeOf(message.starts_at)))]);
      const kind = directoryKind(message.sport);
      for (const { name } of message.participants) {
        for (const id of await session.identities.findByName(kind, message.sport, normalizeName(name)))
          streams.push([kind, id]);
      }
    }
    const bound =
      message.ref === undefined ? undefined : await session.identities.findEvent(message.source, message.ref);
    if (!bound) continue;
    streams.push(['event', bound.id]);
    const own = STREAMS[message.kind];
    if (own) streams.push([own, bound.id]);
  }
  return streams;
}
