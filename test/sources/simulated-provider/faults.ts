/** Part of a protocol double: what goes wrong between the simulated provider and who asks it. */
export type Fault =
  /** Nothing is ever answered. */
  | { readonly kind: 'silence' }
  /** The connection ends without a word. */
  | { readonly kind: 'reset' }
  /** The answer ends in its middle. */
  | { readonly kind: 'truncated' }
  /** An answer of another status; `retryAfter` in seconds. */
  | { readonly kind: 'status'; readonly status: number; readonly retryAfter?: number; readonly body?: unknown }
  | { readonly kind: 'redirect'; readonly to: string }
  /** A text that is no JSON. */
  | { readonly kind: 'text'; readonly text: string }
  /** The provider has changed its answers. */
  | { readonly kind: 'drift'; readonly change: (body: any) => unknown }
  /** A cache answers with what it took so many seconds ago, and says so by `Age` where `told`. */
  | { readonly kind: 'cache'; readonly seconds: number; readonly told: boolean }
  /** The provider's clock is wrong by so many seconds. */
  | { readonly kind: 'skew'; readonly seconds: number }
  /** What the answer lists it lists twice, at first as it was so many seconds ago. */
  | { readonly kind: 'doubled'; readonly seconds: number };

/** A fault for a while. */
export interface Trouble {
  readonly fault: Fault;
  /** Paths that it meets; all where it is left out. */
  readonly path?: RegExp;
  /** Milliseconds, without the end. */
  readonly from: number;
  readonly to: number;
}

export const faultAt = (troubles: readonly Trouble[], path: string, time: number): Fault | undefined =>
  troubles.find((one) => time >= one.from && time < one.to && (one.path?.test(path) ?? true))?.fault;

/** The lists of providers' answers. */
const LISTS = ['events', 'games', 'injuries'];

/** An answer that has the older one's entries before its own. */
export function doubled(older: unknown, newer: unknown): unknown {
  if (Array.isArray(newer)) return [...(older as unknown[]), ...newer];
  const list = LISTS.find((name) => Array.isArray((newer as Record<string, unknown>)[name]));
  if (!list) return newer;
  const listOf = (body: unknown) => (body as Record<string, unknown[]>)[list]!;
  return { ...(newer as object), [list]: [...listOf(older), ...listOf(newer)] };
}
