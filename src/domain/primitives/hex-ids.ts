import { createHash } from 'node:crypto';

/** A permanent hex id of a thing of this server: the first digits of the SHA-256 of its kind and id. */
export const hexId = (kind: 'event' | 'team' | 'player' | 'season', id: number, digits: number): string =>
  createHash('sha256').update(`${kind}:${id}`).digest('hex').slice(0, digits);

const HEX_DIGITS = 32;
/** The id of an event as 32 hex digits. */
export const hexEventId = (id: number): string => hexId('event', id, HEX_DIGITS);
/** The same of a season of a league. */
export const hexSeasonId = (id: number): string => hexId('season', id, HEX_DIGITS);
export const isHexId = (text: string): boolean => /^[0-9a-f]{32}$/.test(text);
