import { beforeEach, describe, expect, it } from 'vitest';
import { StreamReplacements } from '../../../src/domain/identities/stream-replacements.ts';
import type { ActContent, StreamReplacement } from '../../../src/domain/streams/identity-stream.ts';

const NBA = { sport: 'nba', league: 'nba' };
const merge = (what: 'event' | 'team' | 'player', from: number, into: number): ActContent => ({
  ...NBA,
  ...{ action: 'merge', what, from, into, fromRef: null, intoRef: null },
});

let replacements: StreamReplacements;
beforeEach(() => {
  replacements = new StreamReplacements();
});
function note(content: ActContent, recordedAt: number, replacement?: StreamReplacement): void {
  const act = { act: replacements.acts + 1, content, at: '2026-01-01T00:00:00Z', recordedAt };
  replacements.note({ ...act, ...(replacement ? { replacement } : {}) });
}

describe('given a merge of two teams', () => {
  beforeEach(() => note(merge('team', 5, 6), 1000, { suffix: '80', events: [1], teams: [5, 6], players: [9] }));

  it.each([
    ['team-5', 'team-5~80'],
    ['injuries-6', 'injuries-6~80'],
    ['player-9', 'player-9~80'],
    ['odds-1', 'odds-1~80'],
    ['event-5', 'event-5'],
    ['player-6', 'player-6'],
    ['season-6', 'season-6'],
    ['account-x', 'account-x'],
  ])('then the records of %s are in %s, and before it under the plain name', (plain, present) => {
    expect(replacements.current(plain)).toBe(present);
    expect(replacements.current(plain, 999)).toBe(plain);
  });

  it('then the team means the other one, and nothing else of that id does', () => {
    expect(replacements.meaningOf('team', 5)).toBe(6);
    expect(replacements.meaningOf('team', 5, 999)).toBe(5);
    expect(replacements.meaningOf('event', 5)).toBe(5);
    expect(replacements.meaningOf('player', 5)).toBe(5);
    expect(replacements.mergedInto('team', 6)).toEqual([5]);
    expect(replacements.mergedIds('event')).toEqual([]);
  });

  it('when it is undone, then each means itself', () => {
    const undone = { at: '2026-01-01T00:00:00Z', action: 'merge' } as const;
    note({ action: 'undo', undoes: 1, undone, root: 'merge' }, 2000, { suffix: '90', events: [1], teams: [5, 6] });
    expect(replacements.meaningOf('team', 5)).toBe(5);
    expect(replacements.meaningOf('team', 5, 1500)).toBe(6);
    expect(replacements.allOf('team-5')).toEqual(['team-5', 'team-5~80', 'team-5~90']);
    expect(replacements.allOf('player-9')).toEqual(['player-9', 'player-9~80']);
  });
});
