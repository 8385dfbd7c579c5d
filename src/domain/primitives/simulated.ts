/** What a person reads beside data of the demo. */
export const SIMULATED_SENTENCE = 'Simulated: the games on this server are invented.';

/** A name or title, marked. */
export const markSimulated = (text: string): string => `${text} (simulated)`;
