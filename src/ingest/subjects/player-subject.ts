import { playerDecider } from '../../../commands/directory/decider.ts';
import { entryLookups, handlePlayer } from '../directory-handlers.ts';
import { subject } from '../subject.ts';

export const playerSubject = subject({
  decider: playerDecider,
  messages: { player: { handle: handlePlayer, lookups: entryLookups('player', playerDecider) } },
  again: {
    PlayerChanged({ data }) {
      const { at, source, sport, ref, content } = data;
      // A schedule has named the player: that schedule is told again.
      if (content.rank === 'named') return undefined;
      const { team_id: _, ...facts } = content.facts;
      const league = content.league === undefined ? {} : { league: content.league };
      return { kind: 'player', source, at, sport, ...league, ref, ...facts };
    },
  },
});
