import { seasonDecider } from '../../../commands/seasons/decider.ts';
import { subject } from '../subject.ts';

/** No message is about a season alone: schedules tell of it. */
export const seasonSubject = subject({ decider: seasonDecider, messages: {}, again: {} });
