import { describe, expect, it } from 'vitest';
import { EMPTY_BOARD, withBoard } from '../../../../../src/web/live/page/view-model/board-state.ts';
import { homeSideIndex, sortOutcomes } from '../../../../../src/web/live/page/view-model/event-sides.ts';
import {
  competitionLabel,
  filterFor,
  idsInOrder,
  sectionsOf,
  tabsOf,
} from '../../../../../src/web/live/page/view-model/sections.ts';
import { board, boardEvent } from './board-events.ts';

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
    const ids = sectionsOf(state, 'all').map(({ name, events }) => [name, events.map(({ event }) => event.id)]);
    expect(ids).toEqual([
      ['Live now', [6, 4]],
      ['Basketball', [3, 2, 1, 5]],
    ]);
    expect(idsInOrder(state, 'all')).toEqual([6, 4, 3, 2, 1, 5]);
  });

  it('of one sport have its live events first', () => {
    expect(idsInOrder(state, 'nba')).toEqual([4, 3, 2, 1, 5]);
    expect(idsInOrder(state, 'live')).toEqual([6, 4]);
  });

  it('shorten a long sport where several show: what is next, what ended last', () => {
    const long = [
      ...[11, 12, 13, 14].map((id) => boardEvent(id, { status: 'scheduled', starts_at: at(id + 8) })),
      ...[21, 22, 23].map((id) => boardEvent(id, { status: 'final', starts_at: at(id - 10) })),
    ];
    const other = boardEvent(99, { sport: 'nfl', league: 'nfl', status: 'final' });
    const many = withBoard(EMPTY_BOARD, board([...long, other]), 0);
    expect(idsInOrder(many, 'all')).toEqual([99, 11, 12, 13, 22, 23]);
    expect(sectionsOf(many, 'all').map(({ more }) => more)).toEqual([0, 2]);
    expect(idsInOrder(many, 'nba').length).toBe(7);
    expect(idsInOrder(withBoard(EMPTY_BOARD, board(long), 0), 'all').length).toBe(7);
  });

  it('say of a live event which sport it is, and of others which league where a sport has several', () => {
    const [live, nba] = sectionsOf(state, 'all');
    const { sports } = state.board!;
    expect(competitionLabel(live!, live!.events[0]!.event, sports)).toBe('American Football');
    expect(competitionLabel(nba!, nba!.events[0]!.event, sports)).toBeUndefined();
    const two = [{ slug: 'nba', name: 'Basketball', leagues: [...sports[1]!.leagues, { slug: 'cup', name: 'Cup' }] }];
    expect(competitionLabel({ ...nba!, league: null }, boardEvent(1, { league: 'cup' }), two)).toBe('Cup');
  });

  it('are counted, with those that are live', () => {
    expect(tabsOf(state)).toEqual([
      { filter: 'all', name: 'All', count: 6, live: 2 },
      { filter: 'live', name: 'Live', count: 2, live: 2 },
      { filter: 'nfl', name: 'American Football', count: 1, live: 1 },
      { filter: 'nba', name: 'Basketball', count: 5, live: 1 },
    ]);
  });

  it('show all on a day without the chosen sport', () => {
    expect(filterFor(state, 'nfl')).toBe('nfl');
    expect(filterFor(state, 'tennis')).toBe('all');
  });
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
