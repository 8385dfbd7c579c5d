import type { BoxMessage, Known, LineupMessage } from '../feed/messages.ts';
import type { Observation, Reconfirmation } from '../observation.ts';
import type { EventIdentity } from './event-identity.ts';
import { defineStream } from './stream-kind.ts';

/** Statistics and lineups are kept as they were said, in the order of arrival. */
export type BoxContent = Omit<Known<BoxMessage>, 'kind' | 'source' | 'at' | 'ref' | 'match'>;
export type LineupContent = Omit<Known<LineupMessage>, 'kind' | 'source' | 'at' | 'ref' | 'match'>;

interface BoxData {
  BoxChanged: Observation<BoxContent> & EventIdentity;
  BoxReconfirmed: Reconfirmation & EventIdentity;
}

/** `box-ID`: the statistics of a sports event. */
export const boxStream = defineStream<BoxData>()({
  name: 'box',
  partition: 'event',
  versions: { BoxChanged: 1, BoxReconfirmed: 1 },
});

interface LineupData {
  LineupChanged: Observation<LineupContent> & EventIdentity;
  LineupReconfirmed: Reconfirmation & EventIdentity;
}

/** `lineup-ID`: who plays for each side of a sports event. */
export const lineupStream = defineStream<LineupData>()({
  name: 'lineup',
  partition: 'event',
  versions: { LineupChanged: 1, LineupReconfirmed: 1 },
});
