/**
 * Ways to make an honest market of Kalshi or Polymarket one on something else, or the other way round, by what it says.
 * They are written as a venue or a cheat might put them, not by the forms that the connectors know.
 */
export type Kind = 'h2h' | 'spreads' | 'totals';

/** What a market is called by, and what else its texts name. */
export interface Texts {
  readonly own: string;
  readonly other: string;
  /** As rules name it. */
  readonly game: string;
  readonly line: number;
  readonly unit: string;
}
type Market = Readonly<Record<string, unknown>>;
/** Makes an honest market one on something else, or the other way round. */
export type Turn = (texts: Texts) => Market;

const rulesOf =
  (condition: (texts: Texts) => string, end = 'then the market resolves to Yes.'): Turn =>
  (texts) => ({ rules_primary: `If ${condition(texts)}, ${end}` });

export const KALSHI_TURNS: Readonly<Record<Kind, readonly Turn[]>> = {
  h2h: [
    ({ other }) => ({ yes_sub_title: other }),
    rulesOf(({ own, game }) => `${own} loses ${game}`),
    rulesOf(({ other, game }) => `${other} wins ${game}`),
    rulesOf(({ own, game }) => `${own} wins ${game}`, 'then the market resolves to No.'),
    rulesOf(({ own, game }) => `${own} wins ${game}`, 'then the market resolves to the opposite of Yes.'),
    rulesOf(
      ({ own, game }) => `${own} wins ${game}`,
      'then the market resolves to Yes. It is the trailing side that is paid.',
    ),
    rulesOf(({ own, game }) => `${own} wins the first half of ${game}`),
    rulesOf(({ own, other, game }) => `${own} wins fewer points than ${other} in ${game}`),
    rulesOf(({ own, game }) => `${own} comes second in ${game}`),
    rulesOf(({ own, game }) => `anyone but ${own} wins ${game}`),
    rulesOf(({ own, game }) => `it is false that ${own} wins ${game}`),
    rulesOf(({ own, game }) => `${own} wins ${game} or it is drawn`),
    rulesOf(({ own, game }) => `${own} wins ${game} (counting the third quarter alone)`),
    ({ own, game }) => ({ rules_primary: `The market resolves to Yes unless ${own} wins ${game}.` }),
    ({ own, game }) => ({ rules_primary: `${own} wins ${game}: No. Else: Yes.` }),
  ],
  spreads: [
    ({ other, line, unit }) => ({ yes_sub_title: `${other} wins by over ${line} ${unit}` }),
    ({ own, line, unit }) => ({ yes_sub_title: `${own} gets ${line} ${unit}` }),
    rulesOf(({ other, game, line, unit }) => `${other} wins ${game} by more than ${line} ${unit}`),
    rulesOf(({ own, game, line, unit }) => `${own} wins ${game} by less than ${line} ${unit}`),
    rulesOf(({ own, game, line, unit }) => `${own} loses ${game} by more than ${line} ${unit}`),
    rulesOf(
      ({ own, game, line, unit }) => `${own} wins ${game} by more than ${line} ${unit}`,
      'then the market resolves to No.',
    ),
    rulesOf(({ own, game, line, unit }) => `${own} wins by more than ${line} ${unit} in the second half of ${game}`),
    rulesOf(({ own, game, line, unit }) => `${own} wins ${game} by more than ${line + 1} ${unit}`),
    rulesOf(({ own, game, line, unit }) => `${own} leads ${game} at some time by more than ${line} ${unit}`),
    rulesOf(({ own, game }) => `${own} wins ${game}`),
  ],
  totals: [
    ({ line, unit }) => ({ yes_sub_title: `Under ${line} ${unit} scored` }),
    rulesOf(({ game, line, unit }) => `the teams in ${game} collectively score less than ${line} ${unit}`),
    rulesOf(({ game, line, unit }) => `the teams in ${game} collectively score at most ${line} ${unit}`),
    rulesOf(({ own, game, line, unit }) => `${own} scores more than ${line} ${unit} in ${game}`),
    rulesOf(
      ({ game, line, unit }) => `the teams in ${game} collectively score more than ${line} ${unit} before the break`,
    ),
    rulesOf(({ game, line, unit }) => `the teams in ${game} collectively score more than ${line - 1} ${unit}`),
    rulesOf(
      ({ game, line, unit }) => `the teams in ${game} collectively score more than ${line} ${unit}`,
      'then the market resolves to No.',
    ),
    rulesOf(({ game, line, unit }) => `the teams in ${game} collectively miss more than ${line} ${unit}`),
  ],
};

