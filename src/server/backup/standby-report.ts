/** How a server stands beside others of the same backup. */
export interface StandbyReport {
  readonly role: 'first' | 'standby';
  /** False: nobody follows it, so there is nothing to say. */
  readonly isShown: boolean;
  /** Of a standby: how old what it shows is. */
  readonly lagSeconds: number | undefined;
  /** For how long the lease of the first is still good; undefined: none was seen. */
  readonly leaseSeconds: number | undefined;
  /** Of the last try to follow, or to renew the lease; undefined: it went well. */
  readonly failure: string | undefined;
  /** A standby is far behind, or a first does not hold its lease. */
  readonly isDegraded: boolean;
}
