/** Whether anything may be written at this moment. */
export interface WriteGate {
  readonly isOpen: boolean;
  /** @throws Unavailable */
  assertOpen(): void;
}

/** Nothing ever stands in the way. */
export const alwaysOpenGate: WriteGate = { isOpen: true, assertOpen() {} };
