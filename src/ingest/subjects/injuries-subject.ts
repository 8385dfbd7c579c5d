import { injuriesDecider } from '../../../commands/injuries/decider.ts';
import { eventLookups } from '../about-event.ts';
import { handleInjury } from '../injury-handler.ts';
import { subject } from '../subject.ts';

export const injuriesSubject = subject({
  decider: injuriesDecider,
  messages: { injury: { handle: handleInjury, lookups: eventLookups() } },
  again: {
    InjuryReported({ data }) {
      const { at, source, sport, content, origin } = data;
      return { kind: 'injury', source, at, sport, ...origin, ...content };
    },
  },
});
