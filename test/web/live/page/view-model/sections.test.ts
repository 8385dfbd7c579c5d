import { describe, expect, it } from 'vitest';
import {
  type BoardFilter,
  filterFor,
  filterOf,
  filterQuery,
  NO_FILTER,
} from '../../../../../src/web/live/page/view-model/board-filter.ts';
import { type BoardState, EMPTY_BOARD, withBoard } from '../../../../../src/web/live/page/view-model/board-state.ts';
import { homeSideIndex, sortOutcomes } from '../../../../../src/web/live/page/view-model/event-sides.ts';
import {
  NO_FAVOURITES,
  readFavourites,
  starsOf,
  toggleStar,
} from '../../../../../src/web/live/page/view-model/favourites.ts';
import { chipsOf, competitionLabel, sectionsOf } from '../../../../../src/web/live/page/view-model/sections.ts';
import { board, boardEvent, side } from './board-events.ts';

const only = (choice: Partial<BoardFilter>): BoardFilter => ({ ...NO_FILTER, ...choice });
const sections = (of: BoardState, choice: Partial<BoardFilter> = {}, stars = NO_FAVOURITES) =>
  sectionsOf(of, only(choice), stars);
const idsInOrder = (...of: Parameters<typeof sections>) =>
  sections(...of).flatMap(({ events }) => events.map(({ event }) => event.id));

const at = (hour: number) => `2026-03-01T${hour}:00:00Z`;
const state = withBoard(
  EMPTY_BOARD,
  board([
    boardEvent(1, { status: 'final', starts_at: at(10) }),
    boardEvent(2, { status: 'scheduled', starts_at: at(21) }),
    boardEvent(3, { status: 'scheduled', starts_at: at(20) }),
    boardEvent(4, { status: 'suspended', starts_at: at(22) }),
    boardEvent(5, { status: 'postponed', starts_at: at(11) }),
    boardEvent(6, { status: 'inprogress', starts_at: at(19), sport: 'nfl', league: 'nfl' }),
  ]),
  0,
);

