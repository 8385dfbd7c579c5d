/**
 * Part of a protocol double: what the simulated provider says at a URL in the course of a day.
 */
export interface Timeline {
  readonly path: string;
  /** Members that the query must have; others do not matter. */
  readonly query?: Readonly<Record<string, string>>;
  /** When what it says changes; milliseconds, ascending. */
  readonly changesAt: readonly number[];
  bodyAt(time: number, query: Readonly<Record<string, string>>): unknown;
}

/** Bodies, each from its time on (milliseconds); the first from ever. */
export function timeline(
  path: string,
  bodies: readonly (readonly [from: number, body: unknown])[],
  query?: Readonly<Record<string, string>>,
): Timeline {
  return {
    path,
    ...(query ? { query } : {}),
    changesAt: bodies.map(([from]) => from),
    bodyAt: (time) => (bodies.findLast(([from]) => from <= time) ?? bodies[0]!)[1],
  };
}

/** The timeline that a request meets: of several, the last that fits. */
export const timelineOf = (
  timelines: readonly Timeline[],
  path: string,
  query: Readonly<Record<string, string>>,
): Timeline | undefined =>
  timelines.findLast(
    (one) => one.path === path && Object.entries(one.query ?? {}).every(([name, value]) => query[name] === value),
  );

/** When what it said last changed; undefined where it never did. */
export const lastChange = ({ changesAt }: Timeline, time: number): number | undefined =>
  changesAt.findLast((change) => change <= time);
