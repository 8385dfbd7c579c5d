/** Calls the listener after each change that it may have to know. Returns the function that removes the listener. */
export type OnChange = (listener: () => void) => () => void;

/** Tells whoever listens that something has changed. */
export interface ChangeSignal {
  readonly onChange: OnChange;
  /** Calls all listeners. They must not throw. */
  tell(): void;
}

export function createChangeSignal(): ChangeSignal {
  const listeners = new Set<{ readonly listener: () => void }>();
  return {
    onChange(listener) {
      const entry = { listener };
      listeners.add(entry);
      return () => void listeners.delete(entry);
    },
    tell() {
      for (const { listener } of [...listeners]) listener();
    },
  };
}