describe('the sections of the board', () => {
  it('begin with what is live, and go by sport: to come by start, over, and last what is off', () => {
    const ids = sections(state).map(({ name, events }) => [name, events.map(({ event }) => event.id)]);
    expect(ids).toEqual([
      ['Live now', [6, 4]],
      ['Basketball', [3, 2, 1, 5]],
    ]);
    expect(idsInOrder(state)).toEqual([6, 4, 3, 2, 1, 5]);
  });

  it('of one sport have its live events first', () => {
    expect(idsInOrder(state, { sport: 'nba' })).toEqual([4, 3, 2, 1, 5]);
    expect(idsInOrder(state, { state: 'live' })).toEqual([6, 4]);
  });

  it('shorten a long sport where several show: what is next, what ended last', () => {
    const long = [
      ...[11, 12, 13, 14].map((id) => boardEvent(id, { status: 'scheduled', starts_at: at(id + 8) })),
      ...[21, 22, 23].map((id) => boardEvent(id, { status: 'final', starts_at: at(id - 10) })),
    ];
    const other = boardEvent(99, { sport: 'nfl', league: 'nfl', status: 'final' });
    const many = withBoard(EMPTY_BOARD, board([...long, other]), 0);
    expect(idsInOrder(many)).toEqual([99, 11, 12, 13, 22, 23]);
    expect(sections(many).map(({ more }) => more)).toEqual([0, 2]);
    expect(idsInOrder(many, { sport: 'nba' }).length).toBe(7);
    expect(idsInOrder(withBoard(EMPTY_BOARD, board(long), 0)).length).toBe(7);
  });

  it('say of a live event which league it is of, and of others where a sport has several', () => {
    const [live, nba] = sections(state);
    const { sports } = state.board!;
    expect(competitionLabel(live!, live!.events[0]!.event, sports)).toBe('NFL');
    expect(competitionLabel(nba!, nba!.events[0]!.event, sports)).toBeUndefined();
    const two = [
      {
        slug: 'nba',
        name: 'Basketball',
        leagues: [...sports[1]!.leagues, { slug: 'cup', name: 'The Cup', abbreviation: 'Cup' }],
      },
    ];
    expect(competitionLabel({ ...nba!, league: null }, boardEvent(1, { league: 'cup' }), two)).toBe('Cup');
  });

  it('lead to the page of their league: the only one of the day, or the chosen one', () => {
    const leagueOf = (of: BoardState, choice: Partial<BoardFilter>) => sections(of, choice)[0]!.league?.slug;
    expect([leagueOf(state, { sport: 'nba' }), leagueOf(state, {})]).toEqual(['nba', undefined]);
    const day = board([boardEvent(1), boardEvent(2, { league: 'cup' })]);
    const [sport] = day.sports.filter(({ slug }) => slug === 'nba');
    const two = {
      ...day,
      sports: [{ ...sport!, leagues: [...sport!.leagues, { slug: 'cup', name: 'The Cup', abbreviation: 'Cup' }] }],
    };
    const both = withBoard(EMPTY_BOARD, two, 0);
    expect([leagueOf(both, { sport: 'nba' }), leagueOf(both, { sport: 'nba', league: 'cup' })]).toEqual([
      undefined,
      'cup',
    ]);
  });

  it('show what is live, what comes soon, or what is over', () => {
    expect(idsInOrder(state, { state: 'soon' })).toEqual([3, 2]);
    expect(idsInOrder(state, { state: 'over' })).toEqual([1, 5]);
    expect(idsInOrder(state, { state: 'live', sport: 'nba' })).toEqual([4]);
    expect(idsInOrder(state, { league: 'nfl' })).toEqual([6]);
  });

  it('find events by words of their names, their sport and their league, without case and accents', () => {
    const named = withBoard(
      EMPTY_BOARD,
      board([
        boardEvent(1, {
          name: 'Atlético at Zürich',
          sides: [side('away', 'Atlético', null), side('home', 'Zürich', null)],
        }),
        boardEvent(2),
      ]),
      0,
    );
    const found = (text: string) => idsInOrder(named, { text });
    expect(found('atletico')).toEqual([1]);
    expect(found(' ZURICH atl ')).toEqual([1]);
    expect(found('basket')).toEqual([1, 2]);
    expect(found('home 2')).toEqual([2]);
    expect(found('zurich away')).toEqual([]);
  });

  it('begin with favourites: an event, a side or a league, each event once', () => {
    const { event } = state.events.get(2)!;
    const [ofEvent, ofSide, , ofLeague] = starsOf(event, 'NBA');
    const starred = (star: typeof ofEvent) => sections(state, {}, toggleStar(NO_FAVOURITES, star!));
    const shown = (star: typeof ofEvent) =>
      starred(star).map(({ name, events }) => [name, events.map(({ event: { id } }) => id)]);
    const first = [
      ['Favourites', [2]],
      ['Live now', [6, 4]],
      ['Basketball', [3, 1, 5]],
    ];
    expect(shown(ofEvent)).toEqual(first);
    expect(shown(ofSide)).toEqual(first);
    expect(shown(ofLeague)).toEqual([
      ['Favourites', [4, 3, 2, 1, 5]],
      ['Live now', [6]],
    ]);
    expect(idsInOrder(state, { state: 'live' }, toggleStar(NO_FAVOURITES, ofEvent!))).toEqual([6, 4]);
  });

  it('have choices with how many events are so, and how many of these are live', () => {
    const told = (filter: BoardFilter) =>
      chipsOf(state, filter).map(({ key, count, live, isChosen }) => [key, count, live, isChosen]);
    expect(told(NO_FILTER)).toEqual([
      ['all', 6, 2, true],
      ['live', 2, 2, false],
      ['soon', 2, 0, false],
      ['over', 2, 0, false],
      ['nfl', 1, 1, false],
      ['nba', 5, 1, false],
    ]);
    const chosen = chipsOf(state, only({ sport: 'nba' })).find(({ isChosen }) => isChosen);
    expect(chosen).toMatchObject({ key: 'nba', choice: { sport: null, league: null } });
  });

  it('offer the leagues of the chosen sport if it has several', () => {
    const cup = { slug: 'cup', name: 'The Cup', abbreviation: 'Cup' };
    const day = board([boardEvent(1), boardEvent(2, { league: 'cup' })]);
    const sports = day.sports.map((one) => (one.slug === 'nba' ? { ...one, leagues: [...one.leagues, cup] } : one));
    const both = withBoard(EMPTY_BOARD, { ...day, sports }, 0);
    const keys = chipsOf(both, only({ sport: 'nba', league: 'cup' })).map(({ key, isChosen }) => [key, isChosen]);
    expect(keys.filter(([key]) => String(key).startsWith('league'))).toEqual([
      ['league-nba', false],
      ['league-cup', true],
    ]);
  });

  it('show all on a day without the chosen sport', () => {
    expect(filterFor(state, only({ sport: 'nfl' })).sport).toBe('nfl');
    expect(filterFor(state, only({ sport: 'tennis', league: 'atp', state: 'live' }))).toEqual(only({ state: 'live' }));
  });

  it('of a league are those of its sport, so that its choice is to be seen and taken back', () => {
    const filter = filterFor(state, only({ league: 'nfl' }));
    expect(filter).toEqual(only({ sport: 'nfl', league: 'nfl' }));
    expect(filterFor(state, only({ sport: 'nba', league: 'nfl' }))).toEqual(filter);
    expect(chipsOf(state, filter).filter(({ isChosen }) => isChosen)).toMatchObject([{ key: 'nfl' }]);
    expect(idsInOrder(state, filter)).toEqual([6]);
  });

  it('are chosen by an address, which leaves out what it does not know', () => {
    const filter = only({ sport: 'soccer', league: 'epl', state: 'soon' });
    expect(filterOf('?sport=soccer&league=epl&state=soon')).toEqual(filter);
    expect(filterOf('?state=moon&sport=')).toEqual(NO_FILTER);
    expect(filterOf(filterQuery(filter))).toEqual(filter);
    expect(filterQuery(NO_FILTER)).toBe('');
  });
});

