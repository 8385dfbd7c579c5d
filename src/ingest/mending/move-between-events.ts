import { eventDecider } from '../../../commands/events/event-decider.ts';
import { firstActOf, type IdentityState, identityDecider } from '../../../commands/identity-decider.ts';
import { advancePositions, type PartitionPositions } from '../../domain/event-sourcing/position.ts';
import { isReplayed } from '../../domain/event-sourcing/record.ts';
import { createEvent } from '../../domain/event-sourcing/stream-kind.ts';
import type { IdentityMessage } from '../../domain/feed/feed-messages.ts';
import { OPERATOR } from '../../domain/feed/identity-message.ts';
import type { Rejection } from '../../domain/feed/rejection.ts';
import { planOf } from '../../domain/identities/identity-plan.ts';
import { sourceRefOf } from '../../domain/identities/source-ref-of.ts';
import { identityActsOf, replacementStream, suffixOf } from '../../domain/identities/stream-replacements.ts';
import { canonicalJson, fingerprint } from '../../domain/primitives/canonical-json.ts';
import type { DomainRecord, EventIdentity } from '../../domain/streams/domain-events.ts';
import { type ActContent, IDENTITY_STREAM_ID } from '../../domain/streams/identity-stream.ts';
import { eventStream } from '../../domain/streams/stream-definitions.ts';
import { ConflictError, type EventLog, requireAllAppended } from '../../event-log/port/event-log.ts';
import { readReplacements } from '../../event-log/subscription/follow-replacements.ts';
import { pairKeyOf } from '../binding/event-binding.ts';
import { type IngestSession, identityKeyOf } from '../binding/ingest-session.ts';
import { IdentityConflict } from '../identities/identities.ts';
import { positionsOf } from '../states/append-in-chunks.ts';
import type { StateSnapshots } from '../states/state-snapshots.ts';
import { isMove, type MoveContent } from '../subjects/identity-moves.ts';
import { commandOf, planAct } from '../subjects/identity-subject.ts';
import type { ReplayedMessage } from '../subjects/subject.ts';
import { createRecordFinder, replayedMessagesOf } from '../subjects/subjects.ts';
import { EventsReplay } from './events-replay.ts';
import { bindRefsAnew } from './refs-of-events.ts';

export interface MoveParts {
  readonly log: EventLog;
  readonly snapshots: StateSnapshots | undefined;
  /** The context of a batch that shares nothing with another one. */
  readonly newSession: () => IngestSession;
  /** Runs the work while no message is handled. */
  readonly inTurn: <Result>(work: () => Promise<Result>) => Promise<Result>;
}

export type MoveOutcome =
  | {
      readonly status: 'accepted';
      readonly positions: PartitionPositions;
      /** Keys that quarantined messages may wait for. */
      readonly keys: readonly string[];
      /** Messages that other processes have recorded in the former streams at the last moment: nobody reads them there. */
      readonly missed: readonly ReplayedMessage[];
    }
  | { readonly status: 'unchanged' }
  | { readonly status: 'rejected'; readonly rejection: Rejection };

/** Records that are left for the last round, in which no message is handled: some milliseconds of work. */
const MAX_LAST_ROUND = 200n;
/** More rounds than a feed can outrun. */
const MAX_ROUNDS = 20;
const MAX_ATTEMPTS = 5;

interface PlannedMove {
  readonly content: ActContent;
  readonly moved: { readonly records: number; readonly refs: number };
  readonly act: number;
  /** Events whose streams are replaced. */
  readonly events: readonly number[];
  readonly replay: EventsReplay;
  readonly suffix: string;
}

/**
 * Does an act that moves records from event to event: merges two events, splits one, or takes that back.
 *
 * 1. What was reported of the events is replayed into streams that nobody reads yet, while messages go on coming.
 * 2. While no message is handled, the rest is replayed, and the act is appended. This one append is the commit: before
 *    it, a crash leaves streams that are never read. The other order would show an event in part.
 * 3. The events are marked in the log, and the refs bound anew. After a crash before the end, `finishMove` does this
 *    part again at the next start, before any message is handled: a message under an old ref would go to an event that
 *    is no more.
 */
