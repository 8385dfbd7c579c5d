import { formatTime, parseTime } from '../time.ts';
import type { AnsweredCall, ChargedCall } from './calls.ts';

/**
 * Calls in columns: what each of them was stands at the same place in every column. A server may answer many thousands
 * a second, each of which is recorded; in columns they take a third of the room, and of the time, that objects would.
 */
export interface CallColumns {
  /** When the first of them came in. */
  readonly at: string;
  /** When each came in, in milliseconds after `at`; negative: before it. */
  readonly after: readonly number[];
  readonly keyIds: readonly number[];
  readonly operations: readonly (string | null)[];
  readonly requestIds: readonly string[];
  readonly statuses: readonly number[];
  readonly milliseconds: readonly number[];
  /** What few calls have, by their place. */
  readonly besides?: Readonly<Record<number, Besides>>;
}

export interface ChargeColumns extends CallColumns {
  readonly credits: readonly number[];
}

export type Besides = Partial<Pick<ChargedCall, 'budget' | 'chargedAt' | 'bought' | 'capped'>>;

/** Columns that are being filled. */
type Filling<Columns> = {
  -readonly [Name in keyof Columns]: Columns[Name] extends readonly (infer Value)[] ? Value[] : Columns[Name];
} & { besides?: Record<number, Besides> };
export type FillingCalls = Filling<CallColumns>;
export type FillingCharges = Filling<ChargeColumns>;

/** @param at of the first call that is going to be added */
export const emptyColumns = (at: string): FillingCalls => ({
  at,
  after: [],
  keyIds: [],
  operations: [],
  requestIds: [],
  statuses: [],
  milliseconds: [],
});

export const emptyCharges = (at: string): FillingCharges => ({ ...emptyColumns(at), credits: [] });

export function addCall(columns: FillingCalls, call: AnsweredCall): void {
  const { budget } = call;
  add(columns, call, budget === undefined ? undefined : { budget });
}

export function addCharge(columns: FillingCharges, charge: ChargedCall): void {
  const { budget, chargedAt, bought, capped } = charge;
  const isPlain = budget === undefined && chargedAt === undefined && bought === undefined && capped === undefined;
  add(columns, charge, isPlain ? undefined : given({ budget, chargedAt, bought, capped }));
  columns.credits.push(charge.credits);
}

function add(columns: FillingCalls, call: AnsweredCall, besides: Besides | undefined): void {
  if (besides) {
    columns.besides ??= {};
    columns.besides[columns.after.length] = besides;
  }
  columns.after.push(call.at === columns.at ? 0 : timeOf(call.at) - timeOf(columns.at));
  columns.keyIds.push(call.keyId);
  columns.operations.push(call.operation);
  columns.requestIds.push(call.requestId);
  columns.statuses.push(call.status);
  columns.milliseconds.push(call.milliseconds);
}

/** Without what is undefined. */
const given = (values: { readonly [Name in keyof Besides]: Besides[Name] | undefined }): Besides =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));

/** Adds what stands at this place of other columns. */
export function addFrom(columns: FillingCharges, from: ChargeColumns, place: number): void;
export function addFrom(columns: FillingCalls, from: CallColumns, place: number): void;
export function addFrom(columns: FillingCalls, from: CallColumns, place: number): void {
  const besides = from.besides?.[place];
  if (besides) {
    columns.besides ??= {};
    columns.besides[columns.after.length] = besides;
  }
  const later = from.at === columns.at ? 0 : timeOf(from.at) - timeOf(columns.at);
  columns.after.push(from.after[place]! + later);
  columns.keyIds.push(from.keyIds[place]!);
  columns.operations.push(from.operations[place]!);
  columns.requestIds.push(from.requestIds[place]!);
  columns.statuses.push(from.statuses[place]!);
  columns.milliseconds.push(from.milliseconds[place]!);
  if (isCharged(columns) && isCharged(from)) columns.credits.push(from.credits[place]!);
}

const isCharged = <Columns extends CallColumns>(columns: Columns): columns is Columns & FillingCharges =>
  'credits' in columns;

export function callColumns(calls: readonly AnsweredCall[]): CallColumns {
  const columns = emptyColumns(calls[0]?.at ?? '');
  for (const call of calls) addCall(columns, call);
  return columns;
}

export function chargeColumns(charges: readonly ChargedCall[]): ChargeColumns {
  const columns = emptyCharges(charges[0]?.at ?? '');
  for (const charge of charges) addCharge(columns, charge);
  return columns;
}

/** The calls of a record, whether they cost something or not. */
export const columnsOf = (data: { readonly charges: ChargeColumns } | { readonly calls: CallColumns }): CallColumns =>
  'charges' in data ? data.charges : data.calls;

export const creditsAt = (columns: CallColumns, place: number): number =>
  isCharged(columns) ? columns.credits[place]! : 0;

export const callsOf = (columns: CallColumns): readonly AnsweredCall[] =>
  columns.requestIds.map((requestId, place) => ({
    at: atOf(columns, place),
    keyId: columns.keyIds[place]!,
    operation: columns.operations[place]!,
    requestId,
    status: columns.statuses[place]!,
    milliseconds: columns.milliseconds[place]!,
    ...columns.besides?.[place],
  }));

/** When the call at this place came in. */
export const atOf = (columns: CallColumns, place: number): string => formatTime(timeOfCall(columns, place));

export const chargesOf = (columns: ChargeColumns): readonly ChargedCall[] =>
  callsOf(columns).map((call, place) => ({ ...call, credits: columns.credits[place]! }));

/** When the call at this place came in, in milliseconds. */
export const timeOfCall = ({ at, after }: CallColumns, place: number): number => timeOf(at) + after[place]!;

const timeOf = (at: string): number => parseTime(at) ?? Date.parse(at);
