import { logistic, logit } from '../models/logit.ts';

/** `logit P(happened) = intercept + slope * logit p`: 0 and 1 for a calibrated forecast. */
export interface Line {
  readonly slope: number;
  readonly intercept: number;
}

export interface Point {
  /** Between 0 and 1, without both. */
  readonly p: number;
  readonly happened: boolean;
}

const MOST_STEPS = 100;
const CLOSE = 1e-10;

/**
 * The line of greatest likelihood, by Newton's method; a step that does not help is halved. Null where there is none:
 * all p alike, or outcomes that p parts without fault.
 */
export function logisticLine(points: readonly Point[]): Line | null {
  const xs = points.map(({ p, happened }) => ({ x: logit(p), y: happened ? 1 : 0 }));
  let line: Line = { slope: 1, intercept: 0 };
  for (let step = 0; step < MOST_STEPS; step++) {
    let [gi, gs, ii, is, ss] = [0, 0, 0, 0, 0];
    for (const { x, y } of xs) {
      const said = logistic(line.intercept + line.slope * x);
      const weight = said * (1 - said);
      gi += y - said;
      gs += (y - said) * x;
      ii += weight;
      is += weight * x;
      ss += weight * x * x;
    }
    const determinant = ii * ss - is * is;
    if (!(determinant > 1e-9 * ii * ss)) return null;
    const [di, ds] = [(ss * gi - is * gs) / determinant, (ii * gs - is * gi) / determinant];
    line = better(xs, line, di, ds);
    if (Math.abs(di) < CLOSE && Math.abs(ds) < CLOSE) return line;
  }
  return null;
}

type Seen = readonly { readonly x: number; readonly y: number }[];

function better(xs: Seen, from: Line, di: number, ds: number): Line {
  const before = likelihood(xs, from);
  for (let part = 1; part > 1e-4; part /= 2) {
    const line = { intercept: from.intercept + part * di, slope: from.slope + part * ds };
    if (likelihood(xs, line) >= before) return line;
  }
  return { intercept: from.intercept + di, slope: from.slope + ds };
}

function likelihood(xs: Seen, { slope, intercept }: Line): number {
  let sum = 0;
  for (const { x, y } of xs) {
    const odds = intercept + slope * x;
    // log(1 + e^z) without the overflow of e^z.
    const z = y === 1 ? -odds : odds;
    sum -= z > 0 ? z + Math.log(1 + Math.exp(-z)) : Math.log(1 + Math.exp(z));
  }
  return sum;
}
