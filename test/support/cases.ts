/** CASES is the share of its cases that a property tries: all of them in `npm run test:servers`, else a part. */
const SHARE = Number(process.env['CASES'] ?? 0.0625);

/**
 * How many cases a property tries, of the number that would be thorough. A test file that asks is named
 * `*.property.test.ts`, and so is run again with all of them by `npm run test:servers`.
 * @param most as many as `npm test` tries of what takes long
 */
export const cases = (thorough: number, most = thorough): number =>
  SHARE < 1 ? Math.min(Math.ceil(thorough * SHARE), most) : Math.ceil(thorough * SHARE);

/** How far to go from one step of an exhaustive walk to the next: 1 visits all of them, else the walk visits a part. */
export const STRIDE = Math.max(1, Math.round(1 / SHARE));
