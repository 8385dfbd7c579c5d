/** The route in the address after `#`. */
export type Route =
  | { readonly view: 'board'; readonly date: string | null }
  | { readonly view: 'event'; readonly id: number };

/** An unknown address means the board of the nearest day with events. */
export function routeOf(hash: string): Route {
  const event = /^#\/events\/(\d{1,15})$/.exec(hash);
  if (event) return { view: 'event', id: Number(event[1]) };
  const day = /^#\/day\/(\d{4}-\d{2}-\d{2})$/.exec(hash);
  return { view: 'board', date: day?.[1] ?? null };
}

export const eventHash = (id: number): string => `#/events/${id}`;
export const boardHash = (date: string | null): string => (date === null ? '#/' : `#/day/${date}`);
