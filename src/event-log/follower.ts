import type { Position } from '../domain/position.ts';

/** How far something is that follows the log beside the projections. */
export interface Follower {
  readonly name: string;
  /** Up to it all has been looked at; null: nothing yet. */
  readonly position: Position | null;
  /** `idle`: it follows nothing, for nobody needs it. `stopped`: it has met what it cannot read. */
  readonly state: 'catching-up' | 'live' | 'idle' | 'stopped';
}
