import type { EventDocument } from '../../../projections/events.ts';
import type { Forecast } from '../../intelligence/forecast.ts';

/** What the server's own models say of an event; null where they say nothing. No model serves yet. */
export const forecastOf = (_event: EventDocument): Forecast | null => null;
