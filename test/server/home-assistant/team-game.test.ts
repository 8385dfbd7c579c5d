import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { eventsBetween } from '../../../src/server/home-assistant/team-game.ts';

describe('what happened to a game between two states', () => {
  it('given a game that was not known, then its start if it is played, and nothing if it is over or to come', () => {
    expect(eventsBetween(undefined, { status: 'inprogress', score: '7-0' })).toEqual(['game_start']);
    for (const status of ['scheduled', 'postponed', 'cancelled', 'walkover', 'final'] as const) {
      expect(eventsBetween(undefined, { status, score: null })).toEqual([]);
    }
  });

  it('given a game that is called off, then it has not begun', () => {
    expect(eventsBetween({ status: 'scheduled', score: null }, { status: 'cancelled', score: null })).toEqual([]);
  });

  it('given a start without a score, then the start alone, and with one both', () => {
    const before = { status: 'scheduled', score: null } as const;
    expect(eventsBetween(before, { status: 'inprogress', score: '0-0' })).toEqual(['game_start']);
    expect(eventsBetween(before, { status: 'inprogress', score: '7-0' })).toEqual(['game_start', 'score_change']);
  });

  it('given the last goal with the end, then the score before the end', () => {
    const before = { status: 'inprogress', score: '1-1' } as const;
    expect(eventsBetween(before, { status: 'final', score: '2-1' })).toEqual(['score_change', 'game_final']);
  });

  it('given a score that is corrected after the end, then it changes, and the game does not end again', () => {
    expect(eventsBetween({ status: 'final', score: '2-1' }, { status: 'final', score: '2-2' })).toEqual([
      'score_change',
    ]);
  });

  it('given the same state again, then nothing', () => {
    const state = fc.record({
      status: fc.constantFrom('scheduled', 'inprogress', 'suspended', 'final', 'cancelled', 'postponed'),
      score: fc.constantFrom(null, '0-0', '2-1'),
    });
    fc.assert(
      fc.property(state, (one: any) => {
        // A game before its start has no score.
        const seen = ['inprogress', 'suspended', 'final'].includes(one.status) ? one : { ...one, score: null };
        expect(eventsBetween({ ...seen, score: seen.score ?? '0-0' }, seen)).toEqual([]);
      }),
    );
  });
});
