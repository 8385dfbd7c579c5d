/** How often it is looked whether the process still looks, and how late that must be to count. */
const BEAT_MS = 250;
const LATE_MS = 1000;

export interface LostTime {
  lost(): number;
  stop(): void;
}

/**
 * Milliseconds of late in which this process did not get to its connections: a machine that slept or was overloaded.
 * What a client sent meanwhile has come, and nobody has read it: it is not the client that was late.
 * @param memoryMs how long a loss is remembered
 */
export function createLostTime(memoryMs: number): LostTime {
  let beat = performance.now();
  let losses: { readonly until: number; readonly milliseconds: number }[] = [];

  function look(): void {
    const now = performance.now();
    const late = now - beat - BEAT_MS;
    if (late > LATE_MS) losses.push({ until: now + memoryMs, milliseconds: late });
    if (losses.length > 0) losses = losses.filter(({ until }) => until > now);
    beat = now;
  }

  const timer = setInterval(look, BEAT_MS);
  timer.unref();
  return {
    lost() {
      look();
      return Math.ceil(losses.reduce((sum, { milliseconds }) => sum + milliseconds, 0));
    },
    stop: () => clearInterval(timer),
  };
}
