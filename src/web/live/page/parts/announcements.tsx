import { announced } from '../live/announcements.ts';

/** Tells changes of scores to those who hear the page, politely. */
export const Announcements = () => (
  <div class="hidden-text" aria-live="polite" aria-atomic="true">
    {announced.value}
  </div>
);
