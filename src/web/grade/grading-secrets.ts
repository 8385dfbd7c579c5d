import { createHmac, createSecretKey, hkdfSync, timingSafeEqual } from 'node:crypto';
import { GRADE_WINDOW_MS } from './grade-counter.ts';

/** Hashes and tickets of the grading page. */
interface GradingSecrets {
  /** The hash under which an address is stored. */
  hashAddress(address: string): string;
  /** A ticket lets the owner of a graded slip poll updates for as long as the grade counts. */
  createTicket(text: string, now: number): string;
  /** Whether the ticket belongs to this slip and has not expired. */
  isValidTicket(createTicket: string, text: string, now: number): boolean;
}

const KEY_BYTES = 32;

/** @param pepper the same pepper keeps hashes and tickets valid across restarts */
export function createGradingSecrets(pepper: string): GradingSecrets {
  // The pepper also hashes API keys, so separate keys are derived for the grading page.
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
