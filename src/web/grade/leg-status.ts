import type { LegResult } from '../../domain/grading/leg-result.ts';

/** How a bet stands: a word and a style. */
export interface LegStatus {
  readonly word: string;
  readonly style: 'won' | 'lost' | 'even' | 'open' | 'unknown';
}

interface StandingLeg {
  readonly result: LegResult | null;
  /** Of a quarter line whose halves ended differently. */
  readonly half?: 'won' | 'lost' | undefined;
  /** That was taken. */
  readonly side: string | null;
  /** Of the event, as a time; absent where it is not known. */
  readonly startsAt: string | undefined;
}

/** The words for how a bet stands, the same on every page. @param now milliseconds */
export function legStatus({ result, half, side, startsAt }: StandingLeg, now: number): LegStatus {
  if (half !== undefined) return { word: `Half ${half}`, style: 'even' };
  switch (result) {
    case 'won':
      return { word: 'Won', style: 'won' };
    case 'lost':
      return { word: 'Lost', style: 'lost' };
    case 'over':
    case 'under':
      return result === side ? { word: 'Won', style: 'won' } : { word: 'Lost', style: 'lost' };
    case 'push':
      return { word: 'Push', style: 'even' };
    case 'void':
      return { word: 'Void', style: 'even' };
    case 'dnp':
      return { word: 'Void: did not play', style: 'even' };
    case 'no_stat':
      return { word: 'No statistic', style: 'unknown' };
    case 'in_progress': {
      const isAhead = startsAt !== undefined && Date.parse(startsAt) > now;
      return { word: isAhead ? 'Not started' : 'In progress', style: 'open' };
    }
    case null:
      return { word: 'Not graded', style: 'unknown' };
  }
}
