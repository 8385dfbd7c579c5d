import { createHmac, createSecretKey, hkdfSync, timingSafeEqual } from 'node:crypto';
import { GRADE_WINDOW_MS } from './grade-counter.ts';

/** What the sheet hides, and what it knows again. */
interface GradingSecrets {
  /** An address as it is kept. */
  hashAddress(address: string): string;
  /** Lets whoever has a graded slip see how it goes on, for as long as its grade counts. */
  createTicket(text: string, now: number): string;
  /** Whether the ticket is one for this slip, and still good. */
  isValidTicket(createTicket: string, text: string, now: number): boolean;
}

const KEY_BYTES = 32;

/** @param pepper the same one knows the addresses and tickets again after a restart */
export function createGradingSecrets(pepper: string): GradingSecrets {
  // The pepper hashes API keys too: what is derived here serves the sheet alone.
  const keyFor = (what: string) =>
    createSecretKey(Buffer.from(hkdfSync('sha256', pepper, '', `ledgerline sheet ${what}`, KEY_BYTES)));
  const [addresses, tickets] = [keyFor('addresses'), keyFor('tickets')];
  const signed = (until: string, text: string): string =>
    `${until}.${createHmac('sha256', tickets).update(until).update('\0').update(text).digest('base64url').slice(0, 32)}`;
  return {
    hashAddress: (address) => createHmac('sha256', addresses).update(address).digest('base64url').slice(0, 22),
    createTicket: (text, now) => signed(String(now + GRADE_WINDOW_MS), text),
    isValidTicket(ticket, text, now) {
      const until = /^\d{1,15}(?=\.)/.exec(ticket)?.[0];
      if (until === undefined || Number(until) < now) return false;
      const [given, right] = [Buffer.from(ticket), Buffer.from(signed(until, text))];
      return given.length === right.length && timingSafeEqual(given, right);
    },
  };
}
