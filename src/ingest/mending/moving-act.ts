import { firstActOf, type IdentityState, identityDecider, numberedActs } from '../../../commands/identity-decider.ts';
import { advancePositions, type PartitionPositions } from '../../domain/event-sourcing/position.ts';
import type { IdentityMessage } from '../../domain/feed/feed-messages.ts';
import type { Rejection } from '../../domain/feed/rejection.ts';
import { connectedEvents, rootMove } from '../../domain/identities/connected-events.ts';
import { planOf } from '../../domain/identities/identity-plan.ts';
import { entryPlans, identityActsOf, type NumberedAct } from '../../domain/identities/stream-replacements.ts';
import { type ActContent, IDENTITY_STREAM_ID, type Moved } from '../../domain/streams/identity-stream.ts';
import { type EventLog, requireAllAppended } from '../../event-log/port/event-log.ts';
import { readReplacements } from '../../event-log/subscription/follow-replacements.ts';
import type { IngestSession } from '../binding/ingest-session.ts';
import type { Identities } from '../identities/identities.ts';
import type { StateSnapshots } from '../states/state-snapshots.ts';
import { isMove, type MoveContent } from '../subjects/identity-moves.ts';
import { commandOf, planAct } from '../subjects/identity-subject.ts';
import type { ReplayedMessage } from '../subjects/subject.ts';
import { countMoved } from './count-moved.ts';
import { EntryGroups, EntryHomes, entryOfPlans } from './entry-homes.ts';
import { EntryMoveReplay } from './entry-move-replay.ts';
import { EventsReplay } from './events-replay.ts';
import { finish } from './finish-move.ts';
import type { MoveReplay } from './move-replay.ts';
import { quarantineUnidentified, quarantineWaiting } from './quarantine-waiting.ts';
import { ReplayTarget } from './replay-target.ts';
import { SplitNameUses } from './split-name-uses.ts';

export interface MoveParts {
  readonly log: EventLog;
  /** As they are stored. */
  readonly identities: Identities;
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
  readonly moved: Moved;
  readonly act: number;
  /** The acts before this one. */
  readonly acts: readonly NumberedAct[];
  readonly replay: MoveReplay;
  /** Of a split of a team or player. */
  readonly nameUses: SplitNameUses | undefined;
  readonly suffix: string;
}

/**
 * Does an act that moves records: merges two events, teams or players, splits one, or takes that back.
 *
 * 1. What was reported of them is replayed into streams that nobody reads yet, while messages go on coming.
 * 2. While no message is handled, the rest is replayed, and the act is appended. This one append is the commit: before
 *    it, a crash leaves streams that are never read. The other order would show a thing in part.
 * 3. What has other streams is marked in the log, and refs are bound anew. After a crash before the end, `finishMove` does this
 *    part again at the next start, before any message is handled: a message under an old ref would go to an event that
 *    is no more.
 */
export async function moveRecords(parts: MoveParts, message: IdentityMessage): Promise<MoveOutcome> {
  for (let attempt = 1; ; attempt++) {
    const planned = await parts.inTurn(() => planMove(parts, message));
    if ('status' in planned) return planned;
    await replayMost(parts, planned.replay);
    const moved = await movedBy(parts.log, planned);
    const outcome = await parts.inTurn(() => commit(parts, message, { ...planned, moved }));
    if (outcome) return outcome;
    if (attempt === MAX_ATTEMPTS) throw new Error('identities: other acts came in between, again and again');
  }
}

/** An undo moves back what was told meanwhile too. */
async function movedBy(log: EventLog, { content, act, acts, moved }: PlannedMove): Promise<Moved> {
  const isCounted = content.action === 'undo' && rootMove([...acts, { act, content }], { content }) !== undefined;
  return isCounted ? { ...moved, records: await countMoved(log, acts, { act, content }) } : moved;
}