export async function moveBetweenEvents(parts: MoveParts, message: IdentityMessage): Promise<MoveOutcome> {
  for (let attempt = 1; ; attempt++) {
    const planned = await parts.inTurn(() => planMove(parts, message));
    if ('status' in planned) return planned;
    await replayMost(parts, planned.replay);
    const outcome = await parts.inTurn(() => commit(parts, message, planned));
    if (outcome) return outcome;
    if (attempt === MAX_ATTEMPTS) throw new Error('identities: other acts came in between, again and again');
  }
}

async function planMove(
  { log, snapshots, newSession }: MoveParts,
  message: IdentityMessage,
): Promise<PlannedMove | MoveOutcome> {
  const session = newSession();
  const state = await session.states.reload(identityDecider, IDENTITY_STREAM_ID);
  await readReplacements(log);
  const planned = await planAct(session, message, state);
  if (planned === 'known') return { status: 'unchanged' };
  if ('rejection' in planned) return { status: 'rejected', rejection: planned.rejection };
  const { content, moved } = planned;
  const root = rootOf(content, state);
  const act = state.acts.length + 1;
  const acts = [...actsOf(state), { act, content }];
  const events = connectedTo(acts, [root.from, root.into]);
  // No other attempt has this suffix: it has written something since, or nothing at all.
  const suffix = String((await log.head()) ?? 0);
  const plan = planOf(identityActsOf(acts, 'event'));
  return {
    content,
    moved,
    act,
    events,
    suffix,
    replay: new EventsReplay(log, { plan, events, suffix }, snapshots),
  };
}

const actsOf = ({ acts }: IdentityState) => acts.map(({ content }, index) => ({ act: index + 1, content }));

function rootOf(content: ActContent, state: IdentityState): MoveContent {
  const first = firstActOf(state, content);
  if (!isMove(first)) throw new Error(`act ${first.action} moves no records`);
  return first;
}

/** All events between which acts have ever moved records, directly or through others. */
function connectedTo(acts: readonly { readonly content: ActContent }[], seeds: readonly number[]): readonly number[] {
  const found = new Set(seeds);
  for (let size = 0; size !== found.size; ) {
    size = found.size;
    for (const { content } of acts) {
      if (content.action !== 'merge' && content.action !== 'split') continue;
      const ends = [content.from, content.into];
      if (ends.some((id) => found.has(id))) for (const id of ends) found.add(id);
    }
  }
  return [...found].sort((a, b) => a - b);
}

async function replayMost({ log }: MoveParts, replay: EventsReplay): Promise<void> {
  let before = 0n;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const head = await log.head();
    if (head === null) return;
    const own = BigInt(replay.records);
    await replay.through(head);
    // What this has written itself is nothing that is left.
    const written = BigInt(replay.records) - own;
    if (round > 0 && head - before - written <= MAX_LAST_ROUND) return;
    before = head;
  }
}

/** @returns undefined if another act came in between */
async function commit(
  parts: MoveParts,
  message: IdentityMessage,
  { content, moved, act, events, suffix, replay }: PlannedMove,
): Promise<MoveOutcome | undefined> {
  const { log, newSession } = parts;
  const session = newSession();
  const { states, identities } = session;
  const state = await states.reload(identityDecider, IDENTITY_STREAM_ID);
  if (state.acts.length + 1 !== act) return undefined;
  await replay.through((await log.head())!);
  await quarantineWaiting(parts, session, replay.waiting);
  await identities.flush();
  const command = { ...commandOf(message, { content, moved }), replacement: { suffix, events } };
  await states.decide(identityDecider, IDENTITY_STREAM_ID, command);
  const [outcome] = requireAllAppended(await log.appendAll(states.takeStaged()));
  const positions = new Map<string, bigint>();
  if (outcome!.position !== null) positions.set(`identity-${IDENTITY_STREAM_ID}`, outcome!.position);
  const finished = await finish(parts, { act, at: message.at, events, suffix });
  advancePositions(positions, finished.positions);
  const missed = await replay.missedUntil((await log.head())!);
  return { status: 'accepted', positions, keys: finished.keys, missed };
}

