import { existsSync, readFileSync } from 'node:fs';

/** How a test controls the double: JSON in a file that the test replaces. Counts start again with each change of the file. */
export interface DoubleControl {
  /** Stops the leader's clock at this time, milliseconds since 1970. */
  readonly created?: number;
  /** Shifts the leader's clock, milliseconds. */
  readonly clockOffset?: number;
  /** This many appends are done and never answered. */
  readonly loseAnswers?: number;
  /** This many appends are refused and not done. */
  readonly refuseAppends?: number;
  /** This many calls that ask for the leader are answered with: another node is the leader. */
  readonly notLeader?: { readonly times: number; readonly host: string; readonly port: number };
  /** The nodes that it tells of; absent: itself, as the leader. */
  readonly members?: readonly DoubleMember[];
  /** Refuses the password, the user, or the user's reads of the whole log. */
  readonly denies?: 'password' | 'user' | 'all';
  /** How long it is not ready after its start, in milliseconds; absent: half a second. */
  readonly notReadyMs?: number;
  /** Drops all subscriptions when the file changes. */
  readonly dropSubscriptions?: boolean;
  /** Subscriptions that were begun before the file changed bring nothing more, as at a node that was cut off. */
  readonly muteSubscriptions?: boolean;
  /** This many subscriptions find no event at their place. */
  readonly wrongPlaces?: number;
  /** A new number: deletes all events. */
  readonly log?: number;
  /** Does not recognise a repeated append. */
  readonly forgetful?: boolean;
  /** Answers no call. */
  readonly hang?: boolean;
}

/** A node of the cluster that the double tells of. */
interface DoubleMember {
  readonly port: number;
  readonly isLeader: boolean;
  readonly isAlive: boolean;
}

export interface ControlReader {
  /** The settings in force. */
  readonly current: DoubleControl;
  /** Whether this is to happen now. Each call counts down. */
  happens(what: 'loseAnswers' | 'refuseAppends' | 'notLeader' | 'wrongPlaces'): boolean;
}

/** @param file absent: no control */
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

  // The contents at the start are no change.
  let hasBegun = false;
  look();
  hasBegun = true;

  return {
    get current() {
      return look();
    },
    happens(what) {
      const wanted = look()[what];
      const most = typeof wanted === 'object' ? wanted.times : (wanted ?? 0);
      const count = times.get(what) ?? 0;
      if (count >= most) return false;
      times.set(what, count + 1);
      return true;
    },
  };
}
