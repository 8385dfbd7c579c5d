import type { StreamDecider } from '../../domain/event-sourcing/stream-decider.ts';
import type { DomainEvent } from '../../domain/streams/domain-events.ts';
import type { StreamStates } from '../states/stream-states.ts';

/** Decides as it was decided at first, and stages what is decided with the time of the first recording. */
export async function decideAgain(
  states: Pick<StreamStates, 'decideWithoutStaging' | 'stage'>,
  decider: StreamDecider,
  id: number,
  fact: unknown,
  firstRecordedAt: string,
): Promise<void> {
  stageAgain(states, decider, id, await states.decideWithoutStaging(decider, id, fact), firstRecordedAt);
}

export function stageAgain(
  states: Pick<StreamStates, 'stage'>,
  decider: StreamDecider,
  id: number,
  events: readonly DomainEvent[],
  firstRecordedAt: string,
): void {
  const again = events.map((event) => ({ ...event, meta: { ...event.meta, firstRecordedAt } }) as DomainEvent);
  states.stage(decider, id, again);
}
