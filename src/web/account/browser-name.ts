import { browserOf } from '../../accounts/users/describe-client.ts';

const LONGEST = 60;

/** A browser as people call it, `Firefox on Windows`; what is no known browser by the beginning of what it sent. */
export const browserName = (userAgent: string): string =>
  browserOf(userAgent) ?? (userAgent.length > LONGEST ? `${userAgent.slice(0, LONGEST)}…` : userAgent);
