import { parseIdentityKey } from './identity-key.ts';

/** Why a message waits, as a code that never changes. */
export const QUARANTINE_CODES = [
  'ambiguous',
  'unknown_event',
  'unknown_ref',
  'unknown_team',
  'unknown_player',
  'ambiguous_team',
  'ambiguous_player',
  // A contract of a prediction market of which it is not proved yet which side it stands for.
  'side_unproved',
  // A contract of which nobody knows yet what it is a bet on.
  'contract_unclear',
  // What it waited for is known, and it was refused then.
  'refused',
] as const;
export type QuarantineCode = (typeof QUARANTINE_CODES)[number];

export const isQuarantineCode = (text: unknown): text is QuarantineCode =>
  QUARANTINE_CODES.includes(text as QuarantineCode);

/** The code for a name that no entry, or several entries, of the directory have. */
export const nameCode = (kind: 'team' | 'player', found: number): QuarantineCode =>
  `${found === 0 ? 'unknown' : 'ambiguous'}_${kind}`;

/** The code of a message that an earlier version quarantined: it stored only the text for people. */
export function codeFromText(reason: string, [first = '']: readonly string[]): QuarantineCode {
  const key = parseIdentityKey(first);
  if (key?.what === 'name' && (key.kind === 'team' || key.kind === 'player')) {
    return nameCode(key.kind, /^[1-9]/.test(reason) ? 2 : 0);
  }
  if (key?.what === 'pair') return reason.startsWith('several events') ? 'ambiguous' : 'unknown_event';
  if (key?.what === 'contract') return 'side_unproved';
  return 'unknown_ref';
}
