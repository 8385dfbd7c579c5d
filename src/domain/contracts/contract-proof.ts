import { isSameOutcome } from '../odds/book-depth.ts';
import { MINUTE } from '../primitives/time.ts';
import type { ContractBet } from './settled-side.ts';

/** So many observations prove a side, or disprove it, if they are spread over so long. */
const OBSERVATIONS = 3;
const SPREAD_OVER_MS = 10 * MINUTE;
/** Only where the fair prices of the two sides lie so far apart does a price tell which side it is of. */
const APART = 0.15;
/** From here on a single observation may speak against what the names say. */
const LEANING_APART = 0.04;
/** The price must be so many times nearer to one side than to the other. */
const TIMES_NEARER = 3;
/** So many contracts of a series in a row must have come out right before names alone prove a side. */
export const SETTLED_NEEDED = 20;
/** Contracts of a league that are remembered; beyond them the one heard of longest ago is forgotten, and waits again. */
export const MAX_CONTRACTS = 4000;
/** Series of a league; a venue has one for each kind of market. */
const MAX_SERIES = 200;
/** Contracts of a league that people have bound; beyond them the one bound longest ago is forgotten. */
const MAX_BY_HAND = 2000;
/** Observations of one contract that are recorded. */
const MAX_SEEN = 40;
/** Binary fractions: 0.65 - 0.5 is a little more than 0.15, and 0.575 - 0.425 a little less. */
const TINY = 1e-9;

/** What one observation says: the contract's price beside the fair prices of its own side and of the other one. */
export interface SeenPrice {
  readonly price: number;
  readonly own: number;
  readonly other: number;
}

/** What was reported of one contract, all but what it is. */
export interface ContractReport {
  /** Milliseconds. */
  readonly at: number;
  readonly seen?: SeenPrice | undefined;
  /** Whether its market was settled as the game of its side ended. */
  readonly settled?: 'right' | 'wrong' | undefined;
  /** How its market was settled, where the game is not known to be over. */
  readonly unjudged?: 'yes' | 'no' | undefined;
}

/** Which side a price speaks for: clearly, or only so far that names alone are no proof any more. */
type Lean = 'own' | 'leans_own' | 'even' | 'leans_other' | 'other';

/** Where the prices of a contract are shown. */
export interface ContractPlace {
  readonly eventId: number;
  readonly venue: string;
  readonly key: string;
  readonly scope: 'match' | '1H' | 'F5' | 'S1';
}

/** What is known of one contract. */
export interface ContractState {
  readonly key: string;
  readonly series: string;
  readonly byName: boolean;
  /** Where its prices are: the event, the venue and the name of the market. */
  readonly place: ContractPlace;
  /** What it is a bet on, in the order of the event. */
  readonly bet: ContractBet;
  /** Times of the observations in a row that speak for one side, in milliseconds; at most three. */
  times: number[];
  lean: Lean | null;
  /** The price has proved its own side, or the other one. */
  byPrice: 'own' | 'other' | null;
  settled: 'right' | 'wrong' | null;
  /** How its market was settled before the game was known to be over: it is judged then. */
  unjudged: 'yes' | 'no' | null;
  seen: number;
}

/** What a person says that the Yes of a contract is a bet on. */
export interface BoundByHand {
  readonly eventId: number;
  /** In the order of the event. */
  readonly bet: ContractBet;
}

/** What is known of the contracts of one league, by venue and id. Its size is bounded. */
export interface LeagueContracts {
  /** In the order in which they were last reported. */
  readonly contracts: Map<string, ContractState>;
  /** How many contracts of a series came out right since the last one that did not. */
  readonly right: Map<string, number>;
  /** The contracts that a person has bound, in the order of the acts. */
  readonly byHand: Map<string, BoundByHand>;
}

export const newLeagueContracts = (): LeagueContracts => ({
  contracts: new Map(),
  right: new Map(),
  byHand: new Map(),
});

/** Names a contract among those of all venues. Venues are slugs. */
export const contractKey = (venue: string, contract: string): string => `${venue} ${contract}`;

/** What a price says of the side of its contract. */
export function leanOf({ price, own, other }: SeenPrice): Lean {
  const apart = Math.abs(own - other) + TINY;
  const [toOwn, toOther] = [Math.abs(price - own), Math.abs(price - other)];
  const isClear = apart >= APART;
  if (apart < LEANING_APART) return 'even';
  if (toOwn * TIMES_NEARER <= toOther + TINY) return isClear ? 'own' : 'leans_own';
  if (toOther * TIMES_NEARER <= toOwn + TINY) return isClear ? 'other' : 'leans_other';
  return 'even';
}

