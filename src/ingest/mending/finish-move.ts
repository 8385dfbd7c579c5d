import { playerDecider, teamDecider } from '../../../commands/directory-decider.ts';
import { eventDecider } from '../../../commands/events/event-decider.ts';
import type { PartitionPositions } from '../../domain/event-sourcing/position.ts';
import { isReplayed } from '../../domain/event-sourcing/record.ts';
import type { StreamDecider } from '../../domain/event-sourcing/stream-decider.ts';
import { createEvent } from '../../domain/event-sourcing/stream-kind.ts';
import { type IdentitySubject, OPERATOR } from '../../domain/feed/identity-message.ts';
import { replacementStream, suffixOf } from '../../domain/identities/stream-replacements.ts';
import type { DomainEvent, DomainEventData, EventIdentity } from '../../domain/streams/domain-events.ts';
import type { StreamReplacement } from '../../domain/streams/identity-stream.ts';
import { eventStream, playerStream, teamStream } from '../../domain/streams/stream-definitions.ts';
import { ConflictError, type EventLog, requireAllAppended } from '../../event-log/port/event-log.ts';
import { readReplacements } from '../../event-log/subscription/follow-replacements.ts';
import { yieldToEventLoop } from '../../platform/async/yield-to-event-loop.ts';
import { type IngestSession, identityKeyOf } from '../binding/ingest-session.ts';
import { IdentityConflict } from '../identities/identities.ts';
import { positionsOf } from '../states/append-in-chunks.ts';
import { bindRefsAnew } from './refs-of-events.ts';

const MAX_ATTEMPTS = 5;

interface FinishParts {
  readonly log: EventLog;
  /** The context of a batch that shares nothing with another one. */
  readonly newSession: () => IngestSession;
  /** Runs the work while no message is handled. */
  readonly inTurn: <Result>(work: () => Promise<Result>) => Promise<Result>;
}

interface CommittedMove {
  readonly act: number;
  readonly at: string;
  readonly replacement: StreamReplacement;
}

/** Marks what has other streams in the log, and binds the refs anew. May be done again. */
export async function finish(
  { log, newSession }: FinishParts,
  { act, at, replacement }: CommittedMove,
): Promise<{ readonly positions: PartitionPositions; readonly keys: readonly string[] }> {
  await readReplacements(log);
  const session = newSession();
  const { states, identities } = session;
  const { suffix, events, teams = [], players = [] } = replacement;
  const markers = [
    ...events.map((id) => ({ id, ...MARKERS.event })),
    ...teams.map((id) => ({ id, ...MARKERS.team })),
    ...players.map((id) => ({ id, ...MARKERS.player })),
  ];
  for (const { id, decider, mark } of markers) {
    const plain = `${decider.stream.name}-${id}`;
    const stream = replacementStream(plain, suffix);
    await yieldToEventLoop();
    if (await isMarked(log, stream)) continue;
    // Its state is not held before: it is loaded by the name that the act has given its stream.
    await states.get(decider, id);
    const names = log.replacements.allOf(plain);
    const previous = suffixOf(names[names.indexOf(stream) - 1]!);
    const said = { at, source: OPERATOR, act, suffix, previous };
    states.stage(decider, id, [mark(id, said, await firstDataOf(log, plain))]);
  }
  const appends = states.takeStaged();
  const outcomes = await log.appendAll(appends);
  requireAllAppended(outcomes);
  const fresh = { ...newSession(), identities };
  const keys = [
    ...(await bindRefsAnew(fresh, log.replacements, events)),
    ...(await keysOfEntries(fresh, 'team', teams)),
    ...(await keysOfEntries(fresh, 'player', players)),
  ];
  await identities.flush();
  // Events may have other sides since: what was looked up by their former ones is forgotten.
  if (teams.length + players.length > 0) await identities.reset();
  return { positions: positionsOf(appends, outcomes), keys: [...new Set(keys)] };
}

type Said = Omit<DomainEventData['EventRestated'], keyof EventIdentity>;

/** How a thing is marked from which on others streams hold its records. */
interface Marker {
  readonly decider: StreamDecider;
  /** @param first what its first record says */
  readonly mark: (id: number, said: Said, first: any) => DomainEvent;
}

const MARKERS: Readonly<Record<IdentitySubject, Marker>> = {
  event: {
    decider: eventDecider,
    mark: (eventId, said, { sport, league }) =>
      createEvent(eventStream, eventId, 'EventRestated', { ...said, eventId, sport, league }),
  },
  team: {
    decider: teamDecider,
    mark: (teamId, said, { sport }) => createEvent(teamStream, teamId, 'TeamRestated', { ...said, teamId, sport }),
  },
  player: {
    decider: playerDecider,
    mark: (playerId, said, { sport }) =>
      createEvent(playerStream, playerId, 'PlayerRestated', { ...said, playerId, sport }),
  },
};

/** All keys under which messages may have waited for these entries. */
async function keysOfEntries(
  { identities, states, meaningOf }: IngestSession,
  kind: 'team' | 'player',
  ids: readonly number[],
): Promise<readonly string[]> {
  const keys: string[] = [];
  for (const id of ids) {
    // What was merged into another has no records of its own, but its names.
    const meant = meaningOf(kind, id);
    const { sport } = await (kind === 'team' ? states.get(teamDecider, meant) : states.get(playerDecider, meant));
    if (sport === undefined) continue;
    const thing = { kind, scope: sport, id };
    const [[refs], [names]] = [await identities.listRefs([thing]), await identities.listNames([thing])];
    for (const { source, ref } of refs!) keys.push(identityKeyOf.entity(kind, sport, source, ref));
    for (const name of names!) keys.push(identityKeyOf.name(kind, sport, name));
  }
  return keys;
}

/** What a person mended before a crash came: the last act that moved records may not be finished. */
export async function finishMove(parts: FinishParts): Promise<readonly string[]> {
  const { log } = parts;
  await readReplacements(log);
  const last = log.replacements.lastMove;
  if (!last) return [];
  const { act, replacement, at } = last;
  for (let attempt = 1; ; attempt++) {
    try {
      return (await parts.inTurn(() => finish(parts, { act, at, replacement }))).keys;
    } catch (error) {
      // Another process finishes it too.
      const isConflict = error instanceof ConflictError || error instanceof IdentityConflict;
      if (!isConflict || attempt === MAX_ATTEMPTS) throw error;
    }
  }
}

/** Whether the stream has the record that says so. What it has before is replayed, and nothing after it. */
async function isMarked(log: EventLog, stream: string): Promise<boolean> {
  for (let from: { readonly fromRevision: number } | undefined; ; ) {
    const page = await log.readStream(stream, { direction: 'backwards', limit: 256, ...from });
    if (page.some(({ type }) => type.endsWith('Restated'))) return true;
    const last = page.at(-1);
    if (!last || last.revision === 0 || isReplayed(last)) return false;
    from = { fromRevision: last.revision - 1 };
  }
}

/** What the first record says that the thing ever had. */
async function firstDataOf(log: EventLog, plain: string): Promise<unknown> {
  for (const stream of log.replacements.allOf(plain)) {
    const [first] = await log.readStream(stream, { limit: 1 });
    if (first && !first.type.endsWith('Restated')) return first.data;
  }
  throw new Error(`${plain} has never had a record`);
}
