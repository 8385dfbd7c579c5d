/** Where a page shows another day than today, although nobody has asked for it. */
export const NO_EVENT_SINCE = 'No event of today is known. This is the last day with events.';
export const NO_EVENT_UNTIL = 'No event of today is known. This is the nearest day with events.';
