import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type MendingServer, openMendingServer } from '../subjects/mending-server.ts';

const MLB = { sport: 'mlb', league: 'mlb' };
const team = (source: string, ref: string, name: string, more: object = {}) => ({
  ...MLB,
  ...{ kind: 'team', source, ref, name, abbreviation: name.slice(0, 3), at: '2026-09-01T00:00:00Z', ...more },
});
const game = (source: string, ref: string, home: object, away: object, startsAt = '2026-09-10T18:00:00Z') => ({
  ...MLB,
  ...{ kind: 'schedule', source, ref, at: '2026-09-02T00:00:00Z', starts_at: startsAt },
  participants: [
    { role: 'home', ...home },
    { role: 'away', ...away },
  ],
});
const odds = (home: string, away: string, startsAt = '2026-09-10T18:00:00Z') => ({
  ...{ kind: 'odds', source: 'book', at: '2026-09-09T10:00:00Z', bookmaker: 'pinnacle' },
  match: { ...MLB, starts_at: startsAt, home, away },
  markets: [{ key: 'h2h', outcomes: [{ outcome: 'home', price: -120 }] }],
});
const split = (source: string, ref: string, more: object = {}) => ({
  ...{ kind: 'identity', source: 'operator', at: '2026-09-05T00:00:00Z', action: 'split', what: 'team' },
  ...{ source_ref: { source, ref }, ...more },
});
const act = (action: string, members: object) => ({
  ...{ kind: 'identity', source: 'operator', at: '2026-09-06T00:00:00Z', action, ...members },
});
const undo = (number: number) => act('undo', { act: number });

let server: MendingServer;
beforeEach(async () => {
  server = await openMendingServer();
});
afterEach(() => server.close());

const tell = async (...messages: readonly object[]) => {
  for (const status of await server.tell(...messages)) expect(status).toBe('accepted');
};
const sidesOf = async (source: string, ref: string): Promise<readonly (number | null)[]> => {
  const { id } = (await server.identities.findEvent(source, ref))!;
  const document = (await server.document('events', id)) as any;
  return document.event.schedule.sides.map((side: { id: number | null }) => side.id);
};

describe('a ref that was bound to the wrong team', () => {
  const CUBS = team('league', 'chc', 'Chicago Cubs');
  const SOX = team('league', 'cws', 'Chicago White Sox');

  it('goes to the right one with its name, so that the name alone means that one too', async () => {
    await tell(CUBS, SOX, team('league', 'nyy', 'New York Yankees'));
    const bind = { what: 'team', source_ref: { source: 'wire', ref: '77' }, into: 1 };
    await tell(act('bind', bind), team('wire', '77', 'Sox of Chicago', { abbreviation: 'SOX' }));
    await tell(game('wire', 'w1', { name: 'Sox of Chicago', ref: '77' }, { name: 'New York Yankees' }));
    expect(await sidesOf('wire', 'w1')).toEqual([1, 3]);
    await tell(split('wire', '77', { into: 2 }));

    expect(await sidesOf('wire', 'w1')).toEqual([2, 3]);
    const [cubs, sox] = [await server.document('teams', 1), await server.document('teams', 2)] as any[];
    expect([cubs.facts.name, cubs.facts.abbreviation]).toEqual(['Chicago Cubs', 'Chi']);
    expect([sox.facts.name, sox.facts.abbreviation]).toEqual(['Sox of Chicago', 'SOX']);
    await tell(odds('Sox of Chicago', 'New York Yankees'));
    await tell(game('radio', 'r1', { name: 'Sox of Chicago' }, { name: 'Chicago Cubs' }, '2026-09-20T18:00:00Z'));
    expect(await sidesOf('radio', 'r1')).toEqual([2, 1]);
  });

  it('leaves the name with both where others have used it, so that the name alone waits until that is undone', async () => {
    await tell(CUBS, team('wire', '77', 'Chicago Cubs'));
    await tell(game('league', 'g1', { name: 'Chicago Cubs', ref: 'chc' }, { name: 'Reds' }));
    await tell(split('wire', '77'));
    expect(await server.tell(odds('Chicago Cubs', 'Reds'))).toEqual(['quarantined']);
    expect(await server.waiting()).toMatchObject([{ code: 'ambiguous_team' }]);
    await tell(undo(1));
    expect(await server.waiting()).toEqual([]);
  });

  it('gives what was told first of the new team, though the directory had kept the first mention of the other', async () => {
    await tell(game('league', 'g1', { name: 'Cubs', ref: 'chc' }, { name: 'Reds' }));
    await tell(game('wire', 'w1', { name: 'Cubs', ref: '77', abbreviation: 'CUW' }, { name: 'Mets' }));
    await tell(split('wire', '77'));
    const [, into] = [0, (await server.identities.findByName('team', 'mlb', 'mets'))[0]!];
    const [, other] = [into, (await sidesOf('wire', 'w1'))[0]!];
    expect(((await server.document('teams', other)) as any).facts).toEqual({ name: 'Cubs', abbreviation: 'CUW' });
    expect((await sidesOf('league', 'g1'))[0]).not.toBe(other);
  });

  it('given another server to which the log is told, then its teams are the same', async () => {
    await tell(CUBS, SOX, team('wire', '77', 'Chicago Cubs', { city: 'Chicago' }));
    await tell(game('wire', 'w1', { name: 'Chicago Cubs', ref: '77' }, { name: 'Reds' }));
    await tell(split('wire', '77'));
    const other = await openMendingServer();
    try {
      await other.tell(...(await server.replayed()));
      const idIn = async (one: MendingServer) => ((await one.acts()) as any[])[0].content.into as number;
      const facts = async (one: MendingServer) => ((await one.document('teams', await idIn(one))) as any).facts;
      expect(await facts(other)).toEqual(await facts(server));
      expect(await facts(server)).toMatchObject({ city: 'Chicago' });
    } finally {
      await other.close();
    }
  });
});

