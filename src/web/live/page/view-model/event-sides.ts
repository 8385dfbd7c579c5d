/** Outcomes that are no side follow the sides in this order. */
const OTHERS = ['over', 'under', 'draw'];

/** Orders outcomes as the event's sides, then a draw; over before under. */
export function sortOutcomes<T extends { readonly outcome: string }>(
  outcomes: readonly T[],
  sides: readonly { readonly role: string }[],
): T[] {
  const order = [...sides.map(({ role }) => role), ...OTHERS];
  return [...outcomes].sort((a, b) => order.indexOf(a.outcome) - order.indexOf(b.outcome));
}

const HOME_ROLES = ['home', 'player_1'];

/** The index of the home side, wherever it is displayed. */
export const homeSideIndex = (sides: readonly { readonly role: string }[]): number =>
  Math.max(
    0,
    sides.findIndex(({ role }) => HOME_ROLES.includes(role)),
  );

/** A short name: the abbreviation, a player's last name, or the name. */
export function shortName({
  role,
  name,
  abbreviation,
}: {
  readonly role: string;
  readonly name: string;
  readonly abbreviation: string | null;
}): string {
  if (abbreviation !== null) return abbreviation;
  return role.startsWith('player') ? name.slice(name.lastIndexOf(' ') + 1) : name;
}
