import { describe, expect, it } from 'vitest';
import {
  decideBinding,
  decideInjuriesChecked,
  decideSchedule,
  decideScore,
  evolveEvent,
  initialEvent,
} from '../../commands/events/decider.ts';
import type { EventStatus } from '../../src/domain/catalogue.ts';
import type { DomainRecord } from '../../src/domain/domain-events.ts';
import type { ScheduleContent, ScoreContent } from '../../src/domain/sports-event.ts';
import { newStream } from './stream.ts';

const identity = { eventId: 1, sport: 'nfl', league: 'nfl' };
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

/** One event's stream, and what sources say of it. */
function newEvent() {
  const stream = newStream(initialEvent, evolveEvent);
  return {
    state: stream.state,
    records: stream.records,
    event: () => stream.state().event,
    schedule: (at: number, facts: Partial<ScheduleContent> = {}, source = 'a') =>
      stream.decide((state) =>
        decideSchedule({ identity, at: hour(at), source, content: { ...scheduled, ...facts } }, state),
      ),
    score: (at: number, content: ScoreContent, source = 'a') =>
      stream.decide((state) => decideScore({ identity, at: hour(at), source, content }, state)),
    bind: (ref: string, source = 'b') =>
      stream.decide((state) => decideBinding({ identity, at: hour(1), source, ref, turned: false }, state)),
    check: (at: number, source = 'a') =>
      stream.decide((state) => decideInjuriesChecked({ identity, at: hour(at), source }, state)),
  };
}
const typesOf = (records: readonly DomainRecord[]) => records.map(({ type }) => type);
const isCorrection = ([record]: readonly DomainRecord[]) => (record!.data as { correction?: true }).correction === true;
const said = (score: string) => ({ score });

describe('what is recorded', () => {
  it('given nothing, when a schedule comes, then the event is scheduled', () => {
    const event = newEvent();
    expect(typesOf(event.schedule(1))).toEqual(['EventScheduled']);
    expect(event.event()).toMatchObject({ status: 'scheduled', schedule: { starts_at: START }, overAt: null });
  });

  it('given a message, when this very message comes again, then nothing is recorded', () => {
    const event = newEvent();
    event.schedule(1);
    event.score(2, { status: 'inprogress' });
    expect(event.schedule(1)).toEqual([]);
    expect(event.score(2, { status: 'inprogress' })).toEqual([]);
  });

  it('given a score, when the source says the same later, then the record is compact', () => {
    const event = newEvent();
    event.schedule(1);
    event.score(2, { status: 'inprogress', period: '1' });
    const [record] = event.score(3, { status: 'inprogress', period: '1' });
    expect(record).toMatchObject({ type: 'ScoreReconfirmed', data: { at: hour(3), source: 'a', of: 1 } });
    expect(record!.data).not.toHaveProperty('content');
  });

  it('given a score, when another source says the same later, then the whole of it is recorded', () => {
    const event = newEvent();
    event.schedule(1);
    event.score(2, { status: 'inprogress' });
    expect(typesOf(event.score(3, { status: 'inprogress' }, 'b'))).toEqual(['ScoreChanged']);
    expect(event.event().statusSources).toEqual(['a', 'b']);
  });

  it('given a repetition that would bring back a status, when it comes, then it is no mere reconfirmation', () => {
    const event = newEvent();
    event.schedule(1, { status: 'scheduled' });
    event.score(2, { status: 'inprogress' });
    expect(typesOf(event.schedule(3, { status: 'scheduled' }))).toEqual(['EventScheduled']);
    expect(event.event().status).toBe('scheduled');
  });

  it('given a status that others told since, when a source repeats it, then it is one who told it', () => {
    const event = newEvent();
    event.schedule(1, { status: 'scheduled' }, 'b');
    event.score(2, { status: 'inprogress' });
    event.score(3, { status: 'scheduled' });
    event.schedule(4, { status: 'scheduled' }, 'b');
    expect(event.event().statusSources).toEqual(['a', 'b']);
  });

  it('given a score that did not count, when it is said again and counts, then it shows', () => {
    const event = newEvent();
    event.schedule(1);
    event.score(2, { status: 'final' });
    event.score(3, { status: 'inprogress', period: '2' }, 'b');
    event.schedule(4, { status: 'inprogress' });
    event.score(5, { status: 'inprogress', period: '2' }, 'b');
    expect(event.event()).toMatchObject({ status: 'inprogress', period: '2' });
  });

  it('given a schedule and a score of one time, when they come the other way round, then the state is the same', () => {
    const [one, two] = [newEvent(), newEvent()];
    one.schedule(1);
    one.score(1, { status: 'inprogress' });
    two.score(1, { status: 'inprogress' });
    two.schedule(1);
    expect(two.event()).toEqual(one.event());
  });
});

describe('late messages', () => {
  it('given a newer score, when an older one comes, then it is recorded and changes nothing that shows', () => {
    const event = newEvent();
    event.schedule(1);
    event.score(5, { status: 'inprogress', sides: [said('14'), said('7')] });
    const [record] = event.score(3, { status: 'inprogress', sides: [said('7'), said('0')] });
    expect(record).toMatchObject({
      type: 'ScoreChanged',
      data: { late: { sides: [{ score: '14' }, { score: '7' }] } },
    });
    expect(event.event().sides).toEqual([{ score: '14' }, { score: '7' }]);
  });

  it('given a live score, when an older live one comes, then the play began earlier', () => {
    const event = newEvent();
    event.schedule(1);
    event.score(5, { status: 'inprogress' });
    event.score(3, { status: 'inprogress' });
    expect(event.event().firstLive).toBe(hour(3));
  });

  it('given what leaves a field out, when an older message has it, then it shows', () => {
    const event = newEvent();
    event.schedule(5);
    event.schedule(3, { round: 'Week 1' });
    expect(event.event().schedule).toMatchObject({ round: 'Week 1', starts_at: START });
  });

  it('given a final score, when a late one changes the result, then it is a correction', () => {
    const event = newEvent();
    event.schedule(1);
    event.score(5, { status: 'final', sides: [said('14'), null] });
    expect(isCorrection(event.score(4, { status: 'inprogress', sides: [said('7'), said('7')] }))).toBe(true);
  });
});

