import type { UnauthenticatedLimits } from '../../api/http/requests/unauthenticated-limits.ts';
import type { Responder } from '../../api/http/responder.ts';
import type { SetTimer } from '../../platform/async/timer.ts';
import type { KeylessContext } from '../browse/keyless-calls.ts';
import type { SitePages } from '../layout/navigation.ts';

/** What the pages below `/forecasts` are made with. */
export interface ForecastsPageParts {
  readonly context: KeylessContext;
  readonly responder: Responder;
  /** What the header links to; default: all pages. */
  readonly pages?: SitePages | undefined;
  readonly simulated: () => boolean;
  /** Counts answers from the histories of events. Absent: any number may be made. */
  readonly admitFold?: UnauthenticatedLimits['admitFold'] | undefined;
  /** `now` is a monotonic clock, in milliseconds. */
  readonly pace: { readonly now: () => number; readonly setTimer: SetTimer };
}
