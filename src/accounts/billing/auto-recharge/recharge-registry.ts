export interface RechargeSettings {
  /** Credits: below it a pack is bought. */
  readonly threshold: number;
  readonly packId: number;
  readonly monthlyCapCents: number;
}

export interface AutoRecharge extends RechargeSettings {
  readonly isOn: boolean;
  readonly notice: string | null;
}

/** Which accounts buy packs by themselves. Payments ask it as they begin, and a decline turns it off as they end. */
export interface RechargeRegistry {
  /** Undefined: it was never turned on. */
  find(accountId: number): Promise<AutoRecharge | undefined>;
  turnOn(accountId: number, settings: RechargeSettings, at: string): Promise<void>;
  /** With what there is to tell of it. */
  turnOff(accountId: number, notice: string | null, at: string): Promise<void>;
  /** Those that have it on, by their ids, with what their owners want. */
  turnedOn(): Promise<ReadonlyMap<number, RechargeSettings>>;
  /** Accounts that a process has charged which buys nothing itself: others look at those that have it on. */
  noteCharged(accountIds: readonly number[]): Promise<void>;
  /** What was noted, once: to whoever asks first. */
  takeCharged(): Promise<readonly number[]>;
}
