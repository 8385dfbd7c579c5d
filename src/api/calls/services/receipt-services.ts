import type { Principal } from '../principal.ts';

/** A grade as it is stored in the log, for ever. */
interface IssuedGrade {
  /** ISO 8601. */
  readonly gradedAt: string;
  /** Sports of its events: only a key that covers all of them can read the grade. */
  readonly sports: readonly string[];
  /** The parsed request. */
  readonly request: unknown;
  /** The answer, without its receipt. */
  readonly result: unknown;
  /** Its legs with resolved names, so that they can be graded again without parsing. */
  readonly legs: readonly unknown[];
}

export interface Receipt extends IssuedGrade {
  readonly id: string;
  /** Position in the log, in decimal. */
  readonly position: string;
  /** Its leaf in the day's seal; null where there is none, or its salt is gone. */
  readonly seal: { readonly salt: string; readonly leaf: string } | null;
}

/** Receipts of grades: the port behind `/v1/grade/receipts`. */
export interface ReceiptServices {
  /**
   * The receipt is on disk when this resolves.
   * @param run id of the run: a receipt that the same run issued before is returned again
   * @throws Unavailable
   */
  issue(principal: Principal, grade: IssuedGrade, run?: string): Promise<Receipt>;
  /** Undefined if there is none with this id, or it belongs to another account. */
  read(principal: Principal, id: string): Promise<Receipt | undefined>;
  /** Of whatever account that is still there, without its seal: for the page that its owner shares. An id cannot be guessed. */
  find(id: string): Promise<Receipt | undefined>;
}
