import { describe, expect, it } from 'vitest';
import { type EventCommand, eventDecider } from '../../../commands/events/event-decider.ts';
import { events } from '../../../projections/sports-events/events.ts';
import type { EventStatus } from '../../../src/domain/catalogue/catalogue.ts';
import type { ScheduleContent, ScoreContent, SportsEvent } from '../../../src/domain/sports-events/sports-event.ts';
import { eventsOf, given, stateOf } from '../../support/given.ts';

const identity = { eventId: 1, sport: 'nfl', league: 'nfl' };
const meta = { partition: 'event-1' };
const side = (name: string) => ({
  key: `team:${name}`,
  id: 1,
  name,
  abbreviation: null,
  country_code: null,
  placeholder: false,
});
const START = '2026-09-01T20:00:00Z';
const scheduled: ScheduleContent = { starts_at: START, sides: [side('A'), side('B')] };
const hour = (n: number) => `2026-09-01T${String(n).padStart(2, '0')}:00:00Z`;

const schedule = (at: number, facts: Partial<ScheduleContent> = {}, source = 'a'): EventCommand => ({
  kind: 'schedule',
  identity,
  at: hour(at),
  source,
  content: { ...scheduled, ...facts },
});
const score = (at: number, content: ScoreContent, source = 'a'): EventCommand => ({
  kind: 'score',
  identity,
  at: hour(at),
  source,
  content,
});
const binding = (ref: string, source = 'b'): EventCommand => ({
  kind: 'binding',
  identity,
  at: hour(1),
  source,
  ref,
  swapped: false,
});
const checked = (at: number, source = 'a'): EventCommand => ({
  kind: 'injuries checked',
  identity,
  at: hour(at),
  source,
});
const said = (points: string) => ({ score: points });

/** The stream of one event after these commands. */
const streamAfter = (...facts: EventCommand[]) => eventsOf(eventDecider, ...facts);
const givenFacts = (...facts: EventCommand[]) => given(eventDecider, ...streamAfter(...facts));

/** The event in the read model, which equals the state of the write side. */
function shown(...facts: EventCommand[]): SportsEvent {
  const stream = streamAfter(...facts);
  const { event } = given(events, ...stream).document!;
  expect(stateOf(eventDecider, ...stream).event).toEqual(event);
  return event;
}
const recorded = (type: string, data: object) => ({ type, version: 1, data: { ...data, ...identity }, meta });
/** Whether the last record is a correction. */
const isCorrection = (fact: EventCommand, ...before: EventCommand[]): boolean => {
  const [event] = givenFacts(...before).when(fact).events;
  return event!.data.correction === true;
};

describe('what is recorded', () => {
  it('given nothing, when a schedule comes, then the event is scheduled', () => {
    given(eventDecider)
      .when(schedule(1))
      .then([recorded('EventScheduled', { at: hour(1), source: 'a', content: scheduled })]);
    expect(shown(schedule(1))).toMatchObject({ status: 'scheduled', schedule: { starts_at: START }, overAt: null });
  });

  it('given a message, when the same message comes again, then nothing is recorded', () => {
    const facts = [schedule(1), score(2, { status: 'inprogress' })];
    for (const fact of facts)
      givenFacts(...facts)
        .when(fact)
        .thenNothing();
  });

  it('given a score, when the source repeats it later, then the record is compact', () => {
    givenFacts(schedule(1), score(2, { status: 'inprogress', period: '1' }))
      .when(score(3, { status: 'inprogress', period: '1' }))
      .then([recorded('ScoreReconfirmed', { at: hour(3), source: 'a', of: 1 })]);
  });

  it('given a score, when another source reports the same later, then it is recorded in full', () => {
    const [one, other] = [score(2, { status: 'inprogress' }), score(3, { status: 'inprogress' }, 'b')];
    givenFacts(schedule(1), one)
      .when(other)
      .then([recorded('ScoreChanged', { at: hour(3), source: 'b', content: { status: 'inprogress' } })]);
    expect(shown(schedule(1), one, other).statusSources).toEqual(['a', 'b']);
  });

  it('given a repetition that reverts the status, then it is recorded in full', () => {
    const before = [schedule(1, { status: 'scheduled' }), score(2, { status: 'inprogress' })];
    const repetition = schedule(3, { status: 'scheduled' });
    givenFacts(...before)
      .when(repetition)
      .thenLike([{ type: 'EventScheduled' }]);
    expect(shown(...before, repetition).status).toBe('scheduled');
  });

  it('given a status that others reported since, when a source repeats it, then it is a source of the status', () => {
    const facts = [
      schedule(1, { status: 'scheduled' }, 'b'),
      score(2, { status: 'inprogress' }),
      score(3, { status: 'scheduled' }),
      schedule(4, { status: 'scheduled' }, 'b'),
    ];
    expect(shown(...facts).statusSources).toEqual(['a', 'b']);
  });

  it('given a score that was not accepted, when it is repeated and accepted, then it shows', () => {
    const facts = [
      schedule(1),
      score(2, { status: 'final' }),
      score(3, { status: 'inprogress', period: '2' }, 'b'),
      schedule(4, { status: 'inprogress' }),
      score(5, { status: 'inprogress', period: '2' }, 'b'),
    ];
    expect(shown(...facts)).toMatchObject({ status: 'inprogress', period: '2' });
  });

  it('given a schedule and a score of one time, when they come in either order, then the state is the same', () => {
    const [one, other] = [schedule(1), score(1, { status: 'inprogress' })];
    expect(shown(other, one)).toEqual(shown(one, other));
  });
});

