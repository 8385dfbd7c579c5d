import { createHash } from 'node:crypto';

/** So many hex digits that stand for a thing of this server for ever: of SHA-256 of its kind and its id. */
export const hexId = (kind: 'event' | 'team' | 'player', id: number, digits: number): string =>
  createHash('sha256').update(`${kind}:${id}`).digest('hex').slice(0, digits);

const HEX_DIGITS = 32;
/** The id of an event where ids are 32 hex digits. */
export const hexEventId = (id: number): string => hexId('event', id, HEX_DIGITS);
export const isHexId = (text: string): boolean => /^[0-9a-f]{32}$/.test(text);
