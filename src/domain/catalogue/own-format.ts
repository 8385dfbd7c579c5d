export const TITLES = ['table', 'playoffs'] as const;
export const PLAYOFFS_OF = ['table', 'conference'] as const;

/** What CONFIG may say of what the table of a league decides. */
export interface OwnFormat {
  /** Who has the title: the first of the table, or who wins the playoffs. */
  readonly title: (typeof TITLES)[number];
  /** How many teams there are, where each meets each other once at home and once away. */
  readonly double_round_of?: number | undefined;
  /** How many games each team plays; it follows from `double_round_of`. */
  readonly games?: number | undefined;
  /** How many of the first go up at once. Who wins the playoffs goes up too, where these are not for the title. */
  readonly promoted?: number | undefined;
  /** How many of the last go down at once. */
  readonly relegated?: number | undefined;
  readonly playoffs?: OwnPlayoffs | undefined;
}

export interface OwnPlayoffs {
  /** Those behind the ones that go up at once, of the whole table or of each conference. */
  readonly places: number;
  readonly of?: (typeof PLAYOFFS_OF)[number] | undefined;
  /** Of a conference: how many of the first of each division stand before all others. */
  readonly of_division?: number | undefined;
  /** The last two places are played for by those on them and the two behind. */
  readonly play_in?: boolean | undefined;
  /** The most games of a series in each round; the last number holds for the rest. */
  readonly best_of?: readonly number[] | undefined;
}