describe('late messages', () => {
  it('given a newer score, when an older one comes, then it is recorded but does not show', () => {
    const newer = score(5, { status: 'inprogress', sides: [said('14'), said('7')] });
    const older = score(3, { status: 'inprogress', sides: [said('7'), said('0')] });
    givenFacts(schedule(1), newer)
      .when(older)
      .thenLike([{ type: 'ScoreChanged', data: { late: { sides: [{ score: '14' }, { score: '7' }] } } }]);
    expect(shown(schedule(1), newer, older).sides).toEqual([{ score: '14' }, { score: '7' }]);
  });

  it('given a live score, when an older live score comes, then play began earlier', () => {
    const facts = [schedule(1), score(5, { status: 'inprogress' }), score(3, { status: 'inprogress' })];
    expect(shown(...facts).firstLive).toBe(hour(3));
  });

  it('given a message without a field, when an older message has it, then it shows', () => {
    const { schedule: known } = shown(schedule(5), schedule(3, { round: 'Week 1' }));
    expect(known).toMatchObject({ round: 'Week 1', starts_at: START });
  });

  it('given a final score, when a late one changes the result, then it is a correction', () => {
    const late = score(4, { status: 'inprogress', sides: [said('7'), said('7')] });
    const before = [schedule(1), score(5, { status: 'final', sides: [said('14'), null] })];
    expect(isCorrection(late, ...before)).toBe(true);
  });
});

describe('two messages of one time', () => {
  it('given different statuses in either order, then the later status wins', () => {
    for (const statuses of [
      ['inprogress', 'final'],
      ['final', 'inprogress'],
    ] as const) {
      const facts = statuses.map((status) => score(4, { status }));
      expect(shown(schedule(1), ...facts).status).toBe('final');
    }
  });

  it('given one status in either order, then the greater canonical JSON wins', () => {
    for (const scores of [
      ['7', '14'],
      ['14', '7'],
    ]) {
      const facts = [schedule(1), ...scores.map((one) => score(4, { status: 'inprogress', sides: [said(one), null] }))];
      // As text '7' is greater than '14'.
      expect(shown(...facts).sides[0]).toEqual({ score: '7' });
      expect(stateOf(eventDecider.history!, ...streamAfter(...facts)).history).toHaveLength(3);
    }
  });
});

/** The forward transitions, including those that skip steps. */
const FORWARD: Record<EventStatus, EventStatus[]> = {
  scheduled: ['delayed', 'inprogress', 'postponed', 'cancelled', 'walkover', 'final', 'suspended'],
  delayed: ['inprogress', 'postponed', 'cancelled', 'walkover', 'final', 'suspended'],
  inprogress: ['suspended', 'final', 'postponed', 'cancelled'],
  suspended: ['inprogress', 'postponed', 'cancelled', 'final'],
  postponed: ['scheduled', 'cancelled', 'delayed', 'inprogress', 'suspended', 'walkover', 'final'],
  final: [],
  cancelled: [],
  walkover: [],
};
const STATUSES = Object.keys(FORWARD) as EventStatus[];

