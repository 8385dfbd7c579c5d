import { connectedEvents, rootMove } from '../../domain/identities/connected-events.ts';
import { planOf } from '../../domain/identities/identity-plan.ts';
import {
  identityActsOf,
  type NumberedAct,
  replacementStream,
  suffixOf,
} from '../../domain/identities/stream-replacements.ts';
import { PARTITIONS_BY_STREAM } from '../../domain/streams/domain-events.ts';
import type { EventLog } from '../../event-log/port/event-log.ts';
import { createScratchLog } from '../../event-log/storage/scratch-log.ts';
import type { Identities } from '../identities/identities.ts';
import { entriesAfter } from './entry-homes.ts';
import { EventsReplay } from './events-replay.ts';
import { ReplayTarget } from './replay-target.ts';

interface TriedParts {
  readonly log: Pick<EventLog, 'readStream' | 'replacements' | 'head'>;
  /** As they are stored. */
  readonly identities: Pick<Identities, 'listRefs' | 'listNames'>;
}

/** What a log would hold of the events after an act. */
export interface TriedMove extends Pick<EventLog, 'readStream'> {
  readonly replacements: Pick<EventLog['replacements'], 'current'>;
  /** Whether the event still has its own id. */
  isItself(id: number): boolean;
  close(): Promise<void>;
}

const SUFFIX = 'trial';
const kindOf = (stream: string): string => stream.slice(0, stream.indexOf('-'));
/** Prices and the like, of which an event may have a hundred thousand, say nothing of its start, sides and status. */
const isPassedOver = (stream: string): boolean => {
  const kind = kindOf(stream);
  return kind !== 'event' && PARTITIONS_BY_STREAM.get(kind) === 'event';
};

/**
 * Does an act that moves records from event to event in memory, for the schedules and scores of the events alone.
 * @param before the acts before it
 * @returns undefined if it moves nothing between events
 */
export async function tryMove(
  { log, identities }: TriedParts,
  before: readonly NumberedAct[],
  act: NumberedAct,
): Promise<TriedMove | undefined> {
  const acts = [...before, act];
  const root = rootMove(acts, act);
  const head = await log.head();
  if (!root || head === null) return undefined;
  const plan = planOf(identityActsOf(acts, 'event'));
  const events = connectedEvents(acts, [root.from, root.into]);
  const scratch = createScratchLog();
  const tried = {
    appendAll: scratch.appendAll,
    maxAppendBytes: scratch.maxAppendBytes,
    replacements: log.replacements,
    readStream: async (...[stream, options]: Parameters<EventLog['readStream']>) => {
      if (suffixOf(stream) === SUFFIX) return scratch.readStream(stream, options);
      return isPassedOver(stream) ? [] : log.readStream(stream, options);
    },
  };
  const target = new ReplayTarget(tried, SUFFIX);
  await new EventsReplay(tried, target, { plan, events, entryOf: await entriesAfter(identities, acts) }).through(head);
  return {
    readStream: scratch.readStream,
    replacements: {
      current: (stream) =>
        PARTITIONS_BY_STREAM.get(kindOf(stream)) === 'event' ? replacementStream(stream, SUFFIX) : stream,
    },
    isItself: (id) => plan.meaningOf(id) === id,
    close: () => scratch.close(),
  };
}
