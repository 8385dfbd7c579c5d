/** What is no side comes in this order, after the sides. */
const OTHERS = ['over', 'under', 'draw'];

/** Outcomes in the order of an event's sides, a draw after them; over before under. */
export function sortOutcomes<T extends { readonly outcome: string }>(
  outcomes: readonly T[],
  sides: readonly { readonly role: string }[],
): T[] {
  const order = [...sides.map(({ role }) => role), ...OTHERS];
  return [...outcomes].sort((a, b) => order.indexOf(a.outcome) - order.indexOf(b.outcome));
}

const HOME_ROLES = ['home', 'player_1'];

/** Which of an event's sides the chart is told from: the home side, wherever it is shown. */
export const homeSideIndex = (sides: readonly { readonly role: string }[]): number =>
  Math.max(
    0,
    sides.findIndex(({ role }) => HOME_ROLES.includes(role)),
  );

/** A side where there is little room: its abbreviation, a player's last name, else its name. */
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
