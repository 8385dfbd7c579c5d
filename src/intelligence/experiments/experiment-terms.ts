import { findLeague, findSport } from '../../domain/catalogue/catalogue.ts';
import { QUOTED_MARKETS } from '../prices/quotes.ts';

/** One condition of `gates`. */
export interface Gate {
  readonly gate: 'clv_above' | 'profit_above' | 'hit_rate_above' | 'drawdown_below';
  readonly limit: number;
}

/** What the server understands of an experiment's free JSON. */
export interface ExperimentTerms {
  /** Selections must have one of these values; null: any. */
  readonly cohort: {
    readonly sport: readonly string[] | null;
    readonly league: readonly string[] | null;
    readonly market: readonly string[] | null;
    readonly tier: readonly string[] | null;
  };
  /** Selections have their probability this far above the fair one, at least. */
  readonly minEdge: number;
  /** Fewer selections decide nothing. */
  readonly minN: number;
  /** A mean passes a gate if it does so by this many of its standard errors. */
  readonly standardErrors: number;
  readonly gates: readonly Gate[];
  /** The members that it does not understand, with their place: `cohort.weather`. */
  readonly notUnderstood: readonly string[];
}

/** Where the gates say nothing else. */
export const DEFAULT_MIN_N = 30;
const MAX_STANDARD_ERRORS = 10;
const GATES: readonly string[] = ['clv_above', 'profit_above', 'hit_rate_above', 'drawdown_below'];
const TIERS = ['very_high', 'strong', 'moderate', 'avoid'];
/** Values of one member of the cohort, and members that are named: what is longer is not understood. */
const MAX_VALUES = 50;
const MAX_NAMED = 50;
const MAX_NAME = 60;

const KNOWN: Readonly<Record<keyof ExperimentTerms['cohort'], (value: string) => boolean>> = {
  sport: (value) => findSport(value) !== undefined,
  league: (value) => findLeague(value) !== undefined,
  market: (value) => (QUOTED_MARKETS as readonly string[]).includes(value),
  tier: (value) => TIERS.includes(value),
};

/** Reads the members that the server understands. Everything else is named in `notUnderstood`, and is not guessed at. */
export function readExperimentTerms(given: {
  readonly policy: unknown;
  readonly cohort: unknown;
  readonly gates: unknown;
}): ExperimentTerms {
  const notUnderstood: string[] = [];
  const refuse = (place: string) => {
    if (notUnderstood.length < MAX_NAMED) notUnderstood.push(place);
  };
  const cohort: Record<string, readonly string[] | null> = { sport: null, league: null, market: null, tier: null };
  for (const [name, value] of membersOf(given.cohort, 'cohort', refuse)) {
    const isKnown = Object.hasOwn(KNOWN, name) ? KNOWN[name as keyof typeof KNOWN] : undefined;
    const values = isKnown && asTexts(value);
    if (isKnown && values?.every(isKnown)) cohort[name] = values;
    else refuse(`cohort.${name}`);
  }
  let minEdge = 0;
  for (const [name, value] of membersOf(given.policy, 'policy', refuse)) {
    if (name === 'selections' && value === 'published') continue;
    if (name === 'stake' && value === 'flat') continue;
    if (name === 'min_edge' && isBetween(value, 0, 1)) minEdge = value;
    else refuse(`policy.${name}`);
  }
  let [minN, standardErrors] = [DEFAULT_MIN_N, 0];
  const gates: Gate[] = [];
  for (const [name, value] of membersOf(given.gates, 'gates', refuse)) {
    if (name === 'min_n' && Number.isSafeInteger(value) && (value as number) >= 1) minN = value as number;
    else if (name === 'standard_errors' && isBetween(value, 0, MAX_STANDARD_ERRORS)) standardErrors = value;
    else if (GATES.includes(name) && isBetween(value, -1e9, 1e9))
      gates.push({ gate: name as Gate['gate'], limit: value });
    else refuse(`gates.${name}`);
  }
  return { cohort: cohort as ExperimentTerms['cohort'], minEdge, minN, standardErrors, gates, notUnderstood };
}

/** Null and absent say nothing. In the order of their names. */
function membersOf(value: unknown, place: string, refuse: (place: string) => void): readonly [string, unknown][] {
  if (value === null || value === undefined) return [];
  if (typeof value !== 'object' || Array.isArray(value)) {
    refuse(place);
    return [];
  }
  return Object.entries(value)
    .map(([name, member]): [string, unknown] => [name.slice(0, MAX_NAME), member])
    .sort(([a], [b]) => (a < b ? -1 : 1));
}

function asTexts(value: unknown): readonly string[] | undefined {
  const values = Array.isArray(value) ? value : [value];
  const isWell = values.length > 0 && values.length <= MAX_VALUES && values.every((one) => typeof one === 'string');
  return isWell ? (values as string[]) : undefined;
}

const isBetween = (value: unknown, min: number, max: number): value is number =>
  typeof value === 'number' && value >= min && value <= max;
