import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decideTeam, evolveTeam, initialTeam } from '../../commands/directory/decider.ts';
import { decideDescription, decideSchedule, evolveEvent, initialEvent } from '../../commands/events/decider.ts';
import { type TeamDocument, teams } from '../../projections/teams.ts';
import type { TeamContent, TeamFacts } from '../../src/domain/directory.ts';
import { newStream } from './stream.ts';

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

function newTeam() {
  const stream = newStream(initialTeam, evolveTeam);
  let document: TeamDocument | undefined;
  return {
    state: stream.state,
    document: () => document,
    tell(n: number, content: TeamContent, source = 'a') {
      const fact = { id: 1, sport: 'nfl', at: day(n), source, content };
      const records = stream.decide((state) => decideTeam(fact, state));
      for (const record of records) if (record.type === 'TeamChanged') document = teams.apply(document, record);
      return records.map(({ type }) => type);
    },
  };
}

describe('an entry of the directory', () => {
  it('given a naming, when a description comes, then it stands, with what only the naming tells', () => {
    const team = newTeam();
    team.tell(2, named('KC', { country_code: 'USA' }));
    team.tell(1, described('Kansas City Chiefs'));
    expect(team.document()).toMatchObject({ facts: { name: 'Kansas City Chiefs', country_code: 'USA' } });
  });

  it('given namings, when they come in any order, then the earliest stands', () => {
    for (const order of [
      [1, 2],
      [2, 1],
    ]) {
      const team = newTeam();
      for (const n of order) team.tell(n, named(`name ${n}`));
      expect(team.document()).toMatchObject({ facts: { name: 'name 1' } });
    }
  });

  it('given descriptions, when an older one comes late, then it fills in what newer ones leave out, and no more', () => {
    const team = newTeam();
    team.tell(3, described('New', { city: 'Here' }));
    team.tell(1, described('Old', { city: 'There', division: 'West' }));
    expect(team.document()).toMatchObject({ facts: { name: 'New', city: 'Here', division: 'West' } });
  });

  it('given a description, when it is repeated, then the record is compact; told again, there is none', () => {
    const team = newTeam();
    team.tell(1, described('New'));
    expect(team.tell(2, described('New'))).toEqual(['TeamReconfirmed']);
    expect(team.tell(2, described('New'))).toEqual([]);
    expect(team.tell(1, described('New'))).toEqual([]);
  });

  it('tells from which time on which name stood', () => {
    const team = newTeam();
    team.tell(4, described('Third'));
    team.tell(1, named('First'));
    team.tell(2, described('Second'));
    team.tell(3, described('Second'));
    expect(team.state().standings.map(({ rank, at, profile }) => [rank, at, profile.name])).toEqual([
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

/** An event of team 1, whose side a schedule calls `name`. */
function newEvent() {
  const stream = newStream(initialEvent, evolveEvent);
  return {
    schedule: (n: number, name: string) =>
      stream.decide((state) =>
        decideSchedule(
          { identity, at: day(n), source: 'a', content: { starts_at: day(9), sides: [side(1, name), side(2, 'X')] } },
          state,
        ),
      ),
    describe(team: ReturnType<typeof newTeam>) {
      const { standings } = team.state();
      const records = stream.decide((state) =>
        decideDescription({ identity, side: 'team:1', source: 'a', standings }, state),
      );
      return records.map(({ data }) => [data.at, (data as { profile: { name: string } }).profile.name]);
    },
  };
}

describe('what the directory tells an event', () => {
  it('given what the schedule says already, then it tells nothing', () => {
    const [team, event] = [newTeam(), newEvent()];
    team.tell(1, named('KC'));
    event.schedule(1, 'KC');
    expect(event.describe(team)).toEqual([]);
  });

  it('given another name, then it tells it once', () => {
    const [team, event] = [newTeam(), newEvent()];
    team.tell(1, described('Chiefs'));
    event.schedule(2, 'KC');
    expect(event.describe(team)).toEqual([[day(1), 'Chiefs']]);
    expect(event.describe(team)).toEqual([]);
  });

  it('given a name that changed before the event was scheduled, then only the last is told', () => {
    const [team, event] = [newTeam(), newEvent()];
    team.tell(1, described('Oilers'));
    team.tell(2, described('Titans'));
    event.schedule(3, 'TEN');
    expect(event.describe(team)).toEqual([[day(2), 'Titans']]);
  });

  it('given an older description that comes late, then the event is told what stood from then on', () => {
    const [team, event] = [newTeam(), newEvent()];
    event.schedule(1, 'KC');
    team.tell(4, described('Fourth'));
    expect(event.describe(team)).toEqual([[day(4), 'Fourth']]);
    team.tell(2, described('Second', { image_url: 'x' }));
    // From the fourth on the image of the second shows too.
    expect(event.describe(team)).toEqual([
      [day(2), 'Second'],
      [day(4), 'Fourth'],
    ]);
  });

  it('given a change that turns out to be none, then what stood before is told again', () => {
    const [team, event] = [newTeam(), newEvent()];
    event.schedule(1, 'KC');
    team.tell(2, described('Same'));
    team.tell(3, described('Aaa'));
    expect(event.describe(team)).toEqual([
      [day(2), 'Same'],
      [day(3), 'Aaa'],
    ]);
    // Of one time the greater stands: as if `Aaa` had never shown.
    team.tell(3, described('Same'));
    expect(event.describe(team)).toEqual([[day(3), 'Same']]);
    expect(event.describe(team)).toEqual([]);
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
        const [first, second] = [newTeam(), newTeam()];
        for (const { n, content } of one) first.tell(n, content);
        for (const { n, content } of other) second.tell(n, content);
        expect(second.document()).toEqual(first.document());
        expect(second.state().standings).toEqual(first.state().standings);
      }),
      { numRuns: 500 },
    );
  });
});