describe('favourites', () => {
  it('are kept until they are taken away, and at most 300 of a kind', () => {
    const star = (key: string) => ({ kind: 'events', key }) as const;
    const one = toggleStar(NO_FAVOURITES, star('1'));
    expect(toggleStar(one, star('1'))).toEqual(NO_FAVOURITES);
    let many = one;
    for (let key = 2; key < 400; key++) many = toggleStar(many, star(String(key)));
    expect([many.events.length, many.events.at(-1)]).toEqual([300, '399']);
    expect(readFavourites(JSON.stringify(many))).toEqual(many);
  });

  it.each([null, '', '{', 'null', '[]', '{"events":{}}', '{"sides":[1,{}]}'])(
    'are none where the browser has %s',
    (text) => {
      expect(readFavourites(text)).toEqual(NO_FAVOURITES);
    },
  );
});

describe('outcomes', () => {
  const outcomes = ['home', 'draw', 'away'].map((outcome) => ({ outcome }));
  const roles = (...names: string[]) => names.map((role) => ({ role }));

  it('stand in the order of the sides, whichever is shown first, and a draw last', () => {
    expect(sortOutcomes(outcomes, roles('away', 'home')).map(({ outcome }) => outcome)).toEqual([
      'away',
      'home',
      'draw',
    ]);
    expect(sortOutcomes(outcomes, roles('home', 'away')).map(({ outcome }) => outcome)).toEqual([
      'home',
      'away',
      'draw',
    ]);
    expect(sortOutcomes([{ outcome: 'under' }, { outcome: 'over' }], roles('home', 'away'))[0]!.outcome).toBe('over');
  });

  it('are charted from the home side', () => {
    expect(homeSideIndex(roles('away', 'home'))).toBe(1);
    expect(homeSideIndex(roles('player_1', 'player_2'))).toBe(0);
  });
});
