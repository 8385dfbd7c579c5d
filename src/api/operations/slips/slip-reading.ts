import type { AsOf } from '../../../read-models/as-of/as-of.ts';
import type { OperationContext } from '../../calls/operation.ts';

/** What the bets of a slip are bound in. */
export interface SlipReading {
  readonly context: Pick<OperationContext, 'store' | 'histories' | 'principal'>;
  /** Events are those that were known then; names are always those of today's directory. */
  readonly asOf: AsOf | undefined;
  /** The moment from which dates count, in milliseconds: that of `asOf`, else now. */
  readonly moment: number;
}
