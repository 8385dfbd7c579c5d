import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type DirectoryCommand, teamDecider } from '../../commands/directory-decider.ts';
import { type EventCommand, eventDecider } from '../../commands/events/event-decider.ts';
import { teams } from '../../projections/directory/teams.ts';
import type { TeamContent, TeamFacts } from '../../src/domain/directory/directory-entries.ts';
import { eventsOf, given, stateOf } from '../support/given.ts';

const named = (name: string, more: Partial<TeamFacts> = {}): TeamContent => ({
  rank: 'named',
  league: 'nfl',
  facts: { name, ...more },
});
const described = (name: string, more: Partial<TeamFacts> = {}): TeamContent => ({
  ...named(name, more),
  rank: 'described',
});
const day = (n: number) => `2026-09-0${n}T00:00:00Z`;

type TeamFact = DirectoryCommand<TeamContent>;
const told = (n: number, content: TeamContent): TeamFact => ({ id: 1, sport: 'nfl', at: day(n), source: 'a', content });
const streamAfter = (...facts: TeamFact[]) => eventsOf(teamDecider, ...facts);
const standingsAfter = (...facts: TeamFact[]) => stateOf(teamDecider, ...streamAfter(...facts)).standings;

describe('a directory entry', () => {
  it('given a mention, when a description comes, then it counts, and fields of the mention only stay', () => {
    const facts = [told(2, named('KC', { country_code: 'USA' })), told(1, described('Kansas City Chiefs'))];
    given(teams, ...streamAfter(...facts)).thenLike({ facts: { name: 'Kansas City Chiefs', country_code: 'USA' } });
  });

  it('given mentions in any order, then the earliest counts', () => {
    const [one, other] = [told(1, named('name 1')), told(2, named('name 2'))];
    given(teams, ...streamAfter(one, other)).thenLike({ facts: { name: 'name 1' } });
    given(teams, ...streamAfter(other, one)).thenLike({ facts: { name: 'name 1' } });
  });

  it('given descriptions, when an older one comes late, then it only fills in fields missing in newer ones', () => {
    const newer = told(3, described('New', { city: 'Here' }));
    const older = told(1, described('Old', { city: 'There', division: 'West' }));
    given(teams, ...streamAfter(newer, older)).thenLike({ facts: { name: 'New', city: 'Here', division: 'West' } });
  });

  it('given a description, when it is repeated later, then the record is compact; a duplicate is not recorded', () => {
    const facts = [told(1, described('New')), told(2, described('New'))] as const;
    const data = { at: day(2), source: 'a', of: 0, teamId: 1 };
    given(teamDecider, ...streamAfter(facts[0]))
      .when(facts[1])
      .then([{ type: 'TeamReconfirmed', version: 1, data, meta: { partition: 'team-1' } }]);
    for (const known of facts)
      given(teamDecider, ...streamAfter(...facts))
        .when(known)
        .thenNothing();
  });

  it('has each profile with the time from which it counts', () => {
    const standings = standingsAfter(
      told(4, described('Third')),
      told(1, named('First')),
      told(2, described('Second')),
      told(3, described('Second')),
    );
    expect(standings.map(({ rank, at, profile }) => [rank, at, profile.name])).toEqual([
      ['named', day(1), 'First'],
      ['described', day(2), 'Second'],
      ['described', day(4), 'Third'],
    ]);
  });
});

const identity = { eventId: 1, sport: 'nfl', league: 'nfl' };
const side = (id: number, name: string) => ({
  key: `team:${id}`,
  id,
  name,
  abbreviation: null,
  country_code: null,
  placeholder: false,
});

/** A schedule of an event of team 1, with this name for its side. */
const scheduled = (n: number, name: string): EventCommand => ({
  kind: 'schedule',
  identity,
  at: day(n),
  source: 'a',
  content: { starts_at: day(9), sides: [side(1, name), side(2, 'X')] },
});
/** The command for the event after these reports on team 1. */
const described1 = (...facts: TeamFact[]): EventCommand => ({
  kind: 'description',
  identity,
  side: 'team:1',
  source: 'a',
  profiles: standingsAfter(...facts),
});
const givenEvent = (...facts: EventCommand[]) => given(eventDecider, ...eventsOf(eventDecider, ...facts));
/** The times and names recorded for the event. */
const participantDescribed = (n: number, name: string) => ({
  type: 'ParticipantDescribed',
  data: { at: day(n), profile: { name } },
});

describe('profiles that an event gets from the directory', () => {
  it('given the profile of the schedule, then nothing is recorded', () => {
    givenEvent(scheduled(1, 'KC'))
      .when(described1(told(1, named('KC'))))
      .thenNothing();
  });

  it('given another name, then it is recorded once', () => {
    const description = described1(told(1, described('Chiefs')));
    givenEvent(scheduled(2, 'KC'))
      .when(description)
      .thenLike([participantDescribed(1, 'Chiefs')]);
    givenEvent(scheduled(2, 'KC'), description).when(description).thenNothing();
  });

  it('given a name that changed before the event was scheduled, then only the last is recorded', () => {
    givenEvent(scheduled(3, 'TEN'))
      .when(described1(told(1, described('Oilers')), told(2, described('Titans'))))
      .thenLike([participantDescribed(2, 'Titans')]);
  });

  it('given an older description that comes late, then the event gets the profile from that time on', () => {
    const fourth = told(4, described('Fourth'));
    const second = told(2, described('Second', { image_url: 'x' }));
    givenEvent(scheduled(1, 'KC'))
      .when(described1(fourth))
      .thenLike([participantDescribed(4, 'Fourth')]);
    // From the fourth on, the image of the second shows too.
    givenEvent(scheduled(1, 'KC'), described1(fourth))
      .when(described1(fourth, second))
      .thenLike([participantDescribed(2, 'Second'), participantDescribed(4, 'Fourth')]);
  });

  it('given a change that turns out to be none, then the earlier profile is recorded again', () => {
    const facts = [told(2, described('Same')), told(3, described('Aaa'))];
    givenEvent(scheduled(1, 'KC'))
      .when(described1(...facts))
      .thenLike([participantDescribed(2, 'Same'), participantDescribed(3, 'Aaa')]);
    // At one time the greater content counts: as if `Aaa` had never shown.
    const settled = described1(...facts, told(3, described('Same')));
    const before = [scheduled(1, 'KC'), described1(...facts)];
    givenEvent(...before)
      .when(settled)
      .thenLike([participantDescribed(3, 'Same')]);
    givenEvent(...before, settled)
      .when(settled)
      .thenNothing();
  });

  it('comes to the same in every order', () => {
    const fact = fc.record({
      n: fc.integer({ min: 1, max: 6 }),
      content: fc.tuple(fc.boolean(), fc.constantFrom('A', 'B'), fc.boolean()).map(([isNamed, name, hasCity]) => ({
        ...(isNamed ? named(name) : described(name)),
        facts: { name, ...(hasCity ? { city: 'Here' } : {}) },
      })),
    });
    const orders = fc
      .array(fact, { minLength: 1, maxLength: 8 })
      .chain((told) => fc.tuple(fc.constant(told), fc.shuffledSubarray(told, { minLength: told.length })));
    fc.assert(
      fc.property(orders, ([one, other]) => {
        const [first, second] = [one, other].map((facts) => facts.map(({ n, content }) => told(n, content)));
        const { document } = given(teams, ...streamAfter(...first!));
        given(teams, ...streamAfter(...second!)).then(document);
        expect(standingsAfter(...second!)).toEqual(standingsAfter(...first!));
      }),
      { numRuns: 500 },
    );
  });
});
