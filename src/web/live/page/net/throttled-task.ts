/** Runs a task soon after it was scheduled, never twice at a time, and with a pause between two runs. */
export class ThrottledTask {
  #pause: number;
  #task: () => Promise<void>;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #running = false;
  #again = false;
  #next = 0;
  #stopped = false;

  /** @param pause milliseconds, or ten times the duration of the task if that is longer */
  constructor(pause: number, task: () => Promise<void>) {
    this.#pause = pause;
    this.#task = task;
  }

  schedule(): void {
    if (this.#stopped) return;
    if (this.#running) this.#again = true;
    else this.#timer ??= setTimeout(() => void this.#run(), Math.max(0, this.#next - performance.now()));
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
  }

  async #run(): Promise<void> {
    this.#timer = undefined;
    this.#running = true;
    const startedAt = performance.now();
    await this.#task();
    const duration = performance.now() - startedAt;
    this.#next = startedAt + duration + Math.max(this.#pause, 10 * duration);
    this.#running = false;
    if (this.#again) {
      this.#again = false;
      this.schedule();
    }
  }
}
