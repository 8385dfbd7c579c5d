/** How a bookmaker of the demo works. Seconds are simulated seconds. */
export interface Bookmaker {
  readonly slug: string;
  /** The implied probabilities of its prices sum to 1 + margin. */
  readonly margin: number;
  /** Its delay behind the game, and the minimum time between two price changes. */
  readonly lagSeconds: number;
  readonly restSeconds: number;
  /** The minimum change of a probability that it follows. */
  readonly leastChange: number;
  /** Its prices are multiples of this step. */
  readonly step: 1 | 5;
  /** Deviation of its own opinion, in units of strength. */
  readonly ownOpinion: number;
  /** Withdraws a market that is nearly decided, instead of offering a price that nobody wants. */
  readonly takesDown: boolean;
  /** Withdraws everything while a game is suspended. */
  readonly shutsWhenSuspended: boolean;
  /** Offers alternate lines before the start. */
  readonly offersAlternates: boolean;
  readonly inPlay: boolean;
}

const usual = {
  step: 5,
  ownOpinion: 0.08,
  takesDown: false,
  shutsWhenSuspended: true,
  offersAlternates: false,
  inPlay: true,
} as const;

/** In the order of the API; the first one is its default. */
export const DEMO_BOOKMAKERS: readonly Bookmaker[] = [
  {
    ...usual,
    slug: 'pinnacle',
    margin: 0.024,
    lagSeconds: 20,
    restSeconds: 220,
    leastChange: 0.012,
    step: 1,
    ownOpinion: 0.02,
    shutsWhenSuspended: false,
    offersAlternates: true,
  },
  { ...usual, slug: 'fanduel', margin: 0.045, lagSeconds: 60, restSeconds: 520, leastChange: 0.025, takesDown: true },
  {
    ...usual,
    slug: 'draftkings',
    margin: 0.047,
    lagSeconds: 70,
    restSeconds: 560,
    leastChange: 0.025,
    offersAlternates: true,
  },
  { ...usual, slug: 'betmgm', margin: 0.052, lagSeconds: 110, restSeconds: 700, leastChange: 0.03, takesDown: true },
  { ...usual, slug: 'caesars', margin: 0.05, lagSeconds: 120, restSeconds: 760, leastChange: 0.03 },
  { ...usual, slug: 'bet365', margin: 0.048, lagSeconds: 50, restSeconds: 480, leastChange: 0.022, takesDown: true },
  // Closes its book when the game begins.
  { ...usual, slug: 'circa', margin: 0.034, lagSeconds: 90, restSeconds: 600, leastChange: 0.015, inPlay: false },
];
