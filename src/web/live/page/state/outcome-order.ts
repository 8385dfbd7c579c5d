/** What is no side comes in this order, after the sides. */
const OTHERS = ['over', 'under', 'draw'];

/** Outcomes in the order of an event's sides, a draw after them; over before under. */
export function inOrder<T extends { readonly outcome: string }>(
  outcomes: readonly T[],
  sides: readonly { readonly role: string }[],
): T[] {
  const order = [...sides.map(({ role }) => role), ...OTHERS];
  return [...outcomes].sort((a, b) => order.indexOf(a.outcome) - order.indexOf(b.outcome));
}

const LEADING = ['home', 'player_1'];

/** Which of an event's sides the chart is told from: the home side, wherever it is shown. */
export const leadingSide = (sides: readonly { readonly role: string }[]): number =>
  Math.max(
    0,
    sides.findIndex(({ role }) => LEADING.includes(role)),
  );
