import { describe, expect, it } from 'vitest';
import { type InjuryCommand, injuriesDecider } from '../../../commands/injuries-decider.ts';
import { injuries } from '../../../projections/sports-events/injuries.ts';
import type { InjuryStatus } from '../../../src/domain/catalogue/catalogue.ts';
import { HOUR, MINUTE } from '../../../src/domain/primitives/time.ts';
import {
  availabilityOf,
  findFinalCheck,
  type InjuryReport,
  nextCheckAt,
  severityOf,
} from '../../../src/domain/sports-events/injury-reports.ts';
import { eventsOf, given, recordsOf } from '../../support/given.ts';

const START = Date.parse('2026-09-10T20:00:00Z');
const hoursBefore = (hours: number) => START - hours * HOUR;
const report = (hours: number, status: InjuryStatus, more: Partial<InjuryReport> = {}): InjuryReport => ({
  at: new Date(hoursBefore(hours)).toISOString(),
  player: 'Jo Doe',
  status,
  ...more,
});
const availability = (...reports: InjuryReport[]) => availabilityOf(reports, () => START);

describe('severity', () => {
  it.each([
    [null, 'out', 3, 'critical'],
    [null, 'doubtful', 6, 'critical'],
    [null, 'out', 7, 'material'],
    [null, 'ir', 3, 'material'],
    [null, 'suspended', 3, 'material'],
    [null, 'questionable', 3, 'info'],
    [null, 'out', -1, 'material'],
    ['available', 'questionable', 3, 'critical'],
    ['probable', 'out', 0, 'critical'],
    ['questionable', 'out', 3, 'material'],
    ['out', 'available', 3, 'material'],
    ['available', 'probable', 3, 'material'],
    ['available', 'out', 24, 'material'],
    ['out', 'out', 3, 'info'],
  ] as const)('from %s to %s, %d hours before the start: %s', (from, to, hours, severity) => {
    expect(severityOf(from, to, hoursBefore(hours), START)).toBe(severity);
  });
});

describe('availability', () => {
  it('given reports, then the last one counts, with the previous status', () => {
    const reports = [report(48, 'questionable', { note: 'knee' }), report(24, 'out', { body_part: 'knee' })];
    expect(availability(...reports)).toMatchObject({
      status: 'out',
      previous_status: 'questionable',
      body_part: 'knee',
      note: 'knee',
      last_changed_at: reports[1]!.at,
    });
  });

  it('given a report that repeats the status, then its severity is info, and the time of the change stays', () => {
    const reports = [report(48, 'questionable'), report(24, 'out'), report(3, 'out', { note: 'still' })];
    expect(availability(...reports)).toMatchObject({
      severity: 'info',
      note: 'still',
      previous_status: 'questionable',
      last_changed_at: reports[1]!.at,
    });
  });

  it('uses the start known at the time of the report', () => {
    const startAt = (at: number) => (at < hoursBefore(10) ? START : START + 48 * HOUR);
    expect(availabilityOf([report(24, 'available'), report(3, 'out')], startAt)).toMatchObject({
      severity: 'material',
    });
  });

  it('given no report, then there is no availability', () => {
    expect(availability()).toBeNull();
  });
});

describe('checks', () => {
  it.each([
    [null, 100, 96],
    [100, 99, 96],
    [96, 95, 72],
    [25, 24.5, 24],
    [24, 23, 18],
    [20, 19, 18],
    [18, 17, 12],
    [7, 6.5, 6],
    [6, 5, 2],
    [2, 1, null],
    [null, 1, null],
    [50, 0, null],
    // Overdue: a check was due in the meantime.
    [50, 10, 48],
  ])(
    'after a check %s hours before the start, at %s hours before it, the next is due %s hours before it',
    (last, now, due) => {
      const next = nextCheckAt(START, last === null ? null : hoursBefore(last), hoursBefore(now));
      expect(next).toBe(due === null ? null : hoursBefore(due));
    },
  );

  it('is confirmed by the first check within two hours before the start', () => {
    expect(findFinalCheck(START, [hoursBefore(3), hoursBefore(0.5), hoursBefore(2), START + MINUTE])).toBe(
      hoursBefore(2),
    );
    expect(findFinalCheck(START, [hoursBefore(2.1), START + 1])).toBeNull();
    expect(findFinalCheck(START, [START])).toBe(START);
  });
});

describe('reports of a team', () => {
  const told = (hours: number, status: InjuryStatus, id: number | null = null): InjuryCommand => {
    const { at, player } = report(hours, status);
    const identified = id === null ? null : { id, at: '2026-01-01T00:00:00Z' };
    const said = { at, source: 's', content: { player, status }, origin: { league: 'nfl' } };
    return { teamId: 1, sport: 'nfl', identified, name: 'jodoe', ...said };
  };
  const streamAfter = (...facts: InjuryCommand[]) => eventsOf(injuriesDecider, ...facts);
  const typesOf = (events: readonly { type: string }[]) => events.map(({ type }) => type);
  const reportsOf = (...facts: InjuryCommand[]) => given(injuries, ...streamAfter(...facts)).document!.reports;

  it('given a report by name, when the player becomes known, then the report is his', () => {
    const [byName, identified] = [told(24, 'out'), told(24, 'out', 9)];
    expect(typesOf(given(injuriesDecider).when(byName).events)).toEqual(['InjuryReported']);
    expect(typesOf(given(injuriesDecider, ...streamAfter(byName)).when(identified).events)).toEqual([
      'InjuredPlayerIdentified',
    ]);
    const events = streamAfter(byName, identified);
    expect(injuries.key(recordsOf(...events)[0]!)).toBe('1:n:jodoe');
    given(injuries, ...events).thenLike({ teamId: 1, playerId: 9, reports: [{ status: 'out' }] });
    given(injuriesDecider, ...events)
      .when(identified)
      .thenNothing();
  });

  it('given a report, when it is repeated, then the record is compact and counts as a report', () => {
    const facts = [told(24, 'out', 9), told(12, 'out', 9)] as const;
    expect(typesOf(given(injuriesDecider, ...streamAfter(facts[0])).when(facts[1]).events)).toEqual([
      'InjuryReconfirmed',
    ]);
    expect(reportsOf(...facts).map(({ at }) => at)).toEqual([report(24, 'out').at, report(12, 'out').at]);
  });

  it('given reports, when an older one comes, then it is sorted in', () => {
    const reports = reportsOf(told(12, 'out'), told(24, 'questionable'), told(18, 'doubtful'));
    expect(reports.map(({ status }) => status)).toEqual(['questionable', 'doubtful', 'out']);
  });

  it('given two players with one name, then each has his own reports', () => {
    const records = recordsOf(...streamAfter(told(24, 'out', 9), told(12, 'available', 10)));
    expect([...new Set(records.map((record) => injuries.key(record)))]).toEqual(['1:n:jodoe', '1:p10']);
  });
});
