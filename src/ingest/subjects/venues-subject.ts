import { venuesDecider } from '../../../commands/venues-decider.ts';
import { defineSubject } from './subject.ts';

/** Venues are named by the messages with their order books, which are replayed themselves. */
export const venuesSubject = defineSubject({ decider: venuesDecider, messages: {}, replay: {} });
