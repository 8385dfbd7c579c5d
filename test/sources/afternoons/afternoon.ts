import { easternDays } from '../../../src/sources/provider-base/eastern-day.ts';

/** A game as ESPN has it at a moment. Times are milliseconds. */
export interface Moment {
  readonly at: number;
  /** ESPN's name of the status, without `STATUS_`. */
  readonly name: string;
  readonly state: 'pre' | 'in' | 'post';
  readonly period: number;
  readonly clock: string;
  readonly detail?: string;
  readonly outs?: number;
  readonly home: number;
  readonly away: number;
  /** It takes back what was true before, and no clock shows that it is the later one. */
  readonly isUnordered?: true;
}

export interface PlayedGame {
  /** ESPN's event: everything but the status and the scores. */
  readonly event: any;
  readonly id: string;
  readonly startsAt: number;
  /** What was true, in order of time; the first is from ever. */
  readonly moments: readonly Moment[];
}

export interface Afternoon {
  readonly league: string;
  /** ESPN's place of the league: `soccer/eng.1`. */
  readonly place: string;
  readonly games: readonly PlayedGame[];
}

export const momentAt = ({ moments }: PlayedGame, time: number): Moment =>
  moments.findLast(({ at }) => at <= time) ?? moments[0]!;

export const isOnDay = ({ startsAt }: PlayedGame, day: string): boolean => easternDays(startsAt).today.name === day;

/** ESPN's event at a moment. */
export function eventAt({ event }: PlayedGame, moment: Moment): any {
  const [given] = event.competitions;
  const { name, state, period, clock, detail = name, outs } = moment;
  const type = { name: `STATUS_${name}`, state, completed: state === 'post' && name !== 'POSTPONED', detail };
  const competitors = given.competitors.map((side: any) => ({
    ...side,
    score: String(side.homeAway === 'home' ? moment.home : moment.away),
    linescores: undefined,
    winner: undefined,
  }));
  const status = { period, displayClock: clock, type };
  const situation = outs === undefined ? undefined : { outs };
  return { ...event, status, competitions: [{ ...given, status, competitors, situation, details: undefined }] };
}

const STATUSES: Readonly<Record<string, string>> = {
  SCHEDULED: 'scheduled',
  FINAL: 'final',
  FULL_TIME: 'final',
  POSTPONED: 'postponed',
  RAIN_DELAY: 'suspended',
};

/** What a subscriber may hear of a moment: status and score. */
export const heardOf = ({ name, home, away }: Moment): string => {
  const status = STATUSES[name] ?? 'inprogress';
  return ['scheduled', 'postponed'].includes(status) ? status : `${status} ${home}:${away}`;
};

export interface Truth {
  readonly at: number;
  readonly heard: string;
  /** Something is taken back: a goal, an end, a result. */
  readonly isCorrection: boolean;
}

const RANKS = ['scheduled', 'inprogress', 'final'];
const statusOf = (heard: string): string => heard.split(' ')[0]!;
const isTakenBack = (before: Moment, after: Moment): boolean => {
  const [from, to] = [statusOf(heardOf(before)), statusOf(heardOf(after))].map((status) => RANKS.indexOf(status));
  return after.home < before.home || after.away < before.away || (from! >= 0 && to! >= 0 && to! < from!);
};

/** All that was true of a game, one after the other. */
export function truthOf({ moments }: PlayedGame): readonly Truth[] {
  return moments.flatMap((moment, index) => {
    const before = moments[index - 1];
    if (before && heardOf(before) === heardOf(moment)) return [];
    const isCorrection = before !== undefined && isTakenBack(before, moment);
    return [{ at: moment.at, heard: heardOf(moment), isCorrection }];
  });
}

export interface Heard {
  readonly at: number;
  readonly heard: string;
}

/** Why what was heard is not what was true, one after the other; undefined: it is. */
export function whyUntrue(truth: readonly Truth[], heard: readonly Heard[]): string | undefined {
  let place = -1;
  for (const [index, one] of heard.entries()) {
    if (index > 0 && heard[index - 1]!.heard === one.heard) return `${one.heard} was told twice at ${one.at}`;
    place = truth.findIndex(({ at, heard: said }, n) => n > place && at <= one.at && said === one.heard);
    if (place < 0) return `${one.heard} was told at ${one.at}, which was not so, or not any more`;
  }
  return undefined;
}

/** Which correction was not heard in time, or that the end was never heard; undefined: all were. */
export function whyLate(truth: readonly Truth[], heard: readonly Heard[], withinMs: number): string | undefined {
  for (const [index, { at, heard: said, isCorrection }] of truth.entries()) {
    // Who never heard what is taken back knows it already, and it may be so again by then.
    const by = at + withinMs;
    const now = heard.findLast((one) => one.at <= by)?.heard;
    const isKnown = truth.some((one, n) => n >= index && one.at <= by && one.heard === now);
    if (isCorrection && !isKnown) return `${said}, true from ${at}, was not known at ${by}, but ${now}`;
  }
  const last = truth.at(-1)!.heard;
  return heard.at(-1)?.heard === last ? undefined : `the last, ${last}, was never told`;
}
