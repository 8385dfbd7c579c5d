import { type EventState, eventDecider } from '../../../commands/events/event-decider.ts';
import { actOf, type FirstAct, type IdentityState, numberedActs } from '../../../commands/identity-decider.ts';
import type { Rejection } from '../../domain/feed/rejection.ts';
import { effectiveActs, type SourceRef, sourceRefKey } from '../../domain/identities/identity-plan.ts';
import { sourceRefOf } from '../../domain/identities/source-ref-of.ts';
import { identityActsOf } from '../../domain/identities/stream-replacements.ts';
import { timeOf } from '../../domain/observations/observation.ts';
import { HOUR } from '../../domain/primitives/time.ts';
import { type EventSide, isOver } from '../../domain/sports-events/sports-event.ts';
import type { DomainRecord } from '../../domain/streams/domain-events.ts';
import { streamsOfPartition } from '../../domain/streams/domain-events.ts';
import { areSidesSwapped } from '../binding/event-binding.ts';
import type { IngestSession } from '../binding/ingest-session.ts';
import { type ActRules, type ContentOf, refusal, refused } from './identity-act.ts';
import { findEventMergeOn, findMeeting, planEntryMerge } from './identity-entry-moves.ts';
import { findMeetingUnder, planEntrySplit } from './identity-entry-splits.ts';
import { anyRefOf, findNamed } from './identity-things.ts';
import { describeOtherSides } from './other-sides.ts';
import { planMerge } from './plan-merge.ts';

type Merge = ContentOf<'merge'>;
type Split = ContentOf<'split'>;
/** Acts that move records from one thing to another. `src/ingest/mending/` does them. */
export type MoveContent = Merge | Split;

export const isMove = (content: FirstAct): content is MoveContent =>
  content.action === 'merge' || content.action === 'split';

/** Two games that are over are hardly one if they began farther apart. */
const MAX_APART_WHEN_OVER = 36 * HOUR;

const replayed = { apply: async () => {}, revert: async () => {} };

/** `merge`: two events, teams or players are one. All that was reported of `from`, under all its refs, is `into`'s. */
export const mergeRules: ActRules<Merge> = {
  async plan(session, message) {
    const { what, force = false } = message;
    if (what === 'team' || what === 'player') return planEntryMerge(session, what, message);
    return planMerge(session, 'event', message, async (first, second) => {
      if (first.league !== second.league)
        return refused('different_league', 'into', `is of ${second.league}, ${first.id} is of ${first.league}`);
      const [one, other] = await Promise.all([first, second].map(({ id }) => session.states.get(eventDecider, id)));
      if (!haveSameSides(one!, other!))
        return refused(
          'different_sides',
          'into',
          describeOtherSides({ id: first.id, state: one! }, { id: second.id, state: other! }),
        );
      const apart = Math.abs(startOf(one!) - startOf(other!));
      if (!force && apart > MAX_APART_WHEN_OVER && isOver(one!.event.status) && isOver(other!.event.status))
        return refused('over_and_apart', 'into', 'both are over, and began more than 36 hours apart');
      return undefined;
    });
  },
  async refuseAgain(session, content, state) {
    const { what, from, into, sport } = content;
    const standing = refuseStanding(state, content);
    if (standing) return standing;
    if (what === 'event') {
      const [one, other] = await Promise.all([from, into].map((id) => session.states.get(eventDecider, id)));
      return haveSameSides(one!, other!) ? undefined : refusal('different_sides', 'act', 'they have other sides now');
    }
    const met = await findMeeting(session, what, sport, [from, into]);
    return met === undefined ? undefined : refusal('different_sides', 'act', `they have met in event ${met} since`);
  },
  refuseUndo,
  ...replayed,
};

/** `split`: what a source calls this ref is another event, team or player: one of its own, or `into`. */
export const splitRules: ActRules<Split> = {
  async plan(session, message) {
    if (message.what === 'team' || message.what === 'player') return planEntrySplit(session, message.what, message);
    const { source, ref } = message.source_ref!;
    const from = await findNamed(session, 'event', { source, ref }, 'source_ref');
    if ('rejection' in from) return from;
    const other = message.into === undefined ? undefined : await findNamed(session, 'event', message.into, 'into');
    if (other && 'rejection' in other) return other;
    if (other?.id === from.id) return 'known';
    const found = await lookUnder(session, from.id, { source, ref });
    // A ref without a schedule says no league: it may have been bound to an event of another one by mistake.
    if (other && found.sides && other.league !== from.league)
      return refused('different_league', 'into', `is of ${other.league}, ${from.id} is of ${from.league}`);
    if (other) {
      const sides = found.sides && areSidesSwapped(await session.states.get(eventDecider, other.id), found.sides);
      if (found.sides && sides === undefined)
        return refused(
          'different_sides',
          'into',
          `has other sides than ${source} tells of ${ref}. If two of them are one team, merge the teams first`,
        );
    } else if (!found.sides) {
      return refused('not_found', 'source_ref', `${source} has told no schedule of ${ref}: it would have no sides`);
    }
    if (!found.hasOthers)
      return refused('same', 'source_ref', `is all that event ${from.id} has. Merge it into another one instead`);
    const content: Split = {
      action: 'split',
      what: 'event',
      sourceRef: { source, ref },
      from: from.id,
      into: other?.id ?? (await session.identities.allocate('event'))[0]!,
      intoRef: other ? await anyRefOf(session, 'event', other) : null,
      sport: from.sport,
      league: from.league!,
    };
    return { content, moved: { records: found.records, refs: 1 } };
  },
  async refuseAgain(session, content, state) {
    const standing = refuseStanding(state, content);
    if (standing || content.what === 'event' || content.isNew) return standing;
    const { what, sourceRef, from, into, sport } = content;
    const met = await findMeetingUnder(session, what, sourceRef, { id: from, sport }, { id: into });
    return met === undefined ? undefined : refusal('different_sides', 'act', `they have met in event ${met} since`);
  },
  refuseUndo,
  ...replayed,
};

