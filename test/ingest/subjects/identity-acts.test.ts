import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type MendingServer, openMendingServer } from './mending-server.ts';

const AT = '2026-09-10T12:00:00Z';
const schedule = (ref: string, startsAt: string, more: object = {}) => ({
  kind: 'schedule',
  source: 'a',
  at: '2026-09-01T00:00:00Z',
  ref,
  sport: 'mlb',
  league: 'mlb',
  starts_at: startsAt,
  participants: [
    { role: 'home', ref: 'cubs', name: 'Cubs' },
    { role: 'away', ref: 'reds', name: 'Reds' },
  ],
  ...more,
});
const score = (ref: string, at = '2026-09-10T18:30:00Z', points = '1') => ({
  kind: 'score',
  source: 'b',
  at,
  ref,
  status: 'inprogress',
  scores: [{ role: 'home', score: points }],
});
const split = (home: string) => ({
  kind: 'splits',
  source: 'b',
  at: '2026-09-10T10:00:00Z',
  match: { sport: 'mlb', league: 'mlb', starts_at: '2026-09-10T18:00:00Z', home, away: 'Reds' },
  markets: { moneyline: { home: { bets_pct: 60, handle_pct: 50 }, away: { bets_pct: 40, handle_pct: 50 } } },
});
const act = (more: object) => ({ kind: 'identity', source: 'operator', at: AT, ...more });
const bind = (ref: string, into: unknown) =>
  act({ action: 'bind', what: 'event', source_ref: { source: 'b', ref }, into });
const dismiss = (ref: string) => act({ action: 'dismiss', what: 'event', source_ref: { source: 'b', ref } });
const alias = (name: string, id: unknown = 1, more: object = {}) =>
  act({ action: 'alias', what: 'team', id, name, ...more });
const undo = (of: unknown) => act({ action: 'undo', act: of });

