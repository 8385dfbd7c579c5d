/**
 * The clock of a `score` message whose sport shows none to clients: the time left in a hockey period, the outs of an
 * inning. It only tells which of two answers is the newer one.
 */
const clocks = new WeakMap<object, string>();

export const noteClock = (message: object, clock: string | undefined): void => {
  if (clock !== undefined) clocks.set(message, clock);
};

/** The clock of the message itself, or the noted one. */
export const clockOf = (message: Readonly<Record<string, unknown>>): string | undefined => {
  const own = message['clock'];
  return typeof own === 'string' ? own : clocks.get(message);
};
