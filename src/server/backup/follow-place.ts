/** How far a standby has followed: everything up to this point of this history. */
export interface FollowPlace {
  readonly timeline: string;
  /** The number of the point. */
  readonly number: number;
  /** The last record of the log at that point. */
  readonly head: number;
  /** When the point was taken, in milliseconds since 1970. */
  readonly takenAt: number;
}