const startOf = ({ event }: EventState): number => (event.schedule ? timeOf(event.schedule.starts_at) : Number.NaN);

function haveSameSides(one: EventState, other: EventState): boolean {
  const sides = one.event.schedule?.sides;
  if (!sides) return false;
  const swapped = areSidesSwapped(other, [sides[0].key, sides[1].key]);
  if (swapped === undefined) return false;
  const others = other.event.schedule!.sides!;
  const [first, second] = swapped ? [others[1], others[0]] : others;
  const isSame = (a: string, b: string) => a === b || a.startsWith('name:') || b.startsWith('name:');
  return isSame(sides[0].key, first.key) && isSame(sides[1].key, second.key);
}

/** What an event has under a ref of a source, and whether it has a schedule under another one. */
async function lookUnder({ states }: IngestSession, id: number, { source, ref }: SourceRef) {
  let records = 0;
  let hasOthers = false;
  let sides: readonly [string, string] | undefined;
  const schedules = new Map<number, readonly [EventSide, EventSide]>();
  for (const stream of streamsOfPartition('event', id)) {
    for await (const page of states.recordsOf(stream)) {
      for (const record of page as readonly DomainRecord[]) {
        const own = sourceRefOf(record);
        const isUnder = own?.source === source && own.ref === ref;
        if (isUnder) records++;
        if (record.type === 'EventScheduled') schedules.set(record.revision, record.data.content.sides);
        const told = record.type === 'EventScheduled' ? record.revision : repeatedBy(record);
        const [first, second] = (told === undefined ? undefined : schedules.get(told)) ?? [];
        if (!first || !second) continue;
        if (isUnder) sides = [first.key, second.key];
        else hasOthers = true;
      }
    }
  }
  return { records, hasOthers, sides };
}

/** The record of the schedule that this one says again, by its revision. */
const repeatedBy = ({ type, data }: DomainRecord): number | undefined =>
  type === 'ScheduleReconfirmed' || type === 'ScheduleRepeated' ? data.of : undefined;

const actNumberOf = ({ acts }: IdentityState, content: MoveContent): number =>
  acts.findIndex((known) => known.content === content) + 1;

async function refuseUndo(
  session: IngestSession,
  content: MoveContent,
  state: IdentityState,
): Promise<Rejection | undefined> {
  const standing = refuseStanding(state, content);
  if (standing || content.what === 'event') return standing;
  const later = await findEventMergeOn(session, state, actNumberOf(state, content));
  return later === undefined ? undefined : refusal('stands_on', 'act', `act ${later} stands on it`);
}

/** An act that rests on this one would no longer be what was meant. */
function refuseStanding(state: IdentityState, content: MoveContent): Rejection | undefined {
  const later = laterAct(state, content, actNumberOf(state, content));
  return later === undefined ? undefined : refusal('stands_on', 'act', `act ${later} stands on it`);
}

/** The first act in force after `act` that is about one of the same things, or the same ref. */
function laterAct(state: IdentityState, content: MoveContent, act: number): number | undefined {
  const inForce = new Set(effectiveActs(identityActsOf(numberedActs(state), content.what)).map(({ id }) => Number(id)));
  const isSame = (other: FirstAct): boolean => {
    if (!isMove(other) || other.what !== content.what) return false;
    const ids = [other.from, other.into];
    const isSameRef =
      'sourceRef' in other &&
      'sourceRef' in content &&
      (content.what === 'event' || other.sport === content.sport) &&
      sourceRefKey(other.sourceRef) === sourceRefKey(content.sourceRef);
    return isSameRef || ids.includes(content.from) || ids.includes(content.into);
  };
  for (let later = act + 1; later <= state.acts.length; later++) {
    const other = actOf(state, later)!.content;
    if (inForce.has(later) && other.action !== 'undo' && isSame(other)) return later;
  }
  return undefined;
}
