import { existsSync, readFileSync } from 'node:fs';

/** What a test has the double do, as JSON in a file that it replaces. What happens some times begins anew with each change. */
export interface DoubleControl {
  /** The leader's clock stands still at this time, milliseconds since 1970. */
  readonly created?: number;
  /** The leader's clock is so far off, milliseconds. */
  readonly clockOffset?: number;
  /** So many appends are made and never answered. */
  readonly loseAnswers?: number;
  /** So many appends are refused before they are made. */
  readonly refuseAppends?: number;
  /** So many calls are told that another node leads. */
  readonly notLeader?: { readonly times: number; readonly host: string; readonly port: number };
  /** All subscriptions are dropped whenever the file changes and says so. */
  readonly dropSubscriptions?: boolean;
  /** Another number than before: everything is forgotten. */
  readonly log?: number;
  /** An append that comes again is not known as the same one. */
  readonly forgetful?: boolean;
  /** No call is answered. */
  readonly hang?: boolean;
}

export interface ControlReader {
  /** What holds now. */
  readonly current: DoubleControl;
  /** Whether this is to happen now; each time counts. */
  happens(what: 'loseAnswers' | 'refuseAppends' | 'notLeader'): boolean;
}

/** @param file absent: nothing is ever controlled */
export function readControl(
  file: string | undefined,
  onChange: (control: DoubleControl, before: DoubleControl) => void,
): ControlReader {
  let current: DoubleControl = {};
  let seen = '';
  const times = new Map<string, number>();

  function look(): DoubleControl {
    if (file === undefined) return current;
    const text = existsSync(file) ? readFileSync(file, 'utf8') : '{}';
    if (text === seen) return current;
    seen = text;
    const before = current;
    current = JSON.parse(text) as DoubleControl;
    times.clear();
    if (hasBegun) onChange(current, before);
    return current;
  }

  // What it says at the start is no change.
  let hasBegun = false;
  look();
  hasBegun = true;

  return {
    get current() {
      return look();
    },
    happens(what) {
      const told = look()[what];
      const most = typeof told === 'object' ? told.times : (told ?? 0);
      const count = times.get(what) ?? 0;
      if (count >= most) return false;
      times.set(what, count + 1);
      return true;
    },
  };
}