/** Whether a contract may be shown as its side's: a person says so, or what was observed. */
export function isProved({ contracts, right, byHand }: LeagueContracts, key: string): boolean {
  if (byHand.has(key)) return true;
  const contract = contracts.get(key);
  if (!contract || contract.settled === 'wrong' || contract.byPrice === 'other') return false;
  if (contract.byPrice === 'own') return true;
  return contract.byName && !isDoubted(contract) && (right.get(contract.series) ?? 0) >= SETTLED_NEEDED;
}

/** A price was seen, and it does not speak for the side of the name. */
const isDoubted = ({ lean }: ContractState): boolean => lean !== null && lean !== 'own' && lean !== 'leans_own';

/** The keys of the contracts of a series that are proved. */
export const provedOfSeries = (state: LeagueContracts, series: string): string[] =>
  [...state.contracts.values()]
    .filter((one) => one.series === series && isProved(state, one.key))
    .map(({ key }) => key);

/** Whether a report adds anything to what is known. @param eventId the event that it names now */
export function isNews(
  contract: ContractState | undefined,
  { at, seen, settled, unjudged }: ContractReport,
  eventId: number,
): boolean {
  if (contract?.place.eventId !== eventId) return true;
  if (unjudged) return contract.settled === null && contract.unjudged !== unjudged;
  if (settled) return contract.settled !== settled;
  if (!seen || contract.settled !== null || contract.seen >= MAX_SEEN) return false;
  const lean = leanOf(seen);
  if (lean !== contract.lean) return contract.byPrice === null || lean === 'own' || lean === 'other';
  if (contract.byPrice === lean) return false;
  return (lean === 'own' || lean === 'other') && nextTimes(contract, lean, at) !== contract.times;
}

/** The times with one more observation, where it brings the proof nearer. */
function nextTimes({ lean: before, times }: ContractState, lean: Lean, at: number): number[] {
  if (lean !== 'own' && lean !== 'other') return [];
  if (lean !== before || times.length === 0) return [at];
  if (at <= times.at(-1)!) return times;
  // The last of three must lie ten minutes after the first.
  if (times.length === OBSERVATIONS - 1 && at - times[0]! < SPREAD_OVER_MS) return times;
  return [...times, at];
}

/** Adds a contract, or moves it to the end; the one reported longest ago makes room. */
function touch({ contracts }: LeagueContracts, contract: ContractState): void {
  contracts.delete(contract.key);
  if (contracts.size >= MAX_CONTRACTS) contracts.delete(contracts.keys().next().value!);
  contracts.set(contract.key, contract);
}

function setRight({ right }: LeagueContracts, series: string, count: number): void {
  right.delete(series);
  if (right.size >= MAX_SERIES) right.delete(right.keys().next().value!);
  right.set(series, count);
}

export const isSameBet = (one: ContractBet, other: ContractBet): boolean =>
  one.market === other.market && isSameOutcome(one, other);

/** A person binds a contract, or (null) takes that back; changes and returns the state that it gets. */
export function applyByHand(state: LeagueContracts, key: string, bound: BoundByHand | null): LeagueContracts {
  const { byHand } = state;
  byHand.delete(key);
  if (bound === null) return state;
  if (byHand.size >= MAX_BY_HAND) byHand.delete(byHand.keys().next().value!);
  byHand.set(key, bound);
  return state;
}

/** Applies a report; changes and returns the state that it gets. */
export function applyReport(
  state: LeagueContracts,
  named: Pick<ContractState, 'key' | 'series' | 'byName' | 'place' | 'bet'>,
  { at, seen, settled, unjudged }: ContractReport,
): LeagueContracts {
  const known = state.contracts.get(named.key);
  const unproved = { times: [], lean: null, byPrice: null, seen: 0 };
  const { settled: settledBefore = null, unjudged: unjudgedBefore = null } = known ?? {};
  // Its event was merged into another one, which may have the sides in the opposite order: its price must prove it anew.
  const contract =
    known?.place.eventId === named.place.eventId
      ? known
      : { ...named, ...unproved, settled: settledBefore, unjudged: unjudgedBefore };
  touch(state, contract);
  if (unjudged) contract.unjudged = unjudged;
  if (seen) {
    const lean = leanOf(seen);
    contract.times = nextTimes(contract, lean, at);
    contract.lean = lean;
    contract.seen++;
    if (contract.times.length === OBSERVATIONS && (lean === 'own' || lean === 'other')) {
      contract.byPrice = lean;
      contract.times = [];
      // A name of this series has lied.
      if (lean === 'other' && contract.byName) setRight(state, contract.series, 0);
    }
  }
  if (settled) {
    const before = contract.settled;
    contract.settled = settled;
    contract.unjudged = null;
    if (settled === 'wrong') setRight(state, contract.series, 0);
    else if (before === null && contract.byName) {
      setRight(state, contract.series, Math.min(SETTLED_NEEDED, (state.right.get(contract.series) ?? 0) + 1));
    }
  }
  return state;
}
