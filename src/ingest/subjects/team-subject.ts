import { teamDecider } from '../../../commands/directory/decider.ts';
import { entryLookups, handleTeam } from '../directory-handlers.ts';
import { subject } from '../subject.ts';
import { withoutId } from '../told-again.ts';

export const teamSubject = subject({
  decider: teamDecider,
  messages: { team: { handle: handleTeam, lookups: entryLookups('team', teamDecider) } },
  again: {
    TeamChanged({ data }) {
      const { at, source, sport, ref, content } = data;
      // A schedule has named it: that schedule is told again.
      if (content.rank === 'named') return undefined;
      const { venue, ...facts } = content.facts;
      return { kind: 'team', source, at, sport, league: content.league, ref, ...facts, ...withoutId('venue', venue) };
    },
  },
});