interface CommittedMove {
  readonly act: number;
  readonly at: string;
  readonly events: readonly number[];
  readonly suffix: string;
}

/** Marks the events in the log, and binds the refs anew. May be done again. */
async function finish(
  { log, newSession }: MoveParts,
  { act, at, events, suffix }: CommittedMove,
): Promise<{ readonly positions: PartitionPositions; readonly keys: readonly string[] }> {
  await readReplacements(log);
  const session = newSession();
  const { states, identities } = session;
  for (const id of events) {
    const stream = replacementStream(`event-${id}`, suffix);
    if (await isMarked(log, stream)) continue;
    const identity = await identityOf(log, id);
    // The state of the event is not held before: it is loaded by the name that the act has given its stream.
    await states.get(eventDecider, id);
    const names = log.replacements.allOf(`event-${id}`);
    const previous = suffixOf(names[names.indexOf(stream) - 1]!);
    states.stage(eventDecider, id, [
      createEvent(eventStream, id, 'EventRestated', { at, source: OPERATOR, act, suffix, previous, ...identity }),
    ]);
  }
  const appends = states.takeStaged();
  const outcomes = await log.appendAll(appends);
  requireAllAppended(outcomes);
  const keys = await bindRefsAnew({ ...newSession(), identities }, log.replacements, events);
  await identities.flush();
  return { positions: positionsOf(appends, outcomes), keys };
}

/** What a person mended before a crash came: the last act that moved records may not be finished. */
export async function finishMove(parts: MoveParts): Promise<readonly string[]> {
  const { log } = parts;
  await readReplacements(log);
  const last = log.replacements.lastMove;
  if (!last) return [];
  const { act, replacement, at } = last;
  for (let attempt = 1; ; attempt++) {
    try {
      return (await parts.inTurn(() => finish(parts, { act, at, ...replacement }))).keys;
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
    if (page.some(({ type }) => type === 'EventRestated')) return true;
    const last = page.at(-1);
    if (!last || last.revision === 0 || isReplayed(last)) return false;
    from = { fromRevision: last.revision - 1 };
  }
}

/** Sport and league of an event, from the first record that it ever had. */
async function identityOf(log: EventLog, id: number): Promise<EventIdentity> {
  for (const stream of log.replacements.allOf(`event-${id}`)) {
    const [first] = (await log.readStream(stream, { limit: 1 })) as readonly DomainRecord[];
    if (first && 'eventId' in first.data) return { eventId: id, sport: first.data.sport, league: first.data.league };
  }
  throw new Error(`event ${id} has never had a record`);
}

/**
 * What was reported of an event that has no schedule any more waits for one, as if it had come before. A message is put
 * here before the act is in the log: the other order would lose it in a crash.
 */
async function quarantineWaiting(
  { log }: MoveParts,
  { identities, states }: IngestSession,
  waiting: ReadonlyMap<number, readonly DomainRecord[]>,
): Promise<void> {
  const find = createRecordFinder(log);
  for (const [id, records] of waiting) {
    const [first, second] = (await states.get(eventDecider, id)).event.schedule?.sides ?? [];
    const pair = first && second ? pairKeyOf(first.key, second.key) : null;
    for (const record of records) {
      for (const message of await replayedMessagesOf(record, find)) {
        const named = sourceRefOf(record);
        const keys = [
          ...(named ? [identityKeyOf.event(named.source, named.ref)] : []),
          ...(pair === null ? [] : [identityKeyOf.pair(pair)]),
        ];
        await identities.quarantine({
          fingerprint: fingerprint(canonicalJson(message)),
          message,
          reason: 'its event has no schedule since an act on identities',
          code: named ? 'unknown_ref' : 'unknown_event',
          candidates: [],
          keys,
          receivedAt: record.recordedAt,
          accepted: false,
        });
      }
    }
  }
}
