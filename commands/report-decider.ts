import { type Decider, NEEDS_HISTORY, type StreamDecider } from '../src/domain/event-sourcing/stream-decider.ts';
import { createEvent, type StreamKind } from '../src/domain/event-sourcing/stream-kind.ts';
import {
  lastReportedAtBy,
  type NewestObservation,
  placeByNewest,
  reconfirmNewest,
  repeatNewest,
  updateNewest,
} from '../src/domain/observations/newest-observation.ts';
import type { Naming, Observation, Reconfirmation } from '../src/domain/observations/observation.ts';
import type { Placement } from '../src/domain/observations/observation-history.ts';
import type { DomainEvent, EventIdentity } from '../src/domain/streams/domain-events.ts';

/** A report about one sports event. */
export interface ReportCommand<Content> {
  readonly identity: EventIdentity;
  readonly at: string;
  readonly source: string;
  readonly content: Content;
}

/** What the records of a report stream have in common. */
export interface ReportRecord<Content> {
  readonly type: string;
  readonly data: (Observation<Content> | Reconfirmation) & Naming;
  readonly revision: number;
}

/** The event types of a stream: for changed content, for unchanged content, and for the same report under another name. */
export type ReportTypes<Type> = readonly [changed: Type, reconfirmed: Type, repeated: Type];

/**
 * The event for a report, by its placement; none for a duplicate. Unchanged content is recorded in compact form.
 * @param subject members of a reconfirmation that name its subject within the stream
 */
export function decideReport<Event extends DomainEvent>(
  stream: StreamKind,
  [changed, reconfirmed, repeated]: ReportTypes<Event['type']>,
  { identity, at, source, content }: ReportCommand<object>,
  placement: Placement,
  subject: object = {},
): Event[] {
  if (placement.kind === 'duplicate') return [];
  if (placement.kind === 'reconfirmed' || placement.kind === 'repeated') {
    const data = { at, source, of: placement.of, ...subject, ...identity };
    const type = placement.kind === 'repeated' ? repeated : reconfirmed;
    return [createEvent(stream, identity.eventId, type, data) as Event];
  }
  const late = placement.kind === 'late' && placement.late !== undefined ? { late: placement.late } : {};
  return [createEvent(stream, identity.eventId, changed, { at, source, content, ...late, ...identity }) as Event];
}

/** The write-side state of a stream with one subject. */
interface NewestReport {
  newest: NewestObservation | undefined;
}

/**
 * A decider for a stream with one subject, whose state is its newest report.
 * @param decide the events for a report, by its placement
 * @param history decides on reports older than others
 */
export const newestReportDecider = <Content extends object, Event extends DomainEvent>(
  stream: StreamKind,
  [, reconfirmed]: ReportTypes<Event['type']>,
  decide: (command: ReportCommand<Content>, placement: Placement<never>) => Event[],
  history: Decider<any, ReportCommand<Content>, Event>,
): StreamDecider<NewestReport, ReportCommand<Content>, Event> => ({
  stream,
  initial: () => ({ newest: undefined }),
  decide(command, { newest }) {
    const placement = placeByNewest(newest, command);
    return placement === NEEDS_HISTORY ? NEEDS_HISTORY : decide(command, placement);
  },
  evolve(state, record) {
    const { type, data, revision } = record as unknown as ReportRecord<Content>;
    if ('content' in data) state.newest = updateNewest(state.newest, data, revision);
    else state.newest = (type === reconfirmed ? reconfirmNewest : repeatNewest)(state.newest, data);
    return state;
  },
  lastReportedAt: (command, { newest }) => lastReportedAtBy(newest, command),
  history,
  stateVersion: 3,
});
