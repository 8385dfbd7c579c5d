import type { Observation, Reconfirmation } from '../observation.ts';
import type { EventSplits, SplitsContent } from '../splits.ts';
import type { EventIdentity } from './event-identity.ts';
import { defineStream } from './stream-kind.ts';

interface SplitsData {
  SplitsChanged: Observation<SplitsContent, EventSplits> & EventIdentity;
  SplitsReconfirmed: Reconfirmation & EventIdentity;
}

/** `splits-ID`: how the bets on a sports event are split. */
export const splitsStream = defineStream<SplitsData>()({
  name: 'splits',
  partition: 'event',
  versions: { SplitsChanged: 1, SplitsReconfirmed: 1 },
});
