import { describe, expect, it } from 'vitest';
import { type DirectoryCommand, playerDecider } from '../../../commands/directory-decider.ts';
import { playerNameKeysOf, players } from '../../../projections/directory/players.ts';
import type { PlayerContent } from '../../../src/domain/directory/directory-entries.ts';
import { eventsOf, given } from '../../support/given.ts';

/** A player message of a source at an hour. */
const said = (hour: number, source: string, ref: string, full_name: string, aliases: readonly string[] = []) => ({
  id: 5,
  sport: 'nfl',
  ref,
  at: `2026-09-01T0${hour}:00:00Z`,
  source,
  content: { rank: 'described', facts: { full_name, ...(aliases.length > 0 ? { aliases: [...aliases] } : {}) } },
});
const documentOf = (...facts: unknown[]) =>
  given(players, ...eventsOf(playerDecider, ...(facts as DirectoryCommand<PlayerContent>[]))).document!;

describe('lookup keys of a player', () => {
  it('given two sources with the same content, then the ids of both are stored', () => {
    const { refs } = documentOf(said(1, 'a', '10', 'José Ramírez'), said(2, 'b', '20', 'José Ramírez'));
    expect(refs).toEqual(['nfl:a:10', 'nfl:b:20']);
  });

  it('given another name and an alias, then the earlier name finds the player too', () => {
    const document = documentOf(
      said(1, 'a', '10', 'Robby Anderson'),
      said(2, 'a', '10', 'Chosen Anderson', ["R'obbie"]),
    );
    expect(playerNameKeysOf(document)).toEqual(['nfl:chosenanderson', 'nfl:robbie', 'nfl:robbyanderson']);
  });

  it('given messages in another order, then the document is the same', () => {
    const messages = [said(1, 'a', '10', 'One'), said(2, 'b', '20', 'One'), said(3, 'a', '10', 'Two')];
    expect(documentOf(...messages.toReversed())).toEqual(documentOf(...messages));
  });
});
