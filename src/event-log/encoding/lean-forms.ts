import { pricesChanged, pricesReconfirmed, pricesWithDecimals } from './odds-forms.ts';
import type { Piece } from './positional.ts';

/**
 * The lean forms of domain events, by type, version and the number of the form. That number is stored with each record,
 * so that one that has been given stays for ever; the last one of a version is the one that is written.
 */
const FORMS: Readonly<Record<string, Readonly<Record<number, Readonly<Record<number, Piece>>>>>> = {
  PricesChanged: { 1: { 2: pricesChanged, 3: pricesWithDecimals } },
  PricesReconfirmed: { 1: { 2: pricesReconfirmed } },
};

export interface LeanForm {
  readonly number: number;
  readonly piece: Piece;
}

const written = new Map(
  Object.entries(FORMS).flatMap(([type, versions]) =>
    Object.entries(versions).map(([version, forms]): [string, LeanForm] => {
      const number = Math.max(...Object.keys(forms).map(Number));
      return [`${type} ${version}`, { number, piece: forms[number]! }];
    }),
  ),
);

/** What records of this type and version are written in; undefined where they have no form of their own. */
export const writtenForm = (type: string, version: number): LeanForm | undefined => written.get(`${type} ${version}`);

/** Undefined where this code knows no such form. */
export const formOf = (type: string, version: number, number: number): Piece | undefined =>
  FORMS[type]?.[version]?.[number];
