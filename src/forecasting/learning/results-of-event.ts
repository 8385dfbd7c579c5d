import type { EventFacts } from '../../intelligence/facts/event-facts.ts';

/** What is learned of an event: the results that its facts hold. */
export type EventResults = Pick<EventFacts, 'id' | 'name' | 'closesAt' | 'results'>;
