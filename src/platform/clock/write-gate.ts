/** Whether anything may be written now. */
export interface WriteGate {
  readonly isOpen: boolean;
  /** @throws UnavailableError */
  assertOpen(): void;
}

/** Never closed. */
export const alwaysOpenGate: WriteGate = { isOpen: true, assertOpen() {} };