describe.each([
  ['one intake', false],
  ['an intake of several', true],
])('acts on identities, by %s', (_intake, isShared) => {
  let server: MendingServer;
  beforeEach(async () => {
    server = await openMendingServer({ isShared });
    await server.tell(schedule('g1', '2026-09-10T18:00:00Z'), schedule('g2', '2026-09-10T23:00:00Z'));
  });
  afterEach(() => server.close());

  describe('bind', () => {
    it('releases what waits under the ref, and takes what comes later', async () => {
      expect(await server.tell(score('x'))).toEqual(['quarantined']);
      expect(await server.tell(bind('x', 2))).toEqual(['accepted']);
      expect(await server.waiting()).toEqual([]);
      expect(await server.tell(score('x', '2026-09-10T19:30:00Z', '2'))).toEqual(['accepted']);
      expect(await server.typesOf('event-2')).toEqual(['EventScheduled', 'ScoreChanged', 'EventBound', 'ScoreChanged']);
      expect(await server.acts()).toMatchObject([{ act: 1, moved: { records: 1, refs: 1 }, note: null, by: null }]);
    });

    it('may name the event by a ref of a source', async () => {
      expect(await server.tell(score('x'), bind('x', { source: 'a', ref: 'g2' }))).toEqual(['quarantined', 'accepted']);
      expect(await server.waiting()).toEqual([]);
    });

    it('changes nothing when it is told again', async () => {
      await server.tell(bind('x', 2), score('x'));
      expect(await server.tell(bind('x', 2))).toEqual(['unchanged']);
      expect(await server.acts()).toHaveLength(1);
    });

    it.each([
      ['an event that is not known', bind('x', 9), 'not_found'],
      ['a ref that no event has', bind('x', { source: 'a', ref: 'g9' }), 'not_found'],
    ])('refuses %s', async (_, message, code) => {
      expect(await server.tell(message)).toEqual([code]);
      expect(await server.acts()).toEqual([]);
    });

    it('refuses a ref that means another event', async () => {
      expect(await server.tell(bind('x', 1), score('x'), bind('x', 2))).toEqual([
        'accepted',
        'accepted',
        'already_bound',
      ]);
      expect(await server.acts()).toHaveLength(1);
    });

    it('refuses an event of another league than what waits', async () => {
      const message = { ...split('Cubs'), ref: 'y', match: { ...split('Cubs').match, league: 'nba', sport: 'nba' } };
      expect(await server.tell(message)).toEqual(['quarantined']);
      expect(await server.tell(bind('y', 1))).toEqual(['different_league']);
    });

    it('is taken back while nothing was told under the ref', async () => {
      await server.tell(bind('x', 2));
      expect(await server.tell(undo(1))).toEqual(['accepted']);
      expect(await server.tell(score('x'))).toEqual(['quarantined']);
      expect(await server.tell(undo(2))).toEqual(['accepted']);
      expect(await server.waiting()).toEqual([]);
    });

    it('stays once something was told under the ref', async () => {
      await server.tell(score('x'), bind('x', 2));
      expect(await server.tell(undo(1))).toEqual(['has_records']);
      expect(await server.acts()).toHaveLength(1);
    });

    it('is not done again where a later act has bound the ref', async () => {
      expect(await server.tell(bind('x', 2), undo(1), bind('x', 1), score('x'))).toEqual(Array(4).fill('accepted'));
      expect(await server.tell(undo(2))).toEqual(['stands_on']);
    });

    it('keeps a message that is refused once it is released, until it is dismissed', async () => {
      const late = { ...split('Cubs'), at: '2026-09-10T19:00:00Z', ref: 'x', match: undefined };
      expect(await server.tell(late)).toEqual(['quarantined']);
      expect(await server.tell(bind('x', 1))).toEqual(['accepted']);
      expect(await server.waiting()).toEqual([{ ref: 'x', messages: 1, code: 'refused' }]);
      await server.reopen();
      expect(await server.waiting()).toEqual([{ ref: 'x', messages: 1, code: 'refused' }]);
      expect(await server.tell(dismiss('x'))).toEqual(['accepted']);
      expect([await server.waiting(), await server.size()]).toEqual([[], 0]);
      expect(await server.tell(undo(2))).toEqual(['accepted']);
      expect(await server.waiting()).toEqual([{ ref: 'x', messages: 1, code: 'refused' }]);
    });

    it('tries a message that was refused again once its ref is split off to another event', async () => {
      const late = { ...split('Cubs'), at: '2026-09-10T19:00:00Z', ref: 'x', match: undefined };
      expect(await server.tell(late, bind('x', 1))).toEqual(['quarantined', 'accepted']);
      const moved = act({ action: 'split', what: 'event', source_ref: { source: 'b', ref: 'x' }, into: 2 });
      expect(await server.tell(moved)).toEqual(['accepted']);
      expect(await server.waiting()).toEqual([]);
      expect(await server.typesOf(server.log.replacements.current('splits-2'))).toEqual(['SplitsChanged']);
    });

    it('of a ref under which nothing was told is moved by a split, and back by its undo', async () => {
      const meaning = async () => (await server.identities.findEvent('b', 'x'))?.id;
      const moved = act({ action: 'split', what: 'event', source_ref: { source: 'b', ref: 'x' }, into: 2 });
      expect(await server.tell(bind('x', 1), moved)).toEqual(['accepted', 'accepted']);
      expect(await meaning()).toBe(2);
      expect(await server.tell(undo(1))).toEqual(['stands_on']);
      expect(await server.tell(undo(2))).toEqual(['accepted']);
      expect(await meaning()).toBe(1);
      expect(await server.tell(score('x'))).toEqual(['accepted']);
      expect(await server.typesOf(server.log.replacements.current('event-1'))).toContain('ScoreChanged');
    });

    it('to an event of another league by mistake is put right by a split of the ref', async () => {
      const basketball = { sport: 'nba', league: 'nba', ref: 'n1' };
      await server.tell({ ...schedule('n1', '2026-09-10T18:00:00Z'), ...basketball });
      const nba = (await server.identities.findEvent('a', 'n1'))!.id;
      const price = {
        kind: 'odds',
        ...{ source: 'b', at: '2026-09-10T10:00:00Z', ref: 'x', bookmaker: 'pinnacle' },
        markets: [{ key: 'h2h', outcomes: [{ outcome: 'home', price: -120 }] }],
      };
      await server.tell(price, bind('x', nba));
      expect(await server.typesOf(`odds-${nba}`)).toEqual(['PricesChanged']);
      expect(await server.tell(undo(1))).toEqual(['has_records']);
      const right = act({ action: 'split', what: 'event', source_ref: { source: 'b', ref: 'x' }, into: 2 });
      expect(await server.tell(right)).toEqual(['accepted']);
      const current = (stream: string) => server.log.replacements.current(stream);
      expect(await server.typesOf(current(`odds-${nba}`))).toEqual([]);
      const [moved] = await server.log.readStream(current('odds-2'));
      expect(moved).toMatchObject({ type: 'PricesChanged', data: { eventId: 2, sport: 'mlb', league: 'mlb' } });
      expect(await server.tell({ ...price, at: '2026-09-10T11:00:00Z' })).toEqual(['accepted']);
      expect(await server.typesOf(current('odds-2'))).toEqual(['PricesChanged', 'PricesReconfirmed']);
    });

    it('binds what a source calls a team', async () => {
      const injury = {
        kind: 'injury',
        source: 'b',
        at: AT,
        sport: 'mlb',
        league: 'mlb',
        team_ref: 't9',
        player: 'Ann Lee',
        status: 'out',
      };
      expect(await server.tell(injury)).toEqual(['quarantined']);
      const message = act({ action: 'bind', what: 'team', source_ref: { source: 'b', ref: 't9' }, into: 1 });
      expect(await server.tell(message)).toEqual(['accepted']);
      expect(await server.typesOf('injuries-1')).toEqual(['InjuryReported']);
      expect(await server.tell(undo(1))).toEqual(['has_records']);
    });
  });

  describe('a ref that means a team in two sports', () => {
    const team = (sport: string, name: string) => ({
      kind: 'team',
      source: 'a',
      at: '2026-09-01T00:00:00Z',
      sport,
      league: sport,
      ref: '77',
      name,
      abbreviation: name.slice(0, 3),
    });
    const named = { source: 'a', ref: '77' };
    const bindTeam = (more: object = {}) =>
      act({ action: 'bind', what: 'team', source_ref: { source: 'b', ref: 't9' }, into: named, ...more });
    const aliasOf = (more: object = {}) => alias('The Team', named, more);
    let nba: number;
    beforeEach(async () => {
      expect(await server.tell(team('mlb', 'Phillies'), team('nba', 'Sixers'))).toEqual(['accepted', 'accepted']);
      nba = (await server.identities.findEntity('team', 'nba', 'a', '77'))!;
    });

    it('is refused as ambiguous by a bind and by an alias, unless they say the sport', async () => {
      expect(await server.tell(bindTeam(), aliasOf())).toEqual(['ambiguous', 'ambiguous']);
      expect(await server.tell(bindTeam({ sport: 'nba' }), aliasOf({ sport: 'nba' }))).toEqual([
        'accepted',
        'accepted',
      ]);
      expect(await server.acts()).toMatchObject([
        { content: { into: nba, sport: 'nba' } },
        { content: { id: nba, sport: 'nba' } },
      ]);
    });

    it('means the same one on a server to which the log is replayed', async () => {
      await server.tell(bindTeam({ sport: 'nba' }), aliasOf({ sport: 'nba' }));
      const other = await openMendingServer({ isShared });
      await other.tell(...(await server.replayed()));
      expect(await other.acts()).toMatchObject([{ content: { sport: 'nba' } }, { content: { sport: 'nba' } }]);
      await other.close();
    });
  });

  describe('alias', () => {
    it('releases what waits for the name', async () => {
      expect(await server.tell(split('Chicago'))).toEqual(['quarantined']);
      expect(await server.tell(alias('Chicago'))).toEqual(['accepted']);
      expect(await server.waiting()).toEqual([]);
      expect(await server.typesOf('splits-1')).toEqual(['SplitsChanged']);
    });

    it('tells the directory of the name, and of its end', async () => {
      await server.tell(alias('Chicago'));
      expect(await server.document('teams', 1)).toMatchObject({ aliased: ['Chicago'] });
      await server.tell(undo(1));
      expect(await server.document('teams', 1)).not.toHaveProperty('aliased');
    });

    it('is taken back, and done again', async () => {
      await server.tell(alias('Chicago'), undo(1));
      expect(await server.tell(split('Chicago'))).toEqual(['quarantined']);
      expect(await server.tell(undo(2))).toEqual(['accepted']);
      expect(await server.waiting()).toEqual([]);
    });

    it('leaves a name that a source uses when it is taken back', async () => {
      await server.tell(alias('Chicago'));
      const named = {
        participants: [
          { role: 'home', ref: 'cubs', name: 'Chicago' },
          { role: 'away', name: 'Reds' },
        ],
      };
      await server.tell(schedule('g3', '2026-09-12T18:00:00Z', named), undo(1));
      expect(await server.tell(split('Chicago'))).toEqual(['accepted']);
    });

    it('changes nothing where the name is known already', async () => {
      expect(await server.tell(alias('CUBS'))).toEqual(['unchanged']);
      expect(await server.acts()).toEqual([]);
    });

    it.each([
      ['a name of another team of the league', alias('Reds'), 'name_taken'],
      ['a team that is not known', alias('Chicago', 99), 'not_found'],
      ['a damaged name', alias('Chic\ufffdgo'), 'damaged_text'],
    ])('refuses %s', async (_, message, code) => {
      expect(await server.tell(message)).toEqual([code]);
      expect(await server.acts()).toEqual([]);
    });

    it('is not done again where another team has the name by now', async () => {
      await server.tell(alias('Chicago'), undo(1));
      await server.tell(alias('Chicago', 2));
      expect(await server.tell(undo(2))).toEqual(['name_taken']);
    });
  });

  describe('dismiss', () => {
    it('lists no more what waits, and does not try it again', async () => {
      await server.tell(score('x'), score('x', '2026-09-10T18:40:00Z'), score('y'));
      expect(await server.tell(dismiss('x'))).toEqual(['accepted']);
      expect(await server.waiting()).toEqual([{ ref: 'y', messages: 1, code: 'unknown_ref' }]);
      expect(await server.size()).toBe(1);
      expect(await server.tell(bind('x', 1))).toEqual(['accepted']);
      expect(await server.typesOf('event-1')).toEqual(['EventScheduled']);
      expect(await server.acts()).toMatchObject([{ moved: { records: 2, refs: 0 } }, {}]);
    });

    it('lets later messages wait', async () => {
      await server.tell(score('x'), dismiss('x'));
      server.clock.now += 1000;
      expect(await server.tell(score('x', '2026-09-10T19:00:00Z'))).toEqual(['quarantined']);
      expect(await server.waiting()).toMatchObject([{ ref: 'x', messages: 1 }]);
      expect(await server.tell(bind('x', 1))).toEqual(['accepted']);
      expect(await server.typesOf('event-1')).toEqual(['EventScheduled', 'ScoreChanged', 'EventBound']);
    });

    it('gives up messages without a ref by the id of their group', async () => {
      await server.tell(split('Chicago'));
      const [group] = await server.groups();
      expect(await server.tell(act({ action: 'dismiss', waiting: group!.id }))).toEqual(['accepted']);
      expect(await server.tell(alias('Chicago'))).toEqual(['accepted']);
      expect(await server.typesOf('splits-1')).toEqual([]);
      expect(await server.tell(undo(1))).toEqual(['accepted']);
      expect(await server.typesOf('splits-1')).toEqual(['SplitsChanged']);
    });

    it('is taken back: what was dismissed waits again, and is taken once it can be', async () => {
      await server.tell(score('x'), dismiss('x'));
      expect(await server.tell(undo(1))).toEqual(['accepted']);
      expect(await server.waiting()).toMatchObject([{ ref: 'x', messages: 1 }]);
      expect(await server.size()).toBe(1);
      await server.tell(bind('x', 1));
      expect(await server.typesOf('event-1')).toEqual(['EventScheduled', 'ScoreChanged', 'EventBound']);
    });

    it('gives up what came since the dismissal before, so that each is taken back alone', async () => {
      await server.tell(score('x'), dismiss('x'));
      server.clock.now += 1000;
      await server.tell(score('x', '2026-09-10T19:00:00Z', '2'), dismiss('x'));
      expect(await server.tell(undo(1))).toEqual(['accepted']);
      expect(await server.waiting()).toMatchObject([{ ref: 'x', messages: 1 }]);
      expect(await server.tell(bind('x', 1))).toEqual(['accepted']);
      expect(await server.typesOf('event-1')).toEqual(['EventScheduled', 'ScoreChanged', 'EventBound']);
      expect((await server.acts()).at(-1)).toMatchObject({ moved: { records: 1 } });
      await server.tell(undo(2));
      expect((await server.typesOf('event-1')).at(-1)).toBe('ScoreChanged');
    });

    it('stays while another dismissal of the same message is in force', async () => {
      await server.tell(score('x'), dismiss('x'), undo(1), dismiss('x'), undo(2));
      // Act 1 is in force again, and so is act 3.
      expect(await server.tell(undo(3), bind('x', 1))).toEqual(['accepted', 'accepted']);
      expect([await server.typesOf('event-1'), await server.size()]).toEqual([['EventScheduled'], 0]);
      await server.tell(undo(1));
      expect(await server.typesOf('event-1')).toEqual(['EventScheduled', 'ScoreChanged', 'EventBound']);
    });

    it('is done again when its undo is undone', async () => {
      await server.tell(score('x'), dismiss('x'), undo(1), undo(2));
      expect(await server.waiting()).toEqual([]);
    });

    it('gives up more messages than one batch retries', async () => {
      const many = Array.from({ length: 250 }, (_, n) => score('x', new Date(Date.parse(AT) + n * 1000).toISOString()));
      await server.tell(...many);
      await server.tell(dismiss('x'));
      expect([await server.waiting(), await server.size()]).toEqual([[], 0]);
      await server.tell(undo(1));
      expect(await server.size()).toBe(250);
    });

    it('goes on after a restart in the middle', async () => {
      await server.tell(score('x'), dismiss('x'));
      await server.reopen();
      expect(await server.waiting()).toEqual([]);
      await server.tell(undo(1));
      expect(await server.waiting()).toMatchObject([{ ref: 'x' }]);
    });

    it.each([
      ['a ref under which nothing waits', dismiss('z'), 'not_found'],
      ['a group that there is not', act({ action: 'dismiss', waiting: 'b event|b|z' }), 'not_found'],
      ['what is no id of a group', act({ action: 'dismiss', waiting: 'nonsense' }), 'not_found'],
    ])('refuses %s', async (_, message, code) => {
      expect(await server.tell(message)).toEqual([code]);
      expect(await server.acts()).toEqual([]);
    });

    it('changes nothing when it is told again', async () => {
      await server.tell(score('x'), dismiss('x'));
      expect(await server.tell(dismiss('x'))).toEqual(['unchanged']);
    });
  });

  describe('undo', () => {
    it('refuses an act that there is not', async () => {
      expect(await server.tell(undo(1), undo({ at: AT, action: 'bind' }))).toEqual(['not_found', 'not_found']);
    });

    it('changes nothing when it is told again', async () => {
      await server.tell(alias('Chicago'), undo(1));
      expect(await server.tell(undo(1))).toEqual(['unchanged']);
      expect(await server.acts()).toHaveLength(2);
    });
  });

  it.each([
    ['another source', { ...alias('x'), source: 'a' }, 'invalid_field'],
    ['an action that there is not', act({ action: 'merge' }), 'invalid_field'],
    ['an alias of an event', act({ action: 'alias', what: 'event', id: 1, name: 'x' }), 'invalid_field'],
    ['a bind without a ref', act({ action: 'bind', what: 'event', into: 1 }), 'invalid_field'],
    ['a dismissal of two things', { ...dismiss('x'), waiting: 'b event|b|x' }, 'invalid_field'],
    ['a note of 501 characters', { ...alias('Chicago'), note: 'x'.repeat(501) }, 'invalid_field'],
  ])('refuses %s', async (_, message, code) => {
    expect(await server.tell(message)).toEqual([code]);
  });

  it('keeps who acted and why', async () => {
    await server.tell({ ...alias('Chicago'), note: 'as on the ticket', by: 'ann' });
    expect(await server.acts()).toMatchObject([{ at: AT, by: 'ann', note: 'as on the ticket' }]);
  });

  it('acts the same on a server to which its log is replayed', async () => {
    await server.tell(score('x'), bind('x', 2), alias('Chicago'), undo(2), score('w'), dismiss('w'), split('Cubs'));
    const other = await openMendingServer({ isShared });
    const outcomes = await other.tell(...(await server.replayed()));
    expect(outcomes.filter((outcome) => outcome !== 'accepted' && outcome !== 'unchanged')).toEqual([]);
    expect(await other.typesOf('event-2')).toEqual(['EventScheduled', 'ScoreChanged', 'EventBound']);
    expect(await other.tell(split('Chicago'))).toEqual(['quarantined']);
    await other.close();
  });

  it('holds what waits with a reason as a code and with the candidates', async () => {
    await server.tell(schedule('g3', '2026-09-14T18:00:00Z'), schedule('g4', '2026-09-14T19:00:00Z'));
    const at = (starts_at: string) => ({
      ...split('Cubs'),
      ref: starts_at,
      match: { ...split('Cubs').match, starts_at },
    });
    await server.tell(at('2026-09-14T18:30:00Z'), at('2026-09-20T20:30:00Z'));
    await server.tell(split('Chicago'), score('x'));
    const groups = await server.groups();
    expect(groups.map(({ oldest: { code, candidates } }) => [code, candidates]).sort()).toEqual([
      ['ambiguous', [3, 4]],
      ['unknown_event', []],
      ['unknown_ref', []],
      ['unknown_team', []],
    ]);
  });
});
