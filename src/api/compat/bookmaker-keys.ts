import type { Bookmakers } from '../../read-models/rendering/bookmakers.ts';
import { BOOKMAKER_SLUGS } from '../../sources/the-odds-api/sports.ts';

/** The regions in which The Odds API has bookmakers. */
const REGIONS = ['us', 'us2', 'us_dfs', 'us_ex', 'uk', 'eu', 'fr', 'se', 'au'] as const;
export type Region = (typeof REGIONS)[number];
export const isRegion = (text: string): text is Region => (REGIONS as readonly string[]).includes(text);

/** A bookmaker in The Odds API. */
export interface OddsApiBookmaker {
  readonly key: string;
  readonly title: string;
  readonly regions: readonly Region[];
}

/** Bookmakers of The Odds API by key: title, regions. */
const TABLE: Readonly<Record<string, readonly [title: string, ...regions: Region[]]>> = {
  betmgm: ['BetMGM', 'us'],
  betonlineag: ['BetOnline.ag', 'us', 'eu'],
  betrivers: ['BetRivers', 'us'],
  betus: ['BetUS', 'us'],
  bovada: ['Bovada', 'us'],
  draftkings: ['DraftKings', 'us'],
  fanatics: ['Fanatics', 'us'],
  fanduel: ['FanDuel', 'us'],
  lowvig: ['LowVig.ag', 'us'],
  mybookieag: ['MyBookie.ag', 'us', 'eu'],
  williamhill_us: ['Caesars', 'us'],
  ballybet: ['Bally Bet', 'us2'],
  betanysports: ['BetAnything', 'us2', 'eu'],
  betparx: ['betPARX', 'us2'],
  circa: ['Circa', 'us2'],
  espnbet: ['ESPN BET', 'us2'],
  fliff: ['Fliff', 'us2'],
  hardrockbet: ['Hard Rock Bet', 'us2'],
  rebet: ['ReBet', 'us2'],
  south_point: ['South Point', 'us2'],
  stations: ['Stations', 'us2'],
  westgate: ['Westgate', 'us2'],
  wynn: ['Wynn', 'us2'],
  betr_us_dfs: ['Betr Picks', 'us_dfs'],
  dabble_us: ['Dabble', 'us_dfs'],
  pick6: ['DraftKings Pick6', 'us_dfs'],
  prizepicks: ['PrizePicks', 'us_dfs'],
  underdog: ['Underdog Fantasy', 'us_dfs'],
  betopenly: ['BetOpenly', 'us_ex'],
  kalshi: ['Kalshi', 'us_ex'],
  novig: ['Novig', 'us_ex'],
  polymarket: ['Polymarket', 'us_ex'],
  prophetx: ['ProphetX', 'us_ex'],
  betfair_ex_uk: ['Betfair', 'uk'],
  betfair_sb_uk: ['Betfair Sportsbook', 'uk'],
  betvictor: ['Bet Victor', 'uk', 'eu'],
  betway: ['Betway', 'uk'],
  boylesports: ['BoyleSports', 'uk'],
  casumo: ['Casumo', 'uk'],
  coral: ['Coral', 'uk'],
  grosvenor: ['Grosvenor', 'uk'],
  ladbrokes_uk: ['Ladbrokes', 'uk'],
  leovegas: ['LeoVegas', 'uk'],
  livescorebet: ['LiveScore Bet', 'uk'],
  matchbook: ['Matchbook', 'uk', 'eu'],
  paddypower: ['Paddy Power', 'uk'],
  skybet: ['Sky Bet', 'uk'],
  smarkets: ['Smarkets', 'uk'],
  sport888: ['888sport', 'uk', 'eu'],
  unibet_uk: ['Unibet (UK)', 'uk'],
  virginbet: ['Virgin Bet', 'uk'],
  williamhill: ['William Hill', 'uk', 'eu'],
  betclic_fr: ['Betclic (FR)', 'eu', 'fr'],
  betfair_ex_eu: ['Betfair', 'eu'],
  betsson: ['Betsson', 'eu', 'se'],
  bwin: ['bwin', 'eu'],
  codere_it: ['Codere (IT)', 'eu'],
  coolbet: ['Coolbet', 'eu'],
  everygame: ['Everygame', 'eu'],
  gtbets: ['GTbets', 'eu'],
  interwetten: ['Interwetten', 'eu'],
  leovegas_se: ['LeoVegas (SE)', 'eu', 'se'],
  livescorebet_eu: ['LiveScore Bet (EU)', 'eu'],
  marathonbet: ['Marathon Bet', 'eu'],
  nordicbet: ['Nordic Bet', 'eu', 'se'],
  onexbet: ['1xBet', 'eu'],
  parionssport_fr: ['Parions Sport (FR)', 'eu', 'fr'],
  pinnacle: ['Pinnacle', 'eu'],
  pmu_fr: ['PMU (FR)', 'eu', 'fr'],
  suprabets: ['Suprabets', 'eu'],
  tipico_de: ['Tipico', 'eu'],
  unibet_fr: ['Unibet (FR)', 'eu', 'fr'],
  unibet_it: ['Unibet (IT)', 'eu'],
  unibet_nl: ['Unibet (NL)', 'eu'],
  unibet_se: ['Unibet (SE)', 'eu', 'se'],
  winamax_de: ['Winamax (DE)', 'eu'],
  winamax_fr: ['Winamax (FR)', 'eu', 'fr'],
  netbet_fr: ['NetBet (FR)', 'fr'],
  atg_se: ['ATG (SE)', 'se'],
  campobet_se: ['CampoBet (SE)', 'se'],
  mrgreen_se: ['Mr Green (SE)', 'se'],
  svenskaspel_se: ['Svenska Spel (SE)', 'se'],
  bet365_au: ['Bet365 AU', 'au'],
  betfair_ex_au: ['Betfair', 'au'],
  betr_au: ['Betr', 'au'],
  betright: ['Bet Right', 'au'],
  boombet: ['BoomBet', 'au'],
  dabble_au: ['Dabble AU', 'au'],
  ladbrokes_au: ['Ladbrokes', 'au'],
  neds: ['Neds', 'au'],
  playup: ['PlayUp', 'au'],
  pointsbetau: ['PointsBet (AU)', 'au'],
  sportsbet: ['SportsBet', 'au'],
  tab: ['TAB', 'au'],
  tabtouch: ['TABtouch', 'au'],
  unibet: ['Unibet', 'au'],
  // Discontinued, but historical answers still name them.
  barstool: ['Barstool Sportsbook', 'us'],
  foxbet: ['FOX Bet', 'us'],
  pointsbetus: ['PointsBet (US)', 'us'],
  sugarhouse: ['SugarHouse', 'us'],
  superbook: ['SuperBook', 'us'],
  twinspires: ['TwinSpires', 'us'],
  unibet_us: ['Unibet', 'us'],
  wynnbet: ['WynnBET', 'us'],
  tipico_us: ['Tipico', 'us2'],
  mrgreen: ['Mr Green', 'uk', 'eu'],
  unibet_eu: ['Unibet', 'eu'],
};

/** If several keys mean the same bookmaker here, the first counts. */
const KEYS = new Map(
  Object.entries(BOOKMAKER_SLUGS)
    .reverse()
    .map(([key, slug]) => [slug, key] as const),
);

/** The bookmaker of The Odds API with this slug. One that The Odds API does not know gets the region `us`. */
export function oddsApiBookmakerOf(slug: string, { nameOf }: Pick<Bookmakers, 'nameOf'>): OddsApiBookmaker {
  const key = KEYS.get(slug) ?? slug;
  const known = Object.hasOwn(TABLE, key) ? TABLE[key] : undefined;
  if (!known) return { key, title: nameOf(slug), regions: ['us'] };
  const [title, ...regions] = known;
  return { key, title, regions };
}

/** The slug for a key of The Odds API; a slug of our own stays. */
export const bookmakerSlugOf = (key: string): string =>
  (Object.hasOwn(BOOKMAKER_SLUGS, key) ? BOOKMAKER_SLUGS[key] : undefined) ?? key;