async function planMove(parts: MoveParts, message: IdentityMessage): Promise<PlannedMove | MoveOutcome> {
  const { log, newSession } = parts;
  const session = newSession();
  const state = await session.states.reload(identityDecider, IDENTITY_STREAM_ID);
  await readReplacements(log);
  const planned = await planAct(session, message, state);
  if (planned === 'known') return { status: 'unchanged' };
  if ('rejection' in planned) return { status: 'rejected', rejection: planned.rejection };
  const { content, moved } = planned;
  const act = state.acts.length + 1;
  // No other attempt has this suffix: it has written something since, or nothing at all.
  const suffix = String((await log.head()) ?? 0);
  const acts = numberedActs(state);
  const opened = await openReplay(parts, { before: acts, added: { act, content }, suffix }, rootOf(content, state));
  return { content, moved, act, acts, suffix, ...opened };
}

type OpenedReplay = Pick<PlannedMove, 'replay' | 'nameUses'>;

interface ReplayedAct {
  readonly before: readonly NumberedAct[];
  readonly added: NumberedAct;
  readonly suffix: string;
}

async function openReplay(
  { log, identities, snapshots }: MoveParts,
  { before, added, suffix }: ReplayedAct,
  root: MoveContent,
): Promise<OpenedReplay> {
  const acts = [...before, added];
  const groups = new EntryGroups(acts.map(({ content }) => content));
  const homes = await EntryHomes.load(identities, groups);
  const after = entryOfPlans(homes, entryPlans(acts));
  const plan = planOf(identityActsOf(acts, 'event'));
  if (root.what === 'event') {
    const events = connectedEvents(acts, [root.from, root.into]);
    const entryOf = groups.isEmpty ? undefined : after;
    const replay = new EventsReplay(log, new ReplayTarget(log, suffix, snapshots), { plan, events, entryOf });
    return { replay, nameUses: undefined };
  }
  const meantBefore = entryOfPlans(homes, entryPlans(before));
  // An undo that does the split again has its names already.
  const isSplit = root.action === 'split' && added.content === root;
  const nameUses = isSplit ? new SplitNameUses({ ...root, kind: root.what }, meantBefore) : undefined;
  const replay = new EntryMoveReplay(
    { log, identities, snapshots },
    {
      kind: root.what,
      sport: root.sport,
      entries: groups.members(root.what, root.into),
      groups,
      before: meantBefore,
      after,
      events: plan,
      connectedTo: (event) => connectedEvents(acts, [event]),
      suffix,
      ...(nameUses ? { noteReport: (report) => nameUses.note(report) } : {}),
    },
  );
  return { replay, nameUses };
}

function rootOf(content: ActContent, state: IdentityState): MoveContent {
  const first = firstActOf(state, content);
  if (!isMove(first)) throw new Error(`act ${first.action} moves no records`);
  return first;
}

async function replayMost({ log }: MoveParts, replay: MoveReplay): Promise<void> {
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
  { content, moved, act, suffix, replay, nameUses }: PlannedMove,
): Promise<MoveOutcome | undefined> {
  const { log, newSession } = parts;
  const session = newSession();
  const { states, identities } = session;
  const state = await states.reload(identityDecider, IDENTITY_STREAM_ID);
  if (state.acts.length + 1 !== act) return undefined;
  await replay.through((await log.head())!);
  await quarantineWaiting(log, session, replay.waiting);
  await quarantineUnidentified(log, session, replay.unidentified);
  await identities.flush();
  const replacement = { suffix, ...replay.replaced };
  const named = nameUses ? ({ ...content, names: nameUses.names } as ActContent) : content;
  const command = { ...commandOf(message, { content: named, moved }), replacement };
  await states.decide(identityDecider, IDENTITY_STREAM_ID, command);
  const [outcome] = requireAllAppended(await log.appendAll(states.takeStaged()));
  const positions = new Map<string, bigint>();
  if (outcome!.position !== null) positions.set(`identity-${IDENTITY_STREAM_ID}`, outcome!.position);
  const finished = await finish(parts, { act, at: message.at, replacement });
  advancePositions(positions, finished.positions);
  const missed = await replay.missedUntil((await log.head())!);
  return { status: 'accepted', positions, keys: finished.keys, missed };
}
