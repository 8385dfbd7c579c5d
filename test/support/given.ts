import { expect } from 'vitest';
import { toPosition } from '../../src/domain/event-sourcing/position.ts';
import type { Projection } from '../../src/domain/event-sourcing/projection.ts';
import type { LogRecord, NewRecord } from '../../src/domain/event-sourcing/record.ts';
import { NEEDS_HISTORY, type StreamDecider } from '../../src/domain/event-sourcing/stream-decider.ts';

export const RECORDED = '2026-12-01T00:00:00.000Z';

interface GivenStream<Fact> {
  /** A fact of which the write side is told. */
  when(fact: Fact): Decided;
}
interface Decided {
  /** Exactly these domain events, as they stand in the log. */
  then(events: readonly unknown[]): void;
  /** Domain events that have at least these members. */
  thenLike(events: readonly object[]): void;
  thenNothing(): void;
  readonly events: readonly NewRecord<string, any>[];
}
interface GivenRecords<Doc> {
  /** Exactly this document. */
  then(document: unknown): void;
  /** A document that has at least these members. */
  thenLike(document: object): void;
  readonly document: Doc | undefined;
}

/**
 * A decider with what its stream holds, or a projection with the records that it folds. Events go through JSON, as
 * on disk; a decider that changes the state it decides on fails, as does a projection that changes its records.
 */
export function given<State, Fact, Event extends NewRecord>(
  decider: StreamDecider<State, Fact, Event>,
  ...events: readonly NewRecord[]
): GivenStream<Fact>;
export function given<Doc>(projection: Projection<Doc>, ...events: readonly NewRecord[]): GivenRecords<Doc>;
export function given(one: StreamDecider | Projection, ...events: readonly NewRecord[]) {
  return 'decide' in one ? givenStream(one, events) : givenRecords(one, events);
}

function givenStream<Fact>(decider: StreamDecider<any, Fact>, events: readonly NewRecord[]): GivenStream<Fact> {
  return {
    when(fact) {
      const decided = throughJson(decisionOf(decider, events, deepFreeze(fact)));
      return {
        events: decided,
        // biome-ignore lint/suspicious/noThenProperty: nobody awaits it; given, when, then is how a test reads
        then: (expected) => expect(decided).toEqual(expected),
        thenLike: (expected) => expect(decided).toMatchObject(expected),
        thenNothing: () => expect(decided).toEqual([]),
      };
    },
  };
}

function givenRecords<Doc>(projection: Projection<Doc>, events: readonly NewRecord[]): GivenRecords<Doc> {
  const records = recordsOf(...events);
  const folded = records.filter(({ type }) => projection.types.includes(type));
  // All events of one `given` are of one document: that of the first.
  const key = folded[0] && projection.key(folded[0]);
  const document = folded
    .filter((record) => projection.key(record) === key)
    .reduce<Doc | undefined>((before, record) => projection.apply(before, record), undefined);
  // Records are lent: whoever folds them again must find them as they were.
  if (textOf(records) !== textOf(events)) throw new Error(`${projection.name} has changed the records that it folds`);
  return {
    document,
    // biome-ignore lint/suspicious/noThenProperty: nobody awaits it; given and then is how a test reads
    then: (expected) => expect(document).toEqual(expected),
    thenLike: (expected) => expect(document).toMatchObject(expected),
  };
}

/** What becomes of these facts, told one after the other: the domain events of a stream, as `given` takes them. */
export function eventsOf<State, Fact, Event extends NewRecord>(
  decider: StreamDecider<State, Fact, Event>,
  ...facts: readonly Fact[]
): readonly Event[] {
  const events: Event[] = [];
  for (const fact of facts) {
    for (const event of throughJson(decisionOf(decider, events, fact))) {
      events.push(event);
    }
  }
  return events;
}

/**
 * What a decider says of a fact after these events. Where it has a history beside its state, both must say the same:
 * the state is only the shorter way.
 */
function decisionOf<State, Fact, Event extends NewRecord>(
  decider: StreamDecider<State, Fact, Event>,
  events: readonly NewRecord[],
  fact: Fact,
): readonly Event[] {
  const decision = decider.decide(fact, deepFreeze(stateOf(decider, ...events)));
  const { history } = decider;
  if (!history) return decision as readonly Event[];
  const whole = recordsOf(...events).reduce(
    (state, record) => history.evolve(state, record as never),
    history.initial(),
  );
  const byHistory = history.decide(fact, deepFreeze(whole));
  if (decision !== NEEDS_HISTORY) expect(throughJson(decision)).toEqual(throughJson(byHistory));
  return byHistory;
}

/** The state that a stream with these events is loaded to. */
export const stateOf = <State>(
  { initial, evolve }: Pick<StreamDecider<State>, 'initial' | 'evolve'>,
  ...events: readonly NewRecord[]
): State => recordsOf(...events).reduce((state, record) => evolve(state, record), initial());

/** Domain events as the records of one stream, a minute apart. */
export const recordsOf = <Event extends NewRecord>(...events: readonly Event[]): (LogRecord & Event)[] =>
  events.map((event, revision) => recordOf(event, revision));

export function recordOf<Event extends NewRecord>(
  event: Event,
  revision: number,
  more: Partial<LogRecord> = {},
): LogRecord & Event {
  const recordedAt = new Date(Date.parse(RECORDED) + revision * 60_000).toISOString();
  const place = { stream: 'stream-1', revision, position: toPosition(BigInt(revision + 1)), recordedAt };
  return { ...throughJson(event), ...place, ...more };
}

/** What of records comes from the events, as text. */
const textOf = (events: readonly NewRecord[]): string =>
  JSON.stringify(events.map(({ type, version, data, meta }) => ({ type, version, data, meta })));

const throughJson = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

/** Whoever changes anything of the value then fails: objects, arrays, maps and sets alike. */
function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  if (value instanceof Map || value instanceof Set) {
    for (const [key, member] of value.entries()) deepFreeze([key, member]);
    const fail = () => {
      throw new TypeError('a decider must not change the state');
    };
    Object.assign(value, { set: fail, add: fail, delete: fail, clear: fail });
  }
  Object.freeze(value);
  for (const member of Object.values(value)) deepFreeze(member);
  return value;
}