describe('two messages of one time', () => {
  it('given other words, when they come in either order, then the status further along wins', () => {
    for (const statuses of [
      ['inprogress', 'final'],
      ['final', 'inprogress'],
    ] as const) {
      const event = newEvent();
      event.schedule(1);
      for (const status of statuses) event.score(4, { status });
      expect(event.event().status).toBe('final');
    }
  });

  it('given one status, when they come in either order, then the greater in canonical JSON wins', () => {
    for (const scores of [
      ['7', '14'],
      ['14', '7'],
    ]) {
      const event = newEvent();
      event.schedule(1);
      for (const score of scores) event.score(4, { status: 'inprogress', sides: [said(score), null] });
      // As text '7' is greater than '14'.
      expect(event.event().sides[0]).toEqual({ score: '7' });
      expect(event.state().history).toHaveLength(3);
    }
  });
});

/** From the decisions: the forward transitions, with the steps that a source may skip. */
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
  /** An event in this status, as source `a` told. */
  function inStatus(status: EventStatus) {
    const event = newEvent();
    event.schedule(1);
    event.score(2, { status });
    expect(event.event().status).toBe(status);
    return event;
  }

  for (const from of STATUSES) {
    for (const to of STATUSES.filter((status) => status !== from)) {
      const forward = FORWARD[from].includes(to);
      it(`from ${from} to ${to}: ${forward ? 'counts from every source' : 'counts from its own source only, as a correction'}`, () => {
        const other = inStatus(from);
        const ofOther = other.score(3, { status: to }, 'b');
        expect(typesOf(ofOther)).toEqual(['ScoreChanged']);
        expect(isCorrection(ofOther)).toBe(false);
        expect(other.event().status).toBe(forward ? to : from);

        const own = inStatus(from);
        expect(isCorrection(own.score(3, { status: to }))).toBe(!forward);
        expect(own.event().status).toBe(to);
      });
    }
  }

  it('given a postponed event, when a schedule gives a new start, then it is scheduled', () => {
    const event = inStatus('postponed');
    event.schedule(3, { starts_at: '2026-09-05T20:00:00Z' }, 'b');
    expect(event.event().status).toBe('scheduled');
  });

  it('given a postponed event, when a schedule repeats the old start, then it stays postponed', () => {
    const event = inStatus('postponed');
    event.schedule(3, { round: 'Week 2' }, 'b');
    expect(event.event().status).toBe('postponed');
  });

  it('given a final event, when its source changes the score, then it is a correction', () => {
    const event = newEvent();
    event.schedule(1);
    event.score(2, { status: 'final', sides: [said('14'), said('7')] });
    expect(isCorrection(event.score(3, { status: 'final', sides: [said('14'), said('10')] }))).toBe(true);
    expect(event.event()).toMatchObject({ overAt: hour(2), sides: [{ score: '14' }, { score: '10' }] });
  });

  it('given a final event, when another source repeats the result, then nothing is corrected', () => {
    const event = newEvent();
    event.schedule(1);
    event.score(2, { status: 'final', sides: [said('14'), said('7')] });
    expect(isCorrection(event.score(3, { status: 'final', sides: [said('14'), said('7')] }, 'b'))).toBe(false);
  });

  it('given a final event, when its source takes that back, then it is not over', () => {
    const event = inStatus('final');
    event.score(3, { status: 'inprogress' });
    expect(event.event()).toMatchObject({ status: 'inprogress', overAt: null });
  });
});

describe('what a source said of the winner', () => {
  it('given a winner, when later scores say none, then it is decided anew', () => {
    const event = newEvent();
    event.schedule(1);
    event.score(2, {
      status: 'final',
      sides: [
        { score: '1', is_winner: true },
        { score: '1', is_winner: false },
      ],
    });
    event.score(3, { status: 'final', sides: [{ score: '1' }, { score: '2' }] });
    expect(event.event().sides).toEqual([{ score: '1' }, { score: '2' }]);
  });

  it('given a winner, when only the status comes, then it stays', () => {
    const event = newEvent();
    event.schedule(1);
    event.score(2, { status: 'final', sides: [{ is_winner: true }, null] });
    event.score(3, { status: 'final' });
    expect(event.event().sides[0]).toEqual({ is_winner: true });
  });
});

describe('names and checks', () => {
  it('given a ref, when it is bound again, then nothing is recorded', () => {
    const event = newEvent();
    event.schedule(1);
    expect(typesOf(event.bind('b-1'))).toEqual(['EventBound']);
    expect(event.bind('b-1')).toEqual([]);
    expect([...event.state().refs.get('b')!]).toEqual(['b-1']);
  });

  it('given a check, when it is told again, then nothing is recorded; at another time or by another source it is', () => {
    const event = newEvent();
    event.schedule(1);
    expect(typesOf(event.check(2))).toEqual(['InjuriesChecked']);
    expect(event.check(2)).toEqual([]);
    expect(typesOf(event.check(3))).toEqual(['InjuriesChecked']);
    expect(typesOf(event.check(2, 'b'))).toEqual(['InjuriesChecked']);
  });
});