describe('a split of a team or player is refused, and does nothing:', () => {
  const CUBS = [team('league', 'chc', 'Cubs'), team('wire', '77', 'Cubs'), team('league', 'cin', 'Reds')];
  const refused = async (message: object, code: string) => {
    const before = (await server.records()).length;
    expect(await server.tell(message)).toEqual([code]);
    expect((await server.records()).length).toBe(before);
  };

  it('a ref that is none', async () => {
    await tell(...CUBS);
    await refused(split('wire', '78'), 'not_found');
    await refused(split('wire', '77', { what: 'player' }), 'not_found');
  });

  it('into one that is not there', async () => {
    await tell(...CUBS);
    await refused(split('wire', '77', { into: 99 }), 'not_found');
  });

  it('a ref that nothing names', async () => {
    await tell(...CUBS, act('bind', { what: 'team', source_ref: { source: 'radio', ref: 'r' }, into: 1 }));
    await refused(split('radio', 'r'), 'not_found');
  });

  it('into the one that has it, which it is already', async () => {
    await tell(...CUBS);
    await refused(split('wire', '77', { into: 1 }), 'unchanged');
  });

  it('the ref that is all that a team has', async () => {
    await tell(...CUBS);
    await refused(split('league', 'cin'), 'same');
    await refused(split('league', 'cin', { into: 1 }), 'same');
  });

  it('into a team of another league or sport', async () => {
    const nba = { sport: 'nba', league: 'nba' };
    await tell(...CUBS, { ...team('league', 'lal', 'Lakers'), ...nba });
    await refused(split('wire', '77', { into: 3 }), 'different_league');
  });

  it('into a team that what the source calls so has met', async () => {
    await tell(...CUBS, game('wire', 'w1', { name: 'Cubs', ref: '77' }, { name: 'Reds' }));
    await refused(split('wire', '77', { into: 2 }), 'different_sides');
  });

  it('a ref that means a team in two sports, unless the sport is said', async () => {
    const nba = { sport: 'nba', league: 'nba' };
    await tell(
      ...CUBS,
      ...[team('league', 'lal', 'Lakers'), team('wire', '77', 'Lakers')].map((one) => ({ ...one, ...nba })),
    );
    await refused(split('wire', '77'), 'ambiguous');
    await tell(split('wire', '77', { sport: 'nba' }));
    expect((await server.acts()).at(-1)).toMatchObject({ content: { from: 3, sport: 'nba' } });
  });

  it('its undo, once another act stands on it', async () => {
    await tell(...CUBS, split('wire', '77'));
    const [{ content }] = (await server.acts()) as [{ content: { into: number } }];
    await tell(act('merge', { what: 'team', from: content.into, into: 2 }));
    await refused(undo(1), 'stands_on');
    await tell(undo(2), undo(1));
  });

  it('its undo, once events are one because of it', async () => {
    await tell(...CUBS, game('league', 'g1', { name: 'Reds', ref: 'cin' }, { name: 'Mets' }));
    await tell(game('wire', 'w1', { name: 'Cubs', ref: '77' }, { name: 'Mets' }, '2026-09-10T18:00:00Z'));
    await tell(split('wire', '77', { into: 2 }), act('merge', { what: 'event', from: 2, into: 1 }));
    await refused(undo(1), 'stands_on');
    await tell(undo(2), undo(1));
    expect((await sidesOf('wire', 'w1'))[0]).toBe(1);
  });
});
