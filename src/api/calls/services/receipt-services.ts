import type { Principal } from '../principal.ts';

/** What is kept of a grade; the log holds it for ever. */
interface IssuedGrade {
  /** ISO 8601. */
  readonly gradedAt: string;
  /** Sports of its events: a key without one of them does not read it. */
  readonly sports: readonly string[];
  /** The request as it was understood. */
  readonly request: unknown;
  /** The answer, without its receipt. */
  readonly result: unknown;
  /** Its legs with their names resolved: they are graded again without being read again. */
  readonly legs: readonly unknown[];
}

export interface Receipt extends IssuedGrade {
  readonly id: string;
  /** Place in the log, in decimal. */
  readonly position: string;
}

/** The receipts of grades: the port behind `/v1/grade/receipts`. */
export interface ReceiptServices {
  /**
   * On disk when it resolves.
   * @param run that it is of: the receipt that was issued in the same run before is given in its place
   * @throws Unavailable
   */
  issue(principal: Principal, grade: IssuedGrade, run?: string): Promise<Receipt>;
  /** Undefined where there is none of this id, or it is another account's. */
  read(principal: Principal, id: string): Promise<Receipt | undefined>;
}
