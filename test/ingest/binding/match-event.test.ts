import { describe, expect, it } from 'vitest';
import { type MatchCandidate, matchEvent, type WantedEvent } from '../../../src/ingest/binding/match-event.ts';

const MINUTE = 60_000;
const NOON = Date.parse('2026-06-04T12:00:00Z');
const at = (minutes: number): number => NOON + minutes * MINUTE;

const candidate = (id: number, minutes: number, more: Partial<MatchCandidate> = {}): MatchCandidate => ({
  id,
  startsAt: at(minutes),
  gameNumber: null,
  isOpen: false,
  isOver: false,
  hasRefOfSource: false,
  schedule: null,
  ...more,
});
const scheduledAt = (
  minutes: number,
  more: Partial<NonNullable<MatchCandidate['schedule']>> = {},
): Partial<MatchCandidate> => ({
  hasRefOfSource: true,
  schedule: { startsAt: at(minutes), isOpen: false, gameNumber: null, firstSide: 'team:1', ...more },
});
const wanted = (by: WantedEvent['by'], minutes: number, more: Partial<WantedEvent> = {}): WantedEvent => ({
  by,
  hasNewRef: true,
  startsAt: at(minutes),
  isOpen: false,
  gameNumber: null,
  firstSide: 'team:1',
  hasDoubleheaders: true,
  ...more,
});
const event = (id: number) => ({ kind: 'event', id });
const ambiguous = (...ids: number[]) => ({
  kind: 'ambiguous',
  candidates: ids.map((id) => expect.objectContaining({ id })),
});
const NONE = { kind: 'none' };

describe('which event a message means', () => {
  describe('a schedule with a second ref of its source', () => {
    it('at the start that this source gave is another name of that event, also after it was postponed', () => {
      expect(matchEvent(wanted('schedule', 1), [candidate(1, 30, scheduledAt(0))])).toEqual(event(1));
    });

    it.each([
      ['more than a minute away', wanted('schedule', 2), {}],
      ['of a game that is over', wanted('schedule', 0), { isOver: true }],
      ['with the sides the other way round', wanted('schedule', 0, { firstSide: 'team:2' }), {}],
      ['with an open start', wanted('schedule', 0, { isOpen: true }), {}],
      ['beside an open start', wanted('schedule', 0), scheduledAt(0, { isOpen: true })],
      ['with another number', wanted('schedule', 0, { gameNumber: 2 }), scheduledAt(0, { gameNumber: 1 })],
    ])('%s is another game', (_, schedule, more) => {
      expect(matchEvent(schedule, [candidate(1, 0, { ...scheduledAt(0), ...more })])).toEqual(NONE);
    });
  });

  it('a match with a new ref of a source that has another one for the game means it only at the same start', () => {
    const known = [candidate(1, 0, { hasRefOfSource: true })];
    expect(matchEvent(wanted('match', 1), known)).toEqual(event(1));
    expect(matchEvent(wanted('match', 2), known)).toEqual(NONE);
    expect(matchEvent(wanted('match', 2, { hasNewRef: false }), known)).toEqual(event(1));
  });

  it('the number of the game decides, whatever the times say', () => {
    const games = [candidate(1, 0, { gameNumber: 1 }), candidate(2, 200, { gameNumber: 2 })];
    expect(matchEvent(wanted('match', 0, { gameNumber: 2 }), games)).toEqual(event(2));
    expect(matchEvent(wanted('match', 0, { gameNumber: 3 }), games)).toEqual(NONE);
    // A game without a number may still be it.
    expect(matchEvent(wanted('match', 0, { gameNumber: 2 }), [games[0]!, candidate(3, 30)])).toEqual(event(3));
  });

  it('a second game with a placeholder start is not meant by what names no number', () => {
    const second = candidate(2, 5, { gameNumber: 2, isOpen: true });
    expect(matchEvent(wanted('match', 0), [second])).toEqual(NONE);
    expect(matchEvent(wanted('match', 0), [second, candidate(1, 0)])).toEqual(event(1));
    expect(matchEvent(wanted('match', 0, { gameNumber: 2 }), [second])).toEqual(event(2));
  });

  it('the only game within a minute is it, however near the next', () => {
    expect(matchEvent(wanted('match', 0), [candidate(1, 1), candidate(2, 3)])).toEqual(event(1));
    expect(matchEvent(wanted('match', 0), [candidate(1, 1), candidate(2, -1)])).toEqual(ambiguous(1, 2));
  });

  it('the only game is it; in baseball only within 90 minutes', () => {
    expect(matchEvent(wanted('match', 0), [candidate(1, 90)])).toEqual(event(1));
    expect(matchEvent(wanted('match', 0), [candidate(1, 91)])).toEqual(NONE);
    expect(matchEvent(wanted('match', 0, { hasDoubleheaders: false }), [candidate(1, 300)])).toEqual(event(1));
  });

  it('the nearest is it if it is within 90 minutes, and the next 45 minutes farther', () => {
    expect(matchEvent(wanted('match', 0), [candidate(2, 75), candidate(1, -30)])).toEqual(event(1));
    expect(matchEvent(wanted('match', 0), [candidate(2, 74), candidate(1, -30)])).toEqual(ambiguous(1, 2));
  });

  it('several games that are not near are none in baseball, and wait for a person elsewhere', () => {
    const games = [candidate(1, 100), candidate(2, 300)];
    expect(matchEvent(wanted('schedule', 0), games)).toEqual(NONE);
    expect(matchEvent(wanted('schedule', 0, { hasDoubleheaders: false }), games)).toEqual(ambiguous(1, 2));
  });

  it('a schedule means no game for which its source has another ref', () => {
    const games = [candidate(1, 0, { hasRefOfSource: true }), candidate(2, 20)];
    expect(matchEvent(wanted('schedule', 5), games)).toEqual(event(2));
  });
});
