/** Shows the progress of long work on a terminal: what, how far, rate, time left. */
export interface Progress {
  /** Units done so far, and their total if it is known. */
  update(done: number, total?: number): void;
  /** Clears the line before other output. */
  end(): void;
}

export const noProgress: Progress = { update: () => {}, end: () => {} };

interface Terminal {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

const EVERY_MS = 200;
/** Before this time the rate of the first units would say nothing. */
const RATED_AFTER_S = 0.5;

/**
 * @param what what is being done, such as `ingest games.ndjson`
 * @param unit of what `update` counts, in the plural
 */
export function showProgress(
  what: string,
  unit: string,
  stream: Terminal = process.stderr,
  now: () => number = () => performance.now(),
): Progress {
  if (!stream.isTTY) return noProgress;
  const started = now();
  let shown = Number.NEGATIVE_INFINITY;
  return {
    update(done, total) {
      const time = now();
      if (time - shown < EVERY_MS) return;
      shown = time;
      // A terminal of unknown width reports 0.
      const line = progressLine(what, unit, done, total, (time - started) / 1000).slice(0, stream.columns || undefined);
      stream.write(`\r\x1b[K${line}`);
    },
    end() {
      if (shown !== Number.NEGATIVE_INFINITY) stream.write('\r\x1b[K');
    },
  };
}

export function progressLine(what: string, unit: string, done: number, total: number | undefined, seconds: number) {
  const rate = seconds >= RATED_AFTER_S ? done / seconds : 0;
  const parts = [`${what}: ${amount(done, unit)}`];
  if (total !== undefined && total > 0)
    parts[0] += ` of ${amount(total, unit)} (${Math.floor((100 * done) / total)} %)`;
  if (rate > 0) parts.push(`${amount(Math.round(rate), unit)}/s`);
  if (rate > 0 && total !== undefined && total > done) parts.push(`${formatDuration((total - done) / rate)} left`);
  return parts.join(', ');
}

function amount(count: number, unit: string): string {
  if (unit !== 'bytes') return `${count.toLocaleString('en')} ${unit}`;
  return count < 1e6 ? `${(count / 1e3).toFixed(0)} kB` : `${(count / 1e6).toFixed(1)} MB`;
}

/** Seconds as a person reads them: `4 s`, `3 min 20 s`, `2 h 5 min`. */
export function formatDuration(seconds: number): string {
  const whole = Math.ceil(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`;
}