describe('status transitions', () => {
  /** Commands from source `a` that bring an event into this status. */
  function inStatus(status: EventStatus): EventCommand[] {
    const facts = [schedule(1), score(2, { status })];
    expect(shown(...facts).status).toBe(status);
    return facts;
  }

  for (const from of STATUSES) {
    for (const to of STATUSES.filter((status) => status !== from)) {
      const forward = FORWARD[from].includes(to);
      it(`from ${from} to ${to}: ${forward ? 'counts from every source' : 'counts from its own source only, as a correction'}`, () => {
        const before = inStatus(from);
        const ofOther = score(3, { status: to }, 'b');
        givenFacts(...before)
          .when(ofOther)
          .thenLike([{ type: 'ScoreChanged' }]);
        expect(isCorrection(ofOther, ...before)).toBe(false);
        expect(shown(...before, ofOther).status).toBe(forward ? to : from);

        const own = score(3, { status: to });
        expect(isCorrection(own, ...before)).toBe(!forward);
        expect(shown(...before, own).status).toBe(to);
      });
    }
  }

  it('given a postponed event, when a schedule gives a new start, then it is scheduled', () => {
    const moved = schedule(3, { starts_at: '2026-09-05T20:00:00Z' }, 'b');
    expect(shown(...inStatus('postponed'), moved).status).toBe('scheduled');
  });

  it('given a postponed event, when a schedule repeats the old start, then it stays postponed', () => {
    const repeated = schedule(3, { round: 'Week 2' }, 'b');
    expect(shown(...inStatus('postponed'), repeated).status).toBe('postponed');
  });

  it('given a final event, when its source changes the score, then it is a correction', () => {
    const before = [schedule(1), score(2, { status: 'final', sides: [said('14'), said('7')] })];
    const change = score(3, { status: 'final', sides: [said('14'), said('10')] });
    expect(isCorrection(change, ...before)).toBe(true);
    expect(shown(...before, change)).toMatchObject({ overAt: hour(2), sides: [{ score: '14' }, { score: '10' }] });
  });

  it('given a final event, when another source repeats the result, then nothing is corrected', () => {
    const result: ScoreContent = { status: 'final', sides: [said('14'), said('7')] };
    expect(isCorrection(score(3, result, 'b'), schedule(1), score(2, result))).toBe(false);
  });

  it('given a final event, when its source reverts the status, then it is not over', () => {
    const back = score(3, { status: 'inprogress' });
    expect(shown(...inStatus('final'), back)).toMatchObject({ status: 'inprogress', overAt: null });
  });
});

describe('a stated winner', () => {
  it('given a winner, when later scores state none, then the scores decide', () => {
    const winner = score(2, {
      status: 'final',
      sides: [
        { score: '1', is_winner: true },
        { score: '1', is_winner: false },
      ],
    });
    const later = score(3, { status: 'final', sides: [{ score: '1' }, { score: '2' }] });
    expect(shown(schedule(1), winner, later).sides).toEqual([{ score: '1' }, { score: '2' }]);
  });

  it('given a winner, when only the status comes, then it stays', () => {
    const winner = score(2, { status: 'final', sides: [{ is_winner: true }, null] });
    expect(shown(schedule(1), winner, score(3, { status: 'final' })).sides[0]).toEqual({ is_winner: true });
  });
});

describe('names and checks', () => {
  it('given a ref, when it is bound again, then nothing is recorded', () => {
    const bound = recorded('EventBound', { at: hour(1), source: 'b', ref: 'b-1', turned: false });
    givenFacts(schedule(1)).when(binding('b-1')).then([bound]);
    givenFacts(schedule(1), binding('b-1')).when(binding('b-1')).thenNothing();
    const { refs } = stateOf(eventDecider, ...streamAfter(schedule(1), binding('b-1')));
    expect([...refs.get('b')!]).toEqual(['b-1']);
  });

  it('given a check, when it is repeated, then nothing is recorded; another time or source is', () => {
    const check = (at: number, source: string) => recorded('InjuriesChecked', { at: hour(at), source });
    givenFacts(schedule(1))
      .when(checked(2))
      .then([check(2, 'a')]);
    const known = givenFacts(schedule(1), checked(2));
    known.when(checked(2)).thenNothing();
    known.when(checked(3)).then([check(3, 'a')]);
    known.when(checked(2, 'b')).then([check(2, 'b')]);
  });
});