const says =
  (description: (texts: Texts) => string): Turn =>
  (texts) => ({ description: description(texts) });
const asks =
  (question: (texts: Texts) => string): Turn =>
  (texts) => ({ question: question(texts) });

export const POLYMARKET_TURNS: Readonly<Record<Kind | 'soccer', readonly Turn[]>> = {
  h2h: [
    says(({ own, other }) => `If ${other} win, the market will resolve to "${own}".`),
    says(({ own, other }) => `This market resolves to "${other}" if the ${own} win.`),
    says(
      ({ own, other }) =>
        `If ${own} win, this market will resolve to "${own}". Otherwise, it resolves to "${own}". ${other} get nothing.`,
    ),
    says(({ own }) => `If ${own} are behind at the end, the market will resolve to "${own}".`),
    says(({ own }) => `Names are those of the beaten team. If ${own} win, the market will resolve to "${own}".`),
    says(({ own }) => `If ${own} win, the market will resolve to "${own}". All of this is about the opening period.`),
    asks(({ own }) => `${own} to lose?`),
    asks(({ own }) => `${own} to be beaten?`),
    asks(() => '1H Moneyline'),
    asks(({ own, other }) => `${own} vs. ${other}: who trails at the end`),
    asks(({ own, other }) => `Worst of ${own} vs. ${other}`),
    ({ own, other }) => ({ outcomes: JSON.stringify([`Not ${own}`, other]) }),
    ({ own, other }) => ({ outcomes: JSON.stringify([`${own} (+5.5)`, other]) }),
  ],
  soccer: [
    asks(({ own }) => `Will ${own} lose on that day?`),
    asks(({ own }) => `Will ${own} win both halves?`),
    asks(({ own }) => `Will ${own} win the first half?`),
    asks(({ own }) => `Will ${own} win by 2 or more goals?`),
    asks(({ own }) => `Will ${own} win or draw on that day?`),
    asks(({ own }) => `Will ${own} win the coin toss?`),
    asks(({ own }) => `Will ${own} win on 2019-01-01?`),
    ({ other }) => ({ groupItemTitle: other }),
    says(
      ({ own }) => `If ${own} wins, this market will resolve to "No". Otherwise, this market will resolve to "Yes".`,
    ),
    says(({ other }) => `If ${other} wins, this market will resolve to "Yes".`),
    says(({ own }) => `If ${own} goes through to the next round, this market will resolve to "Yes".`),
    says(({ own }) => `If ${own} wins, this market will resolve to "Yes". Read Yes as No.`),
  ],
  spreads: [
    ({ line }) => ({ line }),
    ({ own, other }) => ({ outcomes: JSON.stringify([other, own]) }),
    asks(({ other, line }) => `Spread: ${other} (-${line})`),
    asks(({ own, line }) => `Spread: ${own} (+${line})`),
    asks(({ own, line }) => `1H Spread: ${own} (-${line})`),
    asks(({ own, line }) => `Spread against ${own} (-${line})`),
    says(
      ({ own, other, line }) =>
        `This market will resolve to "${other}" if ${own} win the game by ${line + 0.5} or more points.`,
    ),
    says(
      ({ own, line }) => `This market will resolve to "${own}" if ${own} win the game by ${line - 0.5} or more points.`,
    ),
    says(
      ({ own, line }) =>
        `This market will resolve to "${own}" if ${own} lose the game by ${line + 0.5} or more points.`,
    ),
    says(({ own }) => `This market will resolve to "${own}" if ${own} win the game.`),
  ],
  totals: [
    asks(({ line }) => `1H O/U ${line}`),
    asks(({ own, line }) => `${own}: O/U ${line}`),
    asks(({ own }) => `${own} Team Total`),
    asks(({ line }) => `O/U ${line - 1}`),
    asks(({ line }) => `U/O ${line}`),
    ({ line }) => ({ outcomes: `["Over ${line}","Under"]` }),
    says(({ line }) => `This market will resolve to "Under" if the teams combine to score more than ${line} points.`),
    says(({ line }) => `This market will resolve to "Over" if the teams combine to score ${line - 0.5} points.`),
    says(({ own, line }) => `This market will resolve to "Over" if ${own} score more than ${line} points.`),
  ],
};
