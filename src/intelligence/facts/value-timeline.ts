/** The values of something over time, added in order of time. */
export class Timeline<T> {
  readonly #at: number[] = [];
  readonly #values: T[] = [];

  /** @param at milliseconds, not before the last one; a value of the same moment replaces the last one */
  put(at: number, value: T): void {
    if (this.#at.at(-1) === at) {
      this.#values[this.#values.length - 1] = value;
      return;
    }
    this.#at.push(at);
    this.#values.push(value);
  }

  /** The value just before a moment; undefined before the first value. */
  before(moment: number): T | undefined {
    return this.#values[this.#indexBefore(moment)];
  }

  /** The same with its moment: milliseconds. */
  entryBefore(moment: number): { readonly at: number; readonly value: T } | undefined {
    const index = this.#indexBefore(moment);
    return index < 0 ? undefined : { at: this.#at[index]!, value: this.#values[index]! };
  }

  #indexBefore(moment: number): number {
    let [low, high] = [0, this.#at.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#at[middle]! < moment) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }

  /** The moment of the last value: milliseconds. */
  get lastAt(): number | undefined {
    return this.#at.at(-1);
  }

  get last(): T | undefined {
    return this.#values.at(-1);
  }

  /** The moments of changes in [from, before). */
  moments(from: number, before: number): number[] {
    return this.#at.filter((at) => at >= from && at < before);
  }

  /** The first moment with a value that satisfies the condition. */
  firstAt(holds: (value: T) => boolean): number | undefined {
    const index = this.#values.findIndex(holds);
    return this.#at[index];
  }

  /** Drops the values of this moment and later. */
  forgetFrom(moment: number): void {
    while (this.#at.length > 0 && this.#at.at(-1)! >= moment) {
      this.#at.pop();
      this.#values.pop();
    }
  }

  /** Drops the values that reads at this moment or later do not need. */
  forgetBefore(moment: number): void {
    let past = 0;
    while (past + 1 < this.#at.length && this.#at[past + 1]! < moment) past++;
    if (past === 0) return;
    this.#at.splice(0, past);
    this.#values.splice(0, past);
  }
}
