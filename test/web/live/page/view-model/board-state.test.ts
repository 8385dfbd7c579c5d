import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type BoardState,
  EMPTY_BOARD,
  lacksLeagueOf,
  withBoard,
  withEvent,
  withoutExpiredHighlights,
  withRequestStarted,
} from '../../../../../src/web/live/page/view-model/board-state.ts';
import { MOVE_HIGHLIGHT_MS, SCORE_HIGHLIGHT_MS } from '../../../../../src/web/live/page/view-model/highlights.ts';
import { board, boardEvent, h2h, side, spread } from './board-events.ts';

const NOW = 1_000_000;
const tomorrow = { starts_at: '2026-03-02T19:00:00Z' };
const scores = (away: string, home: string) => [side('away', 'Away 1', away), side('home', 'Home 1', home)];
const shown = (state: BoardState, id = 1) => state.events.get(id)!;

describe('two versions of one event', () => {
  it('the greater position wins, compared as a number', () => {
    const nine = withBoard(EMPTY_BOARD, board([boardEvent(1, { position: '9', clock: '9:00' })]), NOW);
    const ten = withEvent(nine, boardEvent(1, { position: '10', clock: '8:00' }), NOW);
    expect(shown(ten).event.clock).toBe('8:00');
    expect(shown(withEvent(ten, boardEvent(1, { position: '9', clock: '9:00' }), NOW)).event.clock).toBe('8:00');
  });

  it('positions beyond what a number holds exactly are told apart', () => {
    const first = withBoard(EMPTY_BOARD, board([boardEvent(1, { position: '9007199254740992' })]), NOW);
    const next = withEvent(first, boardEvent(1, { position: '9007199254740993', clock: '1:00' }), NOW);
    expect(shown(next).event.clock).toBe('1:00');
  });

  it('come to the same in whatever order the stream and the boards bring them', () => {
    const versions = fc.shuffledSubarray([1, 2, 3, 4, 5, 6], { minLength: 1 });
    const property = fc.property(
      versions,
      fc.array(fc.boolean(), { minLength: 6, maxLength: 6 }),
      (order, viaBoard) => {
        let state: BoardState = EMPTY_BOARD;
        order.forEach((position, index) => {
          const event = boardEvent(1, { position: String(position), clock: `${position}:00` });
          state = viaBoard[index] ? withBoard(state, board([event]), NOW) : withEvent(state, event, NOW);
        });
        const last = withBoard(state, board([boardEvent(1, { position: '0' })]), NOW);
        expect(shown(last).event.clock).toBe(`${Math.max(...order)}:00`);
      },
    );
    fc.assert(property);
  });
});

describe('a board that is loaded again', () => {
  it('drops what is no longer on it', () => {
    const before = withBoard(EMPTY_BOARD, board([boardEvent(1), boardEvent(2)]), NOW);
    const after = withBoard(withRequestStarted(before), board([boardEvent(2)]), NOW);
    expect([...after.events.keys()]).toEqual([2]);
  });

  it('keeps an event that the stream told of while it was being asked for', () => {
    const before = withRequestStarted(withBoard(EMPTY_BOARD, board([boardEvent(2)]), NOW));
    const told = withEvent(before, boardEvent(3), NOW);
    expect([...withBoard(told, board([boardEvent(2)]), NOW).events.keys()].sort()).toEqual([2, 3]);
  });

  it('of another day keeps nothing of the one before', () => {
    const before = withEvent(withBoard(EMPTY_BOARD, board([boardEvent(1)]), NOW), boardEvent(2), NOW);
    const after = withBoard(before, board([boardEvent(9, tomorrow)], { date: '2026-03-02' }), NOW);
    expect([...after.events.keys()]).toEqual([9]);
  });

  it('of another day has what the stream of that day told while it was being asked for', () => {
    const before = withBoard(EMPTY_BOARD, board([boardEvent(1)]), NOW);
    const told = withEvent(before, boardEvent(9, { ...tomorrow, position: '5', clock: '1:00' }), NOW);
    expect([...told.events.keys()]).toEqual([1]);
    const after = withBoard(told, board([boardEvent(9, tomorrow)], { date: '2026-03-02' }), NOW);
    expect(shown(after, 9).event.clock).toBe('1:00');
  });

  it('loses an event that is moved to another day', () => {
    const before = withBoard(EMPTY_BOARD, board([boardEvent(1), boardEvent(2)]), NOW);
    expect([...withEvent(before, boardEvent(1, { ...tomorrow, position: '2' }), NOW).events.keys()]).toEqual([2]);
  });

  it('is asked for when the stream tells of a sport or a league that it does not have', () => {
    const { board: known } = withBoard(EMPTY_BOARD, board([]), NOW);
    expect(lacksLeagueOf(known, boardEvent(1))).toBe(false);
    expect(lacksLeagueOf(known, boardEvent(1, { sport: 'tennis', league: 'atp' }))).toBe(true);
    expect(lacksLeagueOf(known, boardEvent(1, { league: 'other' }))).toBe(true);
  });
});

describe('what moved', () => {
  const start = withBoard(EMPTY_BOARD, board([boardEvent(1, { lines: [h2h(-110, -110), spread(-3, -105)] })]), NOW);
  const then = (more: Parameters<typeof boardEvent>[1]) =>
    shown(withEvent(start, boardEvent(1, { position: '2', ...more }), NOW)).highlights;

  it('nothing on what has just been loaded', () => {
    expect(shown(start).highlights).toEqual({ moves: {}, scoreChangedAt: [null, null] });
  });

  it('the side whose score changed, and not the other', () => {
    expect(then({ sides: scores('0', '2') }).scoreChangedAt).toEqual([null, NOW]);
  });

  it('a price that pays more went up, across even money too, with the old one', () => {
    const { moves } = then({ lines: [h2h(105, -130), spread(-3, -105)] });
    expect(moves).toEqual({
      'h2h/home': { seenAt: NOW, direction: 'up', price_from: -110, point_from: null },
      'h2h/away': { seenAt: NOW, direction: 'down', price_from: -110, point_from: null },
    });
  });

  it('a point that moved goes before its price', () => {
    const { moves } = then({ lines: [h2h(-110, -110), spread(-4.5, 120)] });
    expect(moves).toEqual({ 'spreads/home': { seenAt: NOW, direction: 'down', price_from: -105, point_from: -3 } });
  });

  it('nothing where another bookmaker takes the place of the first', () => {
    expect(then({ lines: [h2h(200, -250, 'fanduel')] }).moves).toEqual({});
  });

  it('is marked for a while, and only what changed is drawn again', () => {
    const moved = withEvent(start, boardEvent(1, { position: '2', lines: [h2h(120, -140)] }), NOW);
    const two = withEvent(moved, boardEvent(2), NOW);
    expect(withoutExpiredHighlights(two, NOW + MOVE_HIGHLIGHT_MS - 1)).toBe(two);
    const later = withoutExpiredHighlights(two, NOW + MOVE_HIGHLIGHT_MS);
    expect(shown(later).highlights.moves).toEqual({});
    expect(later.events.get(2)).toBe(two.events.get(2));
  });

  it('a score lights up more briefly than a line', () => {
    const both = withEvent(
      start,
      boardEvent(1, { position: '2', sides: scores('3', '0'), lines: [h2h(120, -140)] }),
      NOW,
    );
    const { highlights } = shown(withoutExpiredHighlights(both, NOW + SCORE_HIGHLIGHT_MS));
    expect(highlights.scoreChangedAt).toEqual([null, null]);
    expect(Object.keys(highlights.moves)).toEqual(['h2h/home', 'h2h/away']);
  });
});
