/** Whether anything may be written at this moment. */
export interface Gate {
  readonly isOpen: boolean;
  /** @throws Unavailable */
  assertOpen(): void;
}

/** Nothing ever stands in the way. */
export const openGate: Gate = { isOpen: true, assertOpen() {} };
