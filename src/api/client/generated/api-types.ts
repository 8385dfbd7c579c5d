// Made by `npm run client` from the OpenAPI document. Changes belong to the operations.

/**
 * A text for `status` and `starts_at`; for `score` both sides’ scores by role; for `result` its type and the winner’s role.
 */
export type CorrectedValue =
  | string
  | {
      result_type: ('regulation' | 'overtime' | 'shootout' | 'retired' | 'walkover') | null;
      winner: string | null;
    }
  | {
      [k: string]: string | null;
    };
export type StartTrialAnswer = DeviceRequest | TrialKey;

/**
 * What goes into each method of the client, and what comes out of it.
 */
export interface Operations {
  /**
   * State of the server, of its log and of its read models. Free.
   */
  getHealth: {
    arguments: GetHealthArguments;
    answer: GetHealthAnswer;
  };
  /**
   * Sports with their leagues. Gives the slugs that the other operations filter by. 1 credit.
   */
  listSports: {
    arguments: ListSportsArguments;
    answer: ListSportsAnswer;
  };
  /**
   * Bookmakers, exchanges and prediction markets, with their types and weights. Gives the slugs that other operations filter by. Free.
   */
  listBookmakers: {
    arguments: ListBookmakersArguments;
    answer: ListBookmakersAnswer;
  };
  /**
   * Seasons, the current ones unless told. Its ids go into `season_id` of `list_events`. 1 credit.
   */
  listSeasons: {
    arguments: ListSeasonsArguments;
    answer: ListSeasonsAnswer;
  };
  /**
   * The table of a season, as of any moment. By its own tie-breaks. 1 credit.
   */
  getStandings: {
    arguments: GetStandingsArguments;
    answer: Standings;
  };
  /**
   * Events by start, filtered by sport, league, status, dates, season or team. Start here to find an event’s id. Scores only with `include_scores`, at most 20 such calls a minute together with `get_live_score`. 1 credit.
   */
  listEvents: {
    arguments: ListEventsArguments;
    answer: ListEventsAnswer;
    item: EventListItem;
  };
  /**
   * Events that a short English text asks for, read by fixed rules; what is not understood is told. Who knows what to filter by takes `list_events`. 1 credit.
   */
  queryEvents: {
    arguments: QueryEventsArguments;
    answer: QueryEventsAnswer;
    item: EventListItem;
  };
  /**
   * One event, with its score; its odds and intelligence on request. For several events `batch_get_events` is one call; for the score alone take `get_live_score`. 1 credit, and 1 for each of `include_odds` and `include_intelligence` whose data is available.
   */
  getEvent: {
    arguments: GetEventArguments;
    answer: EventDetail;
  };
  /**
   * Up to 25 events at once, each billed once; unknown ids are free. Takes the place of many `get_event`; `not_found` names the unknown ids. The sum of its events; an id given twice is billed once, unknown ids are free.
   */
  batchGetEvents: {
    arguments: BatchGetEventsArguments;
    answer: BatchGetEventsAnswer;
  };
  /**
   * The score of one event. At most 20 polls a minute for each key; names, venue and season are in `get_event`. 1 credit.
   */
  getLiveScore: {
    arguments: GetLiveScoreArguments;
    answer: ScoreSnapshot;
  };
  /**
   * The prices of one bookmaker, several, or all on one event. One bookmaker, unless told, is `pinnacle`. How prices moved is in `get_odds_history`. 1 credit for one bookmaker, 2 for several or all; free while nothing is available.
   */
  getOdds: {
    arguments: GetOddsArguments;
    answer: Odds;
  };
  /**
   * The line movements of one event, newest first. For the prices that hold now take `get_odds`. 1 credit for one bookmaker, 2 for several or all.
   */
  getOddsHistory: {
    arguments: GetOddsHistoryArguments;
    answer: GetOddsHistoryAnswer;
  };
  /**
   * All bookmakers’ prices on how a season ends, as of any moment. 1 credit.
   */
  getFutures: {
    arguments: GetFuturesArguments;
    answer: Futures;
  };
  /**
   * The movements of the prices on how a season ends, newest first. For the prices that hold now take `get_futures`. 1 credit for one bookmaker, 2 for several or all.
   */
  getFuturesHistory: {
    arguments: GetFuturesHistoryArguments;
    answer: GetFuturesHistoryAnswer;
  };
  /**
   * How a season may end, by the own forecasts. 1 credit; free while nothing is available.
   */
  getProjections: {
    arguments: GetProjectionsArguments;
    answer: Projections;
  };
  /**
   * Opening, closing, highest, lowest and present prices of one event, with the fair closing line. Each movement between them is in `get_odds_history`. 1 credit for one bookmaker, 2 for several or all; free while nothing is available.
   */
  getOddsSummary: {
    arguments: GetOddsSummaryArguments;
    answer: GetOddsSummaryAnswer;
  };
  /**
   * Spreads and totals of the first half, the first five innings or the first set of one event, and their results. Not for nhl (400). Lines of the whole match are in `get_odds`. 1 credit; free while nothing is available.
   */
  getPeriodOdds: {
    arguments: GetPeriodOddsArguments;
    answer: PeriodOdds;
  };
  /**
   * Totals of each team of one event, with how they stand and their results. For nfl, ncaaf, mlb and soccer; 400 for other sports. 1 credit; free while nothing is available.
   */
  getTeamProps: {
    arguments: GetTeamPropsArguments;
    answer: TeamProps;
  };
  /**
   * Lines on what the players of one event make, with how they stand and their results. Not for tennis (400). Ids of players are in `search_players`. 1 credit; free while nothing is available.
   */
  getPlayerProps: {
    arguments: GetPlayerPropsArguments;
    answer: PlayerProps;
  };
  /**
   * How the public bets on one event: shares of bets and of money. What the prices themselves are is in `get_odds`. 1 credit; free while nothing is available.
   */
  getSplits: {
    arguments: GetSplitsArguments;
    answer: Splits;
  };
  /**
   * What both sides of one event did before it: form, strength, schedule, rates, head-to-head, rest. Nothing in it is later than the start of the event, except who plays and the players’ own box score. 1 credit; free while nothing is available.
   */
  getStats: {
    arguments: GetStatsArguments;
    answer: Statistics;
  };
  /**
   * Who is injured or unavailable for one event, and when that was checked. `available` with an empty list: a source has looked, and nobody is out. 1 credit; free while nothing is available.
   */
  getInjuries: {
    arguments: GetInjuriesArguments;
    answer: Injuries;
  };
  /**
   * What sources took back: changes of status, score, result or start that no game makes, oldest first. Look here before you trust a result that was read earlier. 1 credit.
   */
  listCorrections: {
    arguments: ListCorrectionsArguments;
    answer: ListCorrectionsAnswer;
    item: Correction;
  };
  /**
   * What one event’s bets are worth: fair probabilities, price gaps, expected value, and facts of both sides. The same for whichever bookmaker is asked for. From the start of the event on it stands still. 1 credit; free while nothing is available.
   */
  getIntelligence: {
    arguments: GetIntelligenceArguments;
    answer: Intelligence;
  };
  /**
   * Main-line prices of a sport’s events to come that are better than fair, by expected value. Fair is what reference bookmakers’ prices say without their margin. EV beyond 25% is taken for a mistake, and left out. 1 credit.
   */
  scanEv: {
    arguments: ScanEvArguments;
    answer: ScanEvAnswer;
  };
  /**
   * Prices of different bookmakers on a sport’s events to come that earn whatever happens, or in the middle. 1 credit.
   */
  scanArbitrage: {
    arguments: ScanArbitrageArguments;
    answer: ScanArbitrageAnswer;
  };
  /**
   * What the server’s own models, which see no price, expect of the events of a day, the surest first. Tennis and soccer by market, all other sports by player and statistic. Of a past day as it stood at the starts. 1 credit.
   */
  listForecasts: {
    arguments: ListForecastsArguments;
    answer: ListForecastsAnswer;
  };
  /**
   * How likely each outcome of one event is now, while it is played, beside the forecast from before its start. From the server’s own forecast, the score and the time left; no price of the game counts. 1 credit; free while nothing is available.
   */
  getProbabilities: {
    arguments: GetProbabilitiesArguments;
    answer: EventProbabilities;
  };
  /**
   * What the server’s own forecasts were worth, by league and season, beside the market’s close. Free.
   */
  getRecord: {
    arguments: GetRecordArguments;
    answer: GetRecordAnswer;
  };
  /**
   * How good each bookmaker’s market is: best prices, hold, age, who leads, and which source differs. Counts prices from before the start alone. 1 credit.
   */
  getMarketQuality: {
    arguments: GetMarketQualityArguments;
    answer: MarketQuality;
  };
  /**
   * What has changed since a cursor, over all events. Without `after` it gives the cursor of now alone. Go on with `next_after`. 1 credit; free without changes but `identity`, unless more than 500 records were looked through.
   */
  listChanges: {
    arguments: ListChangesArguments;
    answer: ListChangesAnswer;
  };
  /**
   * Teams, in the order of their ids. Finds a team’s id by name with `q`. 1 credit.
   */
  listTeams: {
    arguments: ListTeamsArguments;
    answer: ListTeamsAnswer;
    item: TeamListItem;
  };
  /**
   * One team. Its events are in `list_events` with `team_id`. 1 credit.
   */
  getTeam: {
    arguments: GetTeamArguments;
    answer: Team;
  };
  /**
   * Players, in the order of their ids. Finds a player’s id by name with `q`. 1 credit.
   */
  searchPlayers: {
    arguments: SearchPlayersArguments;
    answer: SearchPlayersAnswer;
    item: Player;
  };
  /**
   * One player. The player’s matches are in `get_player_events`. 1 credit.
   */
  getPlayer: {
    arguments: GetPlayerArguments;
    answer: Player;
  };
  /**
   * The events of one player, or of the player’s team, newest first. For a team’s events take `list_events` with `team_id`. 1 credit.
   */
  getPlayerEvents: {
    arguments: GetPlayerEventsArguments;
    answer: GetPlayerEventsAnswer;
    item: PlayerEvent;
  };
  /**
   * The team that a name means, found by fixed rules and never guessed. Tells `ambiguous` with the candidates where more than one may be meant; `list_teams` lists them by part of a name. 1 credit.
   */
  resolveTeam: {
    arguments: ResolveTeamArguments;
    answer: ResolvedTeam;
  };
  /**
   * The player whom a name means, found by fixed rules and never guessed. Tells `ambiguous` with the candidates where more than one may be meant; `search_players` lists them by part of a name. 1 credit.
   */
  resolvePlayer: {
    arguments: ResolvePlayerArguments;
    answer: ResolvedPlayer;
  };
  /**
   * What each source calls an event, a team or a player: by one source’s id, or by the id here. For names take `resolve_team` and `resolve_player`. 1 credit.
   */
  listMappings: {
    arguments: ListMappingsArguments;
    answer: ListMappingsAnswer;
  };
  /**
   * Grades a bet slip of up to 8 legs, each from the facts in the log, with a receipt. Legs come structured, as text, or both; ids of events are in `list_events`, of players in `search_players`. 1 credit; free where no leg can be mapped to a bet.
   */
  gradeSlip: {
    arguments: GradeSlipArguments;
    answer: GradeSlipAnswer;
  };
  /**
   * The receipt of a graded slip: what was asked and answered, and whether corrections have superseded it. Free.
   */
  getGradeReceipt: {
    arguments: GetGradeReceiptArguments;
    answer: GetGradeReceiptAnswer;
  };
  /**
   * Keeps bets that the account has placed, up to 200 at once: all of them, or none. Each is judged as the leg of a slip is; `list_bets` has their grades. Also as `text/csv` with the same columns. Free.
   */
  addBets: {
    arguments: AddBetsArguments;
    answer: AddBetsAnswer;
  };
  /**
   * The account’s own bets, newest first, each with grade, fair closing price, closing value and profit. They are computed anew each time, so they follow corrections. Free.
   */
  listBets: {
    arguments: ListBetsArguments;
    answer: ListBetsAnswer;
    item: OwnBet;
  };
  /**
   * Stakes, profit and closing value of the account’s own bets, by book, sport, market or month. Free.
   */
  summarizeBets: {
    arguments: SummarizeBetsArguments;
    answer: SummarizeBetsAnswer;
  };
  /**
   * Deletes one of the account’s own bets. Free.
   */
  deleteBet: {
    arguments: DeleteBetArguments;
    answer: undefined;
  };
  /**
   * Says beforehand what will be judged, and by which gates: published selections of a cohort between two times. It can never be changed or deleted; what is not understood is kept, and makes the verdict `inconclusive`. Free.
   */
  createExperiment: {
    arguments: CreateExperimentArguments;
    answer: CreateExperimentAnswer;
  };
  /**
   * The experiments of the account, the newest first, with their verdicts. Free.
   */
  listExperiments: {
    arguments: ListExperimentsArguments;
    answer: ListExperimentsAnswer;
  };
  /**
   * An experiment as it was posted and, once it is closed, its selections, exclusions and verdict. Free.
   */
  getExperiment: {
    arguments: GetExperimentArguments;
    answer: Experiment;
  };
  /**
   * Ends an experiment early: only selections until now count. One that has ended or is closed stays as it is. Free.
   */
  endExperiment: {
    arguments: EndExperimentArguments;
    answer: Experiment;
  };
  /**
   * What calls would cost at least and at most, before they are made. Looks nothing up: what is left to spend is in `get_credits`. Free.
   */
  estimateCost: {
    arguments: EstimateCostArguments;
    answer: EstimateCostAnswer;
  };
  /**
   * Names of the tools whose cost can be estimated. Free.
   */
  listEstimateTools: {
    arguments: ListEstimateToolsArguments;
    answer: ListEstimateToolsAnswer;
  };
  /**
   * Subscribes a URL to what happens from now on. Made with a scoped key, it is told of its sports only. Free.
   */
  createWebhook: {
    arguments: CreateWebhookArguments;
    answer: CreateWebhookAnswer;
  };
  /**
   * The subscriptions of the account, without their secrets; those that have ended too. A scoped key sees those that it could have made itself. Free.
   */
  listWebhooks: {
    arguments: ListWebhooksArguments;
    answer: ListWebhooksAnswer;
  };
  /**
   * Ends a subscription. What it has not been told yet, it never will be. Free.
   */
  deleteWebhook: {
    arguments: DeleteWebhookArguments;
    answer: undefined;
  };
  /**
   * What was tried for a subscription in the last 30 days, and what came of it: one row for each attempt, newest first. Free.
   */
  listWebhookDeliveries: {
    arguments: ListWebhookDeliveriesArguments;
    answer: ListWebhookDeliveriesAnswer;
    item: WebhookDelivery;
  };
  /**
   * Sends a message of the type `test`, signed and retried like any other. Free.
   */
  testWebhook: {
    arguments: TestWebhookArguments;
    answer: TestWebhookAnswer;
  };
  /**
   * Makes a new secret. For 24 hours messages are signed with it and with the one before. Free.
   */
  rotateWebhookSecret: {
    arguments: RotateWebhookSecretArguments;
    answer: RotateWebhookSecretAnswer;
  };
  /**
   * Sends messages of the last 7 days again, with the `webhook-id` and the body that they had. Takes `from` or `after_delivery_id`. One replay of a subscription at a time, and 5 in an hour. Free.
   */
  replayWebhook: {
    arguments: ReplayWebhookArguments;
    answer: ReplayWebhookAnswer;
  };
  /**
   * The API keys of the account whose scopes lie within those of the calling one, without their secrets. Revoked ones stay for 24 hours, the newest 100 of them. Free.
   */
  listKeys: {
    arguments: ListKeysArguments;
    answer: ListKeysAnswer;
  };
  /**
   * Makes an API key for the account: as many as the plan allows at once, and 10 more in 24 hours, revoked ones counted. Free.
   */
  createKey: {
    arguments: CreateKeyArguments;
    answer: CreateKeyAnswer;
  };
  /**
   * Revokes an API key of the account, the calling one too. Its scopes must lie within those of the calling one. Free.
   */
  revokeKey: {
    arguments: RevokeKeyArguments;
    answer: undefined;
  };
  /**
   * The account's credits. Free.
   */
  getCredits: {
    arguments: GetCreditsArguments;
    answer: GetCreditsAnswer;
  };
  /**
   * Packs of credits that can be bought once. Free.
   */
  listCreditPacks: {
    arguments: ListCreditPacksArguments;
    answer: ListCreditPacksAnswer;
  };
  /**
   * Buys a pack with the payment method on file. Takes a key with the scope `all`. Free.
   */
  topUpCredits: {
    arguments: TopUpCreditsArguments;
    answer: TopUpCreditsAnswer;
  };
  /**
   * What the account has called: by day, by endpoint and by key. A key with the scope `all`. Calls of the last seconds may be missing. Free.
   */
  getUsage: {
    arguments: GetUsageArguments;
    answer: GetUsageAnswer;
  };
  /**
   * What changed the account’s credits, newest first: charges, grants, purchases, refunds. A key with the scope `all`. Charges of the last second may be missing. Free.
   */
  listLedger: {
    arguments: ListLedgerArguments;
    answer: ListLedgerAnswer;
    item: LedgerLine;
  };
  /**
   * Makes a link to one read, for a spreadsheet or a calendar: who has it reads that, at the account’s cost. It keeps the scopes that the calling key has now, and goes on after that key. 50 an account. Free.
   */
  createLink: {
    arguments: CreateLinkArguments;
    answer: Link;
  };
  /**
   * The links of the account whose scopes lie within those of the calling key, without their addresses. Free.
   */
  listLinks: {
    arguments: ListLinksArguments;
    answer: ListLinksAnswer;
  };
  /**
   * Removes a link of the account: it opens nothing from here on. Free.
   */
  deleteLink: {
    arguments: DeleteLinkArguments;
    answer: undefined;
  };
  /**
   * The books where the account can bet. Scans, the summary of odds and alerts name these alone, unless a call names others by `books`. Free.
   */
  getMyBooks: {
    arguments: GetMyBooksArguments;
    answer: GetMyBooksAnswer;
  };
  /**
   * Replaces the list of books where the account can bet. It is in force from the next call on, for every key of the account. Null ends the list. Free.
   */
  putMyBooks: {
    arguments: PutMyBooksArguments;
    answer: PutMyBooksAnswer;
  };
  /**
   * Asks for an API key without having one: a person approves it at `verification_uri` (RFC 8628). Show the person `user_code` and `verification_uri`, then poll with `device_code`. 20 an hour and address; `anonymous` 2 in 24 hours. Free.
   */
  startTrial: {
    arguments: StartTrialArguments;
    answer: StartTrialAnswer;
  };
  /**
   * Fetches the API key that a person has approved, once. Until then it is 400: `authorization_pending`, `slow_down`, `access_denied` or `expired_token`. Free.
   */
  finishTrial: {
    arguments: FinishTrialArguments;
    answer: TrialKey;
  };
}
export interface GetHealthArguments {
  /**
   * The members of the answer to have, comma-separated; a dot leads into objects and lists. All others are left out, but for totals and cursors.
   */
  fields?: string;
}
export interface GetHealthAnswer {
  status: 'ok' | 'degraded';
  /**
   * Why it is degraded, sorted; absent while it is not.
   */
  reasons?: ('backup' | 'clock' | 'disk' | 'engine' | 'feeds' | 'log_ahead' | 'read_model' | 'standby')[];
  version: string;
  time: string;
  log: {
    /**
     * Position of the last record, in decimal.
     */
    position: string;
  };
  /**
   * Messages of feeds that wait for something to become known, and are not in the log.
   */
  quarantined: number;
  projections: {
    name: string;
    position: string;
    lag_events: number;
    lag_seconds: number;
  }[];
  /**
   * Present where live connectors are set up. Counts are since the start.
   */
  feeds?: {
    name: string;
    state: 'starting' | 'ok' | 'refused' | 'failing' | 'drift' | 'exhausted' | 'standby';
    last_success_at: string | null;
    last_error_at: string | null;
    last_error: {
      code: string;
      message: string;
    } | null;
    /**
     * Since the last success.
     */
    lag_seconds: number | null;
    requests: number;
    failures: number;
    messages: number;
    rejected: number;
    held: number;
    flaps: number;
    ahead: {
      [k: string]: 'day' | 'month';
    } | null;
    /**
     * The provider's credits of a UTC day, where it counts them.
     */
    budget: {
      limit: number;
      used: number;
      remaining: number;
      provider_remaining: number | null;
      resets_at: string;
    } | null;
  }[];
  /**
   * Present where the server backs itself up.
   */
  backup?: {
    /**
     * When it last held everything; null: not since the start.
     */
    last_success_at: string | null;
    /**
     * How long something has waited to be backed up.
     */
    lag_seconds: number;
    /**
     * What is wrong with it, and what to do; null: nothing.
     */
    problem: string | null;
    /**
     * When the newest backup was last restored to try it; null: it was not.
     */
    drill: {
      at: string;
      age_seconds: number;
      outcome: 'passed' | 'failed';
    } | null;
  };
  /**
   * Present where a standby follows the server, and at a standby.
   */
  standby?: {
    role: 'first' | 'standby';
    /**
     * Of a standby: how old what it shows is.
     */
    lag_seconds: number | null;
    /**
     * For how long the lease of the first is still good; null: none was seen.
     */
    lease_seconds: number | null;
  };
  /**
   * Present while simulated data is fed in.
   */
  simulated?: true;
}
export interface ListSportsArguments {
  /**
   * Only sports with an event within 180 days, past or to come.
   */
  active_only?: boolean;
  /**
   * The members of the answer to have, comma-separated; a dot leads into objects and lists. All others are left out, but for totals and cursors.
   */
  fields?: string;
}
export interface ListSportsAnswer {
  sports: {
    id: number;
    slug: string;
    name: string;
    is_team_sport: boolean;
    leagues: {
      id: number;
      slug: string;
      name: string;
      abbreviation: string;
      league_type: 'team_league' | 'individual_tour' | 'tournament';
      /**
       * ISO alpha-3; null for leagues of no country.
       */
      country_code: string | null;
      current_season: {
        id: number;
        year: number;
        name: string;
        phase: 'preseason' | 'regular_season' | 'playoffs';
        start_date: string;
        end_date: string;
      } | null;
      /**
       * How its games are played, where CONFIG gives the league rules of its own.
       */
      rules?: {
        periods: number;
        /**
         * By the clock; null without one.
         */
        period_minutes: number | null;
        overtime: 'none' | 'timed' | 'untimed';
        /**
         * Null unless the overtime is timed.
         */
        overtime_minutes: number | null;
        shootout: boolean;
        /**
         * Whether a game may end level.
         */
        draws: boolean;
        /**
         * Of results in standings, where CONFIG says so. Shootouts count as overtime.
         */
        points?: {
          win: number;
          draw: number;
          loss: number;
          overtime_win: number;
          overtime_loss: number;
        };
      };
    }[];
  }[];
  total: number;
}
export interface ListBookmakersArguments {
  /**
   * The members of the answer to have, comma-separated; a dot leads into objects and lists. All others are left out, but for totals and cursors.
   */
  fields?: string;
}
export interface ListBookmakersAnswer {
  bookmakers: Bookmaker[];
  total: number;
}
export interface Bookmaker {
  slug: string;
  name: string;
  type: 'sportsbook' | 'exchange' | 'prediction_market' | 'consensus';
  /**
   * Of its prices in the fair price; 0: it is compared with it.
   */
  reference_weight: number;
  /**
   * What counts in the place of reference_weight, by sport; empty unless weights are learnt.
   */
  learnt_weights: {
    sport: string;
    weight: number;
    /**
     * The day from which it is in force.
     */
    date: string;
  }[];
}
export interface ListSeasonsArguments {
  /**
   * Sport slug; an unknown one gives an empty list.
   */
  sport?: string;
  /**
   * Only seasons that today lies within.
   */
  current_only?: boolean;
  /**
   * The members of the answer to have, comma-separated; a dot leads into objects and lists. All others are left out, but for totals and cursors.
   */
  fields?: string;
}
export interface ListSeasonsAnswer {
  seasons: Season[];
  total: number;
}
export interface Season {
  id: number;
  year: number;
  name: string;
  phase: 'preseason' | 'regular_season' | 'playoffs';
  start_date: string;
  end_date: string;
  is_current: boolean;
  sport: {
    slug: string;
    name: string;
  };
  league: {
    slug: string;
    name: string;
    abbreviation: string;
  };
}
export interface GetStandingsArguments {
  /**
   * League slug.
   */
  slug: string;
  /**
   * The year in which the season starts; default: the season of the day.
   */
  season?: number;
  /**
   * The answer of this UTC time (ISO 8601 with Z), not in the future.
   */
  as_of?: string;
  /**
   * By when the server learned a fact, or its source observed it.
   */
  as_of_basis?: 'recorded' | 'observed';
  /**
   * The members of the answer to have, comma-separated; a dot leads into objects and lists. All others are left out, but for totals and cursors.
   */
  fields?: string;
}
export interface Standings {
  league: string;
  season: number;
  as_of: string | null;
  groups: {
    name: string | null;
    rows: StandingsRow[];
  }[];
}
export interface StandingsRow {
  rank: number;
  team_id: number;
  team: string;
  played: number;
  won: number;
  drawn: number;
  lost: number;
  /**
   * Less those taken away; null where the league counts wins.
   */
  points: number | null;
  for: number;
  against: number;
  difference: number;
  /**
   * Share of the possible points, or of the games won.
   */
  pct: number | null;
  /**
   * Null where the league counts points.
   */
  games_behind: number | null;
  /**
   * `W3`: the last three were won.
   */
  streak: string | null;
  last_10: {
    played: number;
    won: number;
    drawn: number;
    lost: number;
    lost_overtime?: number;
    for: number;
    against: number;
  };
  home: {
    played: number;
    won: number;
    drawn: number;
    lost: number;
    lost_overtime?: number;
    for: number;
    against: number;
  };
  away: {
    played: number;
    won: number;
    drawn: number;
    lost: number;
    lost_overtime?: number;
    for: number;
    against: number;
  };
  /**
   * Where a loss after overtime is worth more or less than another, as in the NHL: not among `lost`.
   */
  lost_overtime?: number;
}
export interface ListEventsArguments {
  /**
   * Sport slug; an unknown one gives an empty list.
   */
  sport?: string;
  /**
   * League slug.
   */
  league?: string;
  /**
   * Event status.
   */
  status?: 'scheduled' | 'delayed' | 'postponed' | 'inprogress' | 'suspended' | 'cancelled' | 'walkover' | 'final';
  /**
   * A UTC date; not together with `from` or `to`.
   */
  date?: string;
  /**
   * First UTC date.
   */
  from?: string;
  /**
   * Last UTC date; at most 90 days behind `from`.
   */
  to?: string;
  /**
   * Id of a season.
   */
  season_id?: number;
  /**
   * Id of a team.
   */
  team_id?: number;
  /**
   * Cursor: `next_after_id` of the page before.
   */
  after_id?: number;
  /**
   * How many to answer at most.
   */
  limit?: number;
  /**
   * Adds the score and the participants to every event.
   */
  include_scores?: boolean;
  /**
   * true keeps only events with a recommended bet.
   */
  has_recommend?: boolean;
  /**
   * `time`, or `status`: live, delayed or upcoming, final, cancelled or postponed.
   */
  sort?: 'time' | 'status';
  /**
   * The members of the answer to have, comma-separated; a dot leads into objects and lists. All others are left out, but for totals and cursors.
   */
  fields?: string;
}
export interface ListEventsAnswer {
  events: EventListItem[];
  /**
   * Events on this page.
   */
  total: number;
  next_after_id: number | null;
}
export interface EventListItem {
  id: number;
  name: string;
  sport: string;
  league: string;
  season_id: number;
  /**
   * UTC, ISO 8601 with a trailing Z
   */
  starts_at: string;
  scheduled_start_at: string | null;
  starts_at_qualifier: ('exact' | 'not_before' | 'following' | 'tbd') | null;
  inprogress_since: string | null;
  status: 'scheduled' | 'delayed' | 'postponed' | 'inprogress' | 'suspended' | 'cancelled' | 'walkover' | 'final';
  result_type: ('regulation' | 'overtime' | 'shootout' | 'retired' | 'walkover') | null;
  period: string | null;
  period_label: string | null;
  clock: string | null;
  round: string | null;
  neutral_site: boolean;
  competition: {
    id: number;
    name: string;
    surface: ('clay' | 'grass' | 'hard' | 'indoor_hard') | null;
    tier: ('grand_slam' | 'masters_1000' | 'atp_500' | 'atp_250' | 'wta_1000' | 'wta_500' | 'wta_250') | null;
  } | null;
  venue: {
    id: number | null;
    name: string | null;
    city: string | null;
    surface: string | null;
    roof_type: string | null;
    timezone: string | null;
  };
  participants?: {
    participant_id: number;
    role: 'home' | 'away' | 'player_1' | 'player_2';
    score: string | null;
    game_score: string | null;
    is_winner: boolean | null;
    team: {
      id: number | null;
      name: string;
      abbreviation: string | null;
      country_code: string | null;
      image_url: string | null;
    } | null;
    player: {
      id: number | null;
      name: string;
      country_code: string | null;
      image_url: string | null;
    } | null;
    period_scores: {
      period: string;
      score: number;
      tiebreak: number | null;
      confirmed: boolean;
    }[];
  }[];
  draw_type?: ('singles' | 'doubles') | null;
  broadcast?: string | null;
  court?: string | null;
  order_of_play?: number | null;
}
export interface QueryEventsArguments {
  /**
   * What to look for: words for a sport, a league, a status, days, a number, and a team or player, in any order.
   */
  query: string;
  /**
   * How many to answer at most, whatever the text says.
   */
  limit?: number;
  /**
   * The members of the answer to have, comma-separated; a dot leads into objects and lists. All others are left out, but for totals and cursors.
   */
  fields?: string;
}
export interface QueryEventsAnswer {
  /**
   * As sent.
   */
  query: string;
  /**
   * What was understood; null: nothing was said.
   */
  interpreted: {
    sport: ('nfl' | 'nba' | 'mlb' | 'nhl' | 'ncaaf' | 'ncaab' | 'tennis' | 'soccer') | null;
    status:
      ('scheduled' | 'delayed' | 'postponed' | 'inprogress' | 'suspended' | 'cancelled' | 'walkover' | 'final') | null;
    date: string | null;
    from: string | null;
    to: string | null;
    limit: number | null;
    league: string | null;
    team_id: number | null;
    player_id: number | null;
  };
  /**
   * The words that were not understood, in lower case, each once.
   */
  unrecognized_terms: string[];
  /**
   * Names that may mean several, or none surely enough; then there are no events.
   */
  candidates: {
    term: string;
    type: 'team' | 'player';
    candidates: (TeamCandidate | PlayerCandidate)[];
  }[];
  /**
   * The request with the same answer, to be followed for further pages; null where a name is ambiguous.
   */
  equivalent_request: string | null;
  events: EventListItem[];
  /**
   * Events on this page.
   */
  total: number;
  next_after_id: number | null;
}
export interface TeamCandidate {
  team_id: number;
  display_name: string;
  sport: string;
  confidence: number;
  match_reasons: string[];
}
export interface PlayerCandidate {
  player_id: number;
  display_name: string;
  sport: string;
  confidence: number;
  match_reasons: string[];
}
export interface GetEventArguments {
  /**
   * Id of the event.
   */
  id: number;
  /**
   * Adds the odds; one credit more when there are any.
   */
  include_odds?: boolean;
  /**
   * Adds the intelligence; one credit more when there is any.
   */
  include_intelligence?: boolean;
  /**
   * With `include_odds`: adds alternate spread and total rungs.
   */
  include_alts?: boolean;
  /**
   * A bookmaker’s slug, `all`, or a comma-separated list.
   */
  bookmaker?: string;
  /**
   * The answer of this UTC time (ISO 8601 with Z), not in the future.
   */
  as_of?: string;
  /**
   * By when the server learned a fact, or its source observed it.
   */
  as_of_basis?: 'recorded' | 'observed';
  /**
   * The members of the answer to have, comma-separated; a dot leads into objects and lists. All others are left out, but for totals and cursors.
   */
  fields?: string;
}
export interface EventDetail {
  id: number;
  name: string;
  sport: string;
  league: string;
  season_id: number;
  /**
   * UTC, ISO 8601 with a trailing Z
   */
  starts_at: string;
  scheduled_start_at: string | null;
  starts_at_qualifier: ('exact' | 'not_before' | 'following' | 'tbd') | null;
  inprogress_since: string | null;
  status: 'scheduled' | 'delayed' | 'postponed' | 'inprogress' | 'suspended' | 'cancelled' | 'walkover' | 'final';
  result_type: ('regulation' | 'overtime' | 'shootout' | 'retired' | 'walkover') | null;
  period: string | null;
  period_label: string | null;
  clock: string | null;
  round: string | null;
  neutral_site: boolean;
  competition: {
    id: number;
    name: string;
    surface: ('clay' | 'grass' | 'hard' | 'indoor_hard') | null;
    tier: ('grand_slam' | 'masters_1000' | 'atp_500' | 'atp_250' | 'wta_1000' | 'wta_500' | 'wta_250') | null;
  } | null;
  venue: {
    id: number | null;
    name: string | null;
    city: string | null;
    surface: string | null;
    roof_type: string | null;
    timezone: string | null;
    country: string | null;
    capacity: number | null;
  };
  participants: {
    participant_id: number;
    role: 'home' | 'away' | 'player_1' | 'player_2';
    score: string | null;
    game_score: string | null;
    is_winner: boolean | null;
    team: {
      id: number | null;
      name: string;
      abbreviation: string | null;
      country_code: string | null;
      image_url: string | null;
    } | null;
    player: {
      id: number | null;
      name: string;
      country_code: string | null;
      image_url: string | null;
    } | null;
    period_scores: {
      period: string;
      score: number;
      tiebreak: number | null;
      confirmed: boolean;
    }[];
  }[];
  draw_type: ('singles' | 'doubles') | null;
  broadcast: string | null;
  court: string | null;
  order_of_play: number | null;
  game_number: number | null;
  /**
   * UTC, ISO 8601 with a trailing Z
   */
  updated_at: string;
  odds?: Odds;
  intelligence?: Intelligence;
}
export interface Odds {
  event_id: number;
  available: boolean;
  bookmakers: {
    bookmaker: string;
    markets: {
      key: 'h2h' | 'spreads' | 'totals' | 'h2h_3_way';
      label: 'moneyline' | 'spread' | 'totals' | '3-way moneyline';
      outcomes: {
        outcome: string;
        price: number;
        point: number | null;
        /**
         * Present while the price lies far outside every other of its line and nothing confirms it: it then counts nowhere.
         */
        suspect?: true;
        /**
         * Price as a probability, and the money that can be staked at it; best first.
         */
        bids?: number[][];
        /**
         * Price as a probability, and the money that can be staked at it; best first.
         */
        asks?: number[][];
        /**
         * Price of the last trade, as a probability.
         */
        last?: number | null;
        /**
         * Money that was traded.
         */
        volume?: number | null;
      }[];
      fee?: VenueFee | null;
    }[];
    /**
     * UTC, ISO 8601 with a trailing Z
     */
    captured_at: string;
  }[];
  last_updated: string | null;
}
export interface VenueFee {
  model: 'p(1-p)' | 'winnings' | 'notional';
  rate: number;
  exponent?: number;
  taker_only?: boolean;
  rounding?: number;
  /**
   * UTC, ISO 8601 with a trailing Z
   */
  from: string;
}
export interface Intelligence {
  event_id: number;
  available: boolean;
  /**
   * Present while the server still learns results of the league that are in its log: until then there is no forecast.
   */
  learning?: true;
  sport: string | null;
  league: string | null;
  odds_source: string | null;
  players: {
    [k: string]: {
      name: string | null;
      player_id: number | null;
      team_id: number | null;
    };
  };
  has_recommend: boolean | null;
  intelligence_updated_at: string | null;
  match_overview: string | null;
  rationale: string[] | null;
  bets: Bet[];
  forecasts: ForecastWager[];
  matchup: null;
}
export interface Bet {
  bet_type: string;
  player_role: ('home' | 'away' | 'player_1' | 'player_2') | null;
  player_name: string | null;
  player_id: number | null;
  team_id: number | null;
  /**
   * The server’s own forecast; it has seen no price.
   */
  probability: number | null;
  interval: number[] | null;
  fair_price: number | null;
  market: {
    book: string | null;
    price: number | null;
    line: number | null;
  };
  edge: number | null;
  tier: ('very_high' | 'strong' | 'moderate' | 'avoid') | null;
  /**
   * The market’s view, without the bookmakers’ margin.
   */
  fair: {
    probability: number;
    books: string[];
    n_books: number;
    is_consensus: boolean;
  } | null;
  edges_by_book: {
    [k: string]: number;
  } | null;
  best: {
    book: string;
    price: number;
    quote_age_seconds: number;
    edge: number;
  } | null;
  ev: {
    beta: true;
    book: string;
    price: number;
    quote_age_seconds: number;
    ev_pct: number;
    kelly_fraction: number;
    n_books: number;
    /**
     * Of an exchange: the money that can be staked at its best price.
     */
    size?: number;
  } | null;
  narrative: string | null;
  computed_at: string | null;
  /**
   * The fair price, moved towards the forecast as far as `n` past games of the sport and market support: `weight` 0 is the fair price, 1 the forecast.
   */
  blend: {
    probability: number;
    weight: number;
    n: number;
  } | null;
}
export interface ForecastWager {
  event_id: number;
  sport: string;
  league: string;
  player: string | null;
  player_id: number | null;
  bet_type: string | null;
  player_role: string | null;
  market: string;
  line: number | null;
  side: string;
  p_hit: number;
  /**
   * @minItems 2
   * @maxItems 2
   */
  interval: number[];
  sufficiency: number;
  reliability: 'emerging' | 'established';
  conviction: number;
  model_version: string;
  selected: boolean;
  books: {
    [k: string]: {
      [k: string]: number | null;
    };
  };
  drivers: {
    id: string;
    input: number;
    effect: number;
    direction: 'up' | 'down' | 'none';
  }[];
  research: {
    note: string;
  } | null;
}
export interface BatchGetEventsArguments {
  /**
   * Ids of the events, in the order wanted.
   *
   * @minItems 1
   * @maxItems 25
   *
   * Items: Id of an event.
   */
  event_ids: number[];
  /**
   * Adds the odds.
   */
  include_odds?: boolean;
  /**
   * Adds the intelligence.
   */
  include_intelligence?: boolean;
  /**
   * A bookmaker’s slug, `all`, or a comma-separated list.
   */
  bookmaker?: string;
  /**
   * The answer of this UTC time (ISO 8601 with Z), not in the future.
   */
  as_of?: string;
  /**
   * By when the server learned a fact, or its source observed it.
   */
  as_of_basis?: 'recorded' | 'observed';
  /**
   * The members of the answer to have, comma-separated; a dot leads into objects and lists. All others are left out, but for totals and cursors.
   */
  fields?: string;
}
export interface BatchGetEventsAnswer {
  events: EventDetail[];
  /**
   * Ids of no event.
   */
  not_found: number[];
  total: number;
}
export interface GetLiveScoreArguments {
  /**
   * Id of the event.
   */
  id: number;
  /**
   * The answer of this UTC time (ISO 8601 with Z), not in the future.
   */
  as_of?: string;
  /**
   * By when the server learned a fact, or its source observed it.
   */
  as_of_basis?: 'recorded' | 'observed';
  /**
   * The members of the answer to have, comma-separated; a dot leads into objects and lists. All others are left out, but for totals and cursors.
   */
  fields?: string;
}
export interface ScoreSnapshot {
  event_id: number;
  status: 'scheduled' | 'delayed' | 'postponed' | 'inprogress' | 'suspended' | 'cancelled' | 'walkover' | 'final';
  period: string | null;
  period_label: string | null;
  clock: string | null;
  scores: {
    role: 'home' | 'away' | 'player_1' | 'player_2';
    name: string;
    abbreviation: string | null;
    score: string | null;
    game_score: string | null;
    is_winner: boolean | null;
    period_scores: {
      period: string;
      score: number;
      tiebreak: number | null;
      confirmed: boolean;
    }[];
  }[];
  /**
   * UTC, ISO 8601 with a trailing Z
   */
  updated_at: string;
  /**
   * Only in a stream with `include_probability=true`: as `get_probabilities` has it for now, `home` being the first player in tennis; null if unknown.
   */
  win_probability?: {
    home: number;
    away: number;
    draw?: number;
  } | null;
}
export interface GetOddsArguments {
  /**
   * Id of the event.
   */
  id: number;
  /**
   * A bookmaker’s slug, `all`, or a comma-separated list.
   */
  bookmaker?: string;
  /**
   * Also the order books of exchanges: bids, asks, last price, volume, fee.
   */
  include_depth?: boolean;
  /**
   * The answer of this UTC time (ISO 8601 with Z), not in the future.
   */
  as_of?: string;
  /**
   * By when the server learned a fact, or its source observed it.
   */
  as_of_basis?: 'recorded' | 'observed';
  /**
   * The members of the answer to have, comma-separated; a dot leads into objects and lists. All others are left out, but for totals and cursors.
   */
  fields?: string;
}
export interface GetOddsHistoryArguments {
  /**
   * Id of the event.
   */
  id: number;
  /**
   * A bookmaker’s slug, `all`, or a comma-separated list.
   */
  bookmaker?: string;
  /**
   * Market; the main lines by default.
   */
  market?: 'h2h' | 'spreads' | 'totals' | 'h2h_3_way';
  /**
   * How many to answer at most.
   */
  limit?: number;
  /**
   * The answer of this UTC time (ISO 8601 with Z), not in the future.
   */
  as_of?: string;
  /**
   * By when the server learned a fact, or its source observed it.
   */
  as_of_basis?: 'recorded' | 'observed';
  /**
   * The members of the answer to have, comma-separated; a dot leads into objects and lists. All others are left out, but for totals and cursors.
   */
  fields?: string;
}
export interface GetOddsHistoryAnswer {
  event_id: number;
  movements: OddsMovement[];
  /**
   * Movements in this answer.
   */
  total: number;
}
export interface OddsMovement {
  bookmaker: string;
  market: 'moneyline' | 'spread' | 'totals' | '3-way moneyline';
  market_key: 'h2h' | 'spreads' | 'totals' | 'h2h_3_way';
  outcome: string;
  price_from: number;
  price_to: number;
  point_from: number | null;
  point_to: number | null;
  /**
   * UTC, ISO 8601 with a trailing Z
   */
  moved_at: string;
  /**
   * Present while the price lies far outside every other of its line and nothing confirms it: it then counts nowhere.
   */
  suspect?: true;
}
export interface GetFuturesArguments {
  /**
   * League slug.
   */
  slug: string;
  /**
   * The year in which the season starts; default: the season of the day.
   */
  season?: number;
  /**
   * One market, such as `winner`; default: all.
   */
  market?: string;
  /**
   * The answer of this UTC time (ISO 8601 with Z), not in the future.
   */
  as_of?: string;
  /**
   * By when the server learned a fact, or its source observed it.
   */
  as_of_basis?: 'recorded' | 'observed';
  /**
   * The members of the answer to have, comma-separated; a dot leads into objects and lists. All others are left out, but for totals and cursors.
   */
  fields?: string;
}
export interface Futures {
  league: string;
  season: number;
  markets: {
    market: string;
    bookmakers: {
      bookmaker: string;
      /**
       * UTC, ISO 8601 with a trailing Z
       */
      captured_at: string;
      outcomes: FuturesOutcome[];
    }[];
  }[];
}
export interface FuturesOutcome {
  team_id?: number;
  team?: string;
  /**
   * Null where the directory does not know the player.
   */
  player_id?: number | null;
  player?: string;
  price: number;
}
export interface GetFuturesHistoryArguments {
  /**
   * League slug.
   */
  slug: string;
  /**
   * The year in which the season starts; default: the season of the day.
   */
  season?: number;
  /**
   * One market, such as `winner`; default: all.
   */
  market?: string;
  /**
   * The answer of this UTC time (ISO 8601 with Z), not in the future.
   */
  as_of?: string;
  /**
   * By when the server learned a fact, or its source observed it.
   */
  as_of_basis?: 'recorded' | 'observed';
  /**
   * A bookmaker’s slug, `all`, or a comma-separated list.
   */
  bookmaker?: string;
  /**
   * How many to answer at most.
   */
  limit?: number;
  /**
   * The members of the answer to have, comma-separated; a dot leads into objects and lists. All others are left out, but for totals and cursors.
   */
  fields?: string;
}
export interface GetFuturesHistoryAnswer {
  league: string;
  season: number;
  movements: FuturesMovement[];
  /**
   * Movements in this answer.
   */
  total: number;
}
export interface FuturesMovement {
  bookmaker: string;
  market: string;
  team_id?: number;
  team?: string;
  /**
   * Null where the directory does not know the player.
   */
  player_id?: number | null;
  player?: string;
  price_from: number;
  price_to: number;
  /**
   * UTC, ISO 8601 with a trailing Z
   */
  moved_at: string;
}
export interface GetProjectionsArguments {
  /**
   * League slug.
   */
  slug: string;
  /**
   * The year in which the season starts; default: the season of the day.
   */
  season?: number;
  /**
   * The answer of this UTC time (ISO 8601 with Z), not in the future.
   */
  as_of?: string;
  /**
   * By when the server learned a fact, or its source observed it.
   */
  as_of_basis?: 'recorded' | 'observed';
  /**
   * The members of the answer to have, comma-separated; a dot leads into objects and lists. All others are left out, but for totals and cursors.
   */
  fields?: string;
}
export interface Projections {
  league: string;
  season: number;
  as_of: string | null;
  available: boolean;
  /**
   * Why there is nothing: the results are still learned, fewer than 100 are known, not all games or teams of the season are, or what its table decides is not known.
   */
  reason: ('learning' | 'few_results' | 'schedule_incomplete' | 'format_unknown') | null;
  model_version: string | null;
  simulations: number;
  seed: number;
  games_left: number;
  rows: ProjectionsRow[];
}
export interface ProjectionsRow {
  team_id: number;
  team: string;
  title: number | null;
  playoffs: number | null;
  relegation: number | null;
  /**
   * At the end of the season; games won where the league counts wins.
   */
  expected_points: number;
  /**
   * What prices of futures say without their margin.
   */
  market: {
    title: number | null;
    playoffs: number | null;
    relegation: number | null;
    /**
     * Only of a league whose format in `CONFIG` says how many go up.
     */
    promotion?: number | null;
  };
  /**
   * Only of a league whose format in `CONFIG` says how many go up.
   */
  promotion?: number | null;
}
export interface GetOddsSummaryArguments {
  /**
   * Id of the event.
   */
  id: number;
  /**
   * A bookmaker’s slug, `all`, or a comma-separated list.
   */
  bookmaker?: string;
  /**
   * Where you can bet: slugs, comma-separated; no other book is named. `all`: every book. Left out: the list of the account, if it has one.
   */
  books?: string;
  /**
   * How old a price may be, in seconds; brought within 1 and 4500. Counts under a list of books alone, for `current`; 900 when left out.
   */
  max_age?: number;
  /**
   * The answer of this UTC time (ISO 8601 with Z), not in the future.
   */
  as_of?: string;
  /**
   * By when the server learned a fact, or its source observed it.
   */
  as_of_basis?: 'recorded' | 'observed';
  /**
   * The members of the answer to have, comma-separated; a dot leads into objects and lists. All others are left out, but for totals and cursors.
   */
  fields?: string;
}
export interface GetOddsSummaryAnswer {
  event_id: number;
  available: boolean;
  bookmakers: {
    bookmaker: string;
    markets: {
      key: 'h2h' | 'spreads' | 'totals' | 'h2h_3_way';
      label: 'moneyline' | 'spread' | 'totals' | '3-way moneyline';
      outcomes: {
        outcome: string;
        open: SeenPrice | null;
        close: SeenPrice | null;
        high: SeenPrice | null;
        low: SeenPrice | null;
        current: PresentPrice | null;
      }[];
    }[];
  }[];
  /**
   * Fair probabilities of the main line: the first that were known, and those at the start.
   */
  consensus: {
    key: 'h2h' | 'spreads' | 'totals' | 'h2h_3_way';
    line: number | null;
    outcomes: {
      outcome: string;
      open: number | null;
      close: number | null;
    }[];
  }[];
}
export interface SeenPrice {
  price: number;
  point: number | null;
  /**
   * UTC, ISO 8601 with a trailing Z
   */
  at: string;
}
export interface PresentPrice {
  price: number;
  point: number | null;
  /**
   * UTC, ISO 8601 with a trailing Z
   */
  at: string;
  /**
   * Present while the price lies far outside every other of its line and nothing confirms it: it then counts nowhere.
   */
  suspect?: true;
}
export interface GetPeriodOddsArguments {
  /**
   * Id of the event.
   */
  id: number;
  /**
   * Adds the rungs beside the main lines.
   */
  include_alts?: boolean;
  /**
   * Adds what the server’s own models, which see no price, expect of each line.
   */
  include_forecast?: boolean;
  /**
   * The answer of this UTC time (ISO 8601 with Z), not in the future.
   */
  as_of?: string;
  /**
   * By when the server learned a fact, or its source observed it.
   */
  as_of_basis?: 'recorded' | 'observed';
  /**
   * The members of the answer to have, comma-separated; a dot leads into objects and lists. All others are left out, but for totals and cursors.
   */
  fields?: string;
}
export interface PeriodOdds {
  event_id: number;
  available: boolean;
  sport: string;
  status: 'scheduled' | 'delayed' | 'postponed' | 'inprogress' | 'suspended' | 'cancelled' | 'walkover' | 'final';
  period: string | null;
  clock: string | null;
  period_odds: {
    scope: '1H' | 'F5' | 'S1';
    market: 'first_half_spreads' | 'first_half_totals';
    line: number;
    home_score: number | null;
    away_score: number | null;
    current: number | null;
    pct_of_line: number | null;
    settleable: boolean;
    scope_complete: boolean;
    result: ('in_progress' | 'over' | 'under' | 'push') | null;
    home_result: ('won' | 'lost' | 'push') | null;
    away_result: ('won' | 'lost' | 'push') | null;
    books: {
      [k: string]:
        | {
            home: number | null;
            away: number | null;
          }
        | {
            over: number | null;
            under: number | null;
          };
    };
    /**
     * The sides whose price is suspect, by bookmaker.
     */
    suspect?: {
      [k: string]: ('home' | 'away' | 'over' | 'under')[];
    };
    probability?:
      | (
          | {
              home: number;
              away: number;
            }
          | {
              over: number;
              under: number;
            }
        )
      | null;
  }[];
  forecast?: {
    model_version: string;
    ahead: {
      home: number;
      away: number;
      tie: number | null;
    };
  } | null;
}
export interface GetTeamPropsArguments {
  /**
   * Id of the event.
   */
  id: number;
  /**
   * Adds the rungs beside the main lines.
   */
  include_alts?: boolean;
  /**
   * The answer of this UTC time (ISO 8601 with Z), not in the future.
   */
  as_of?: string;
  /**
   * By when the server learned a fact, or its source observed it.
   */
  as_of_basis?: 'recorded' | 'observed';
  /**
   * The members of the answer to have, comma-separated; a dot leads into objects and lists. All others are left out, but for totals and cursors.
   */
  fields?: string;
}
export interface TeamProps {
  event_id: number;
  available: boolean;
  sport: string;
  status: 'scheduled' | 'delayed' | 'postponed' | 'inprogress' | 'suspended' | 'cancelled' | 'walkover' | 'final';
  period: string | null;
  clock: string | null;
  team_props: {
    team: string;
    team_id: number | null;
    side: 'home' | 'away';
    market: 'team_total';
    line: number;
    current: number | null;
    pct_of_line: number | null;
    settleable: boolean;
    result: ('in_progress' | 'over' | 'under' | 'push') | null;
    books: {
      [k: string]: {
        over: number | null;
        under: number | null;
      };
    };
    /**
     * The sides whose price is suspect, by bookmaker.
     */
    suspect?: {
      [k: string]: ('over' | 'under')[];
    };
  }[];
}
export interface GetPlayerPropsArguments {
  /**
   * Id of the event.
   */
  id: number;
  /**
   * Only the props of this statistic.
   */
  market?: string;
  /**
   * Only the props of this player.
   */
  player_id?: number;
  /**
   * A bookmaker’s slug, `all`, or a comma-separated list.
   */
  bookmaker?: string;
  /**
   * Adds the rungs beside the main lines.
   */
  include_alts?: boolean;
  /**
   * The answer of this UTC time (ISO 8601 with Z), not in the future.
   */
  as_of?: string;
  /**
   * By when the server learned a fact, or its source observed it.
   */
  as_of_basis?: 'recorded' | 'observed';
  /**
   * The members of the answer to have, comma-separated; a dot leads into objects and lists. All others are left out, but for totals and cursors.
   */
  fields?: string;
}
export interface PlayerProps {
  event_id: number;
  available: boolean;
  sport: string;
  status: 'scheduled' | 'delayed' | 'postponed' | 'inprogress' | 'suspended' | 'cancelled' | 'walkover' | 'final';
  period: string | null;
  clock: string | null;
  player_props: {
    player: string;
    player_id: number | null;
    team_id: number | null;
    market: string;
    line: number;
    current: number | null;
    pct_of_line: number | null;
    settleable: boolean;
    result: ('over' | 'under' | 'push' | 'in_progress' | 'dnp' | 'no_stat') | null;
    books: {
      [k: string]: {
        over: number | null;
        under: number | null;
      };
    };
    /**
     * The sides whose price is suspect, by bookmaker.
     */
    suspect?: {
      [k: string]: ('over' | 'under')[];
    };
  }[];
}
export interface GetSplitsArguments {
  /**
   * Id of the event.
   */
  id: number;
  /**
   * The answer of this UTC time (ISO 8601 with Z), not in the future.
   */
  as_of?: string;
  /**
   * By when the server learned a fact, or its source observed it.
   */
  as_of_basis?: 'recorded' | 'observed';
  /**
   * The members of the answer to have, comma-separated; a dot leads into objects and lists. All others are left out, but for totals and cursors.
   */
  fields?: string;
}
export interface Splits {
  event_id: number;
  available: boolean;
  captured_at: string | null;
  consensus: {
    moneyline?: {
      home?: MoneylineSplit;
      away?: MoneylineSplit;
    };
    spread?: {
      home?: LineSplit;
      away?: LineSplit;
    };
    total?: {
      over?: LineSplit;
      under?: LineSplit;
    };
  };
  bookmakers: {
    bookmaker: string;
    name: string;
    moneyline?: {
      home?: MoneylineSplit;
      away?: MoneylineSplit;
    };
    spread?: {
      home?: LineSplit;
      away?: LineSplit;
    };
    total?: {
      over?: LineSplit;
      under?: LineSplit;
    };
  }[];
}
export interface MoneylineSplit {
  bets_pct: number;
  handle_pct: number;
  price: number | null;
}
export interface LineSplit {
  bets_pct: number;
  handle_pct: number;
  line: number | null;
}
export interface GetStatsArguments {
  /**
   * Id of the event.
   */
  id: number;
  /**
   * The answer of this UTC time (ISO 8601 with Z), not in the future.
   */
  as_of?: string;
  /**
   * By when the server learned a fact, or its source observed it.
   */
  as_of_basis?: 'recorded' | 'observed';
  /**
   * The members of the answer to have, comma-separated; a dot leads into objects and lists. All others are left out, but for totals and cursors.
   */
  fields?: string;
}
export interface Statistics {
  event_id: number;
  available: boolean;
  league_slug: string;
  neutral_site: boolean;
  profile?: 'club' | 'world_cup';
  windows: {
    recent_form: 5;
    rates_l5: 5;
    rates_season: 'season';
    head_to_head: 10;
    sos: 5;
  };
  teams?: {
    home?: StatisticsSide;
    away?: StatisticsSide;
  };
  players?: {
    player_1?: StatisticsSide;
    player_2?: StatisticsSide;
  };
  league_context?: {
    avg_goals_per_team: number | null;
  };
  player_box?: {
    available: boolean;
    final: boolean;
    home: PlayerBoxRow[];
    away: PlayerBoxRow[];
  };
}
export interface StatisticsSide {
  team_id?: number;
  player_id?: number;
  name: string;
  abbreviation?: string | null;
  country_code?: string | null;
  image_url: string | null;
  rest_days: number | null;
  recent_form: {
    window: 5;
    results: ('W' | 'D' | 'L' | 'T')[];
    goals_scored?: (number | null)[];
    goals_conceded?: (number | null)[];
    scored?: (number | null)[];
    conceded?: (number | null)[];
    sets_won?: (number | null)[];
    sets_lost?: (number | null)[];
  };
  team_strength: {
    source: 'league_table_ppg' | 'fifa_rank' | 'win_pct' | 'points_pct';
    ppg?: number | null;
    win_pct?: number | null;
    points_pct?: number | null;
    games?: number;
    points?: number;
    w?: number;
    d?: number;
    l?: number;
    t?: number;
    otl?: number;
    gf?: number;
    ga?: number;
    gd?: number;
    scored?: number;
    conceded?: number;
    diff?: number;
    rank?: number | null;
    ranking?: number | null;
    ranking_points?: number | null;
  };
  sos: {
    source: 'opp_ppg_avg' | 'opp_win_pct_avg' | 'opp_points_pct_avg';
    window: 5;
    games: number;
    opp_ppg_avg?: number | null;
    opp_win_pct_avg?: number | null;
    opp_points_pct_avg?: number | null;
  } | null;
  venue: {
    source:
      | 'home_away_ppg_split'
      | 'home_away_win_pct_split'
      | 'home_away_points_pct_split'
      | 'surface_win_pct_split'
      | 'confederation';
    home_ppg?: number | null;
    home_win_pct?: number | null;
    home_points_pct?: number | null;
    home_games?: number;
    away_ppg?: number | null;
    away_win_pct?: number | null;
    away_points_pct?: number | null;
    away_games?: number;
    confederation?: string | null;
    surface?: string | null;
    clay?: {
      win_pct: number | null;
      games: number;
    };
    grass?: {
      win_pct: number | null;
      games: number;
    };
    hard?: {
      win_pct: number | null;
      games: number;
    };
    indoor_hard?: {
      win_pct: number | null;
      games: number;
    };
  };
  rates_l5: StatisticsRates;
  rates_season: StatisticsRates;
  head_to_head: {
    window: 10;
    meetings: {
      home_goals?: number;
      away_goals?: number;
      home_score?: number;
      away_score?: number;
      winner?: 'player_1' | 'player_2';
      player_1_sets?: number | null;
      player_2_sets?: number | null;
      surface?: string | null;
    }[];
    total: number;
  };
  lineup?: {
    available: boolean;
    formation: string | null;
    starters: LineupPlayer[];
    bench: LineupPlayer[];
  };
}
/**
 * Means by the names that `docs/statistics.md` lists for the sport.
 */
export interface StatisticsRates {
  source: 'event_stats_avg';
  window: 'l5' | 'season';
  window_size?: 5;
  games: number;
  /**
   * Of each mean: over how many games.
   */
  field_games: {
    [k: string]: number;
  };
  [k: string]: unknown;
}
export interface LineupPlayer {
  name: string;
  position: string | null;
  jersey: string | null;
  formation_place: number | null;
  athlete_id: string | null;
}
export interface PlayerBoxRow {
  player_id: number | null;
  name: string;
  starter: boolean;
  dnp: boolean;
  stats: {
    [k: string]: number;
  };
}
export interface GetInjuriesArguments {
  /**
   * Id of the event.
   */
  id: number;
  /**
   * Comma-separated statuses to leave out, in any case.
   */
  exclude_status?: string;
  /**
   * The answer of this UTC time (ISO 8601 with Z), not in the future.
   */
  as_of?: string;
  /**
   * By when the server learned a fact, or its source observed it.
   */
  as_of_basis?: 'recorded' | 'observed';
  /**
   * The members of the answer to have, comma-separated; a dot leads into objects and lists. All others are left out, but for totals and cursors.
   */
  fields?: string;
}
export interface Injuries {
  event_id: number;
  available: boolean;
  last_checked_at: string | null;
  confirmed_at: string | null;
  next_check_at: string | null;
  injuries: {
    player: string;
    player_id: number | null;
    team: string;
    team_id: number | null;
    status: 'available' | 'probable' | 'day_to_day' | 'questionable' | 'doubtful' | 'suspended' | 'out' | 'ir';
    previous_status:
      ('available' | 'probable' | 'day_to_day' | 'questionable' | 'doubtful' | 'suspended' | 'out' | 'ir') | null;
    body_part: string | null;
    note: string;
    source_url: string;
    severity: 'info' | 'material' | 'critical';
    /**
     * UTC, ISO 8601 with a trailing Z
     */
    last_changed_at: string;
  }[];
}
export interface ListCorrectionsArguments {
  /**
   * Sport slug; an unknown one gives an empty list.
   */
  sport?: string;
  /**
   * League slug.
   */
  league?: string;
  /**
   * Id of an event.
   */
  event_id?: number;
  /**
   * What was corrected.
   */
  field?: 'status' | 'score' | 'result' | 'starts_at';
  /**
   * First UTC date of `recorded_at`; 30 days before `to` unless told.
   */
  from?: string;
  /**
   * Last UTC date of `recorded_at`, at most 90 days behind `from`; today unless told.
   */
  to?: string;
  /**
   * Cursor: `next_after_id` of the page before.
   */
  after_id?: number;
  /**
   * How many to answer at most.
   */
  limit?: number;
  /**
   * The members of the answer to have, comma-separated; a dot leads into objects and lists. All others are left out, but for totals and cursors.
   */
  fields?: string;
}
export interface ListCorrectionsAnswer {
  data: Correction[];
  has_more: boolean;
  next_after_id: number | null;
}
export interface Correction {
  id: number;
  event_id: number;
  sport: string;
  league: string;
  field: 'status' | 'score' | 'result' | 'starts_at';
  before: CorrectedValue;
  after: CorrectedValue;
  /**
   * Who sent the message.
   */
  source: string;
  /**
   * UTC, ISO 8601 with a trailing Z
   */
  at: string;
  /**
   * UTC, ISO 8601 with a trailing Z
   */
  recorded_at: string;
  /**
   * `identity`: an operator has merged or split events. Null: a message.
   */
  reason: 'identity' | null;
}
export interface GetIntelligenceArguments {
  /**
   * Id of the event.
   */
  id: number;
  /**
   * The answer of this UTC time (ISO 8601 with Z), not in the future.
   */
  as_of?: string;
  /**
   * By when the server learned a fact, or its source observed it.
   */
  as_of_basis?: 'recorded' | 'observed';
  /**
   * The members of the answer to have, comma-separated; a dot leads into objects and lists. All others are left out, but for totals and cursors.
   */
  fields?: string;
}
export interface ScanEvArguments {
  /**
   * Sport slug.
   */
  sport: 'nfl' | 'nba' | 'mlb' | 'nhl' | 'ncaaf' | 'ncaab' | 'tennis' | 'soccer';
  /**
   * League slug; an unknown one gives an empty list.
   */
  league?: string;
  /**
   * Market; tennis has no totals here, and no `h2h_3_way`, as soccer.
   */
  market?: 'h2h' | 'spreads' | 'totals' | 'h2h_3_way';
  /**
   * Least EV in percent; brought within 0 and 25.
   */
  min_ev?: number;
  /**
   * A bookmaker’s slug: only what this one offers.
   */
  book?: string;
  /**
   * Where you can bet: slugs, comma-separated; no other book is named. `all`: every book. Left out: the list of the account, if it has one.
   */
  books?: string;
  /**
   * How old a price may be, in seconds; brought within 1 and 4500. Left out: 900 under a list of books, else 4500.
   */
  max_age?: number;
  /**
   * Stake of the bet, in money of the venue: an exchange counts with what it pays for it, fees included.
   */
  stake?: number;
  /**
   * What prices are judged by: the fair price, or its blend with the forecast.
   */
  by?: 'fair' | 'blend';
  /**
   * How many to answer at most.
   */
  limit?: number;
  /**
   * The members of the answer to have, comma-separated; a dot leads into objects and lists. All others are left out, but for totals and cursors.
   */
  fields?: string;
}
export interface ScanEvAnswer {
  sport: string;
  league: string | null;
  market: 'h2h' | 'spreads' | 'totals' | 'h2h_3_way';
  min_ev: number;
  max_ev: number;
  book: string | null;
  beta: true;
  opportunities: EvOpportunity[];
  total: number;
  by: 'fair' | 'blend';
}
export interface EvOpportunity {
  event_id: number;
  side: 'home' | 'away' | 'p1' | 'p2' | 'draw' | 'over' | 'under';
  team: string | null;
  bet_type: string;
  line: number | null;
  fair_probability: number;
  ev: {
    beta: true;
    book: string;
    price: number;
    ev_pct: number;
    kelly_fraction: number;
    quote_age_seconds: number;
    n_books: number;
    /**
     * Of an exchange: the money that can be staked at its best price. Otherwise left out.
     */
    size?: number;
  };
  /**
   * Under a list of books: how many books outside it have a better price at the same line. Otherwise left out.
   */
  better_elsewhere?: number;
  /**
   * Under `by=blend`: what EV and stake follow from.
   */
  blend_probability?: number;
}
export interface ScanArbitrageArguments {
  /**
   * Sport slug.
   */
  sport: 'nfl' | 'nba' | 'mlb' | 'nhl' | 'ncaaf' | 'ncaab' | 'tennis' | 'soccer';
  /**
   * League slug; an unknown one gives an empty list.
   */
  league?: string;
  /**
   * Market; the main lines by default.
   */
  market?: 'h2h' | 'spreads' | 'totals' | 'h2h_3_way';
  /**
   * What to look for.
   */
  kind?: 'arbitrage' | 'middle' | 'all';
  /**
   * Least profit in percent, brought within 0 and 25. Without it middles that lose up to 10% when they miss are shown too.
   */
  min_profit?: number;
  /**
   * Where you can bet: slugs, comma-separated; no other book is named. `all`: every book. Left out: the list of the account, if it has one.
   */
  books?: string;
  /**
   * How old a price may be, in seconds; brought within 1 and 4500.
   */
  max_age?: number;
  /**
   * Stake of all legs together, in money of the venue: an exchange counts with what it pays for it, fees included.
   */
  stake?: number;
  /**
   * How many to answer at most.
   */
  limit?: number;
  /**
   * The members of the answer to have, comma-separated; a dot leads into objects and lists. All others are left out, but for totals and cursors.
   */
  fields?: string;
}
export interface ScanArbitrageAnswer {
  sport: string;
  league: string | null;
  market: ('h2h' | 'spreads' | 'totals' | 'h2h_3_way') | null;
  kind: 'arbitrage' | 'middle' | 'all';
  min_profit: number;
  max_age: number;
  opportunities: ArbitrageOpportunity[];
  total: number;
}
export interface ArbitrageOpportunity {
  event_id: number;
  kind: 'arbitrage' | 'middle';
  market: 'h2h' | 'spreads' | 'totals' | 'h2h_3_way';
  profit_pct: number;
  /**
   * Open interval of totals, or of home’s margin, in which both bets win.
   */
  middle: number[] | null;
  legs: {
    side: 'home' | 'away' | 'p1' | 'p2' | 'draw' | 'over' | 'under';
    team: string | null;
    bet_type: string;
    book: string;
    line: number | null;
    price: number;
    stake_pct: number;
    quote_age_seconds: number;
    /**
     * Of an exchange: the money that can be staked at its best price. Otherwise left out.
     */
    size?: number;
  }[];
  /**
   * Where the rules of the books would settle one ending differently, each with its rule; see docs/rules.md.
   */
  rules_differ: {
    topic:
      | 'overtime'
      | 'ties'
      | 'postponement_hours'
      | 'abandoned'
      | 'listed_pitchers'
      | 'minimum_minutes'
      | 'retirement'
      | 'second_half_overtime';
    [k: string]:
      | string
      | number
      | boolean
      | null
      | 'overtime'
      | 'ties'
      | 'postponement_hours'
      | 'abandoned'
      | 'listed_pitchers'
      | 'minimum_minutes'
      | 'retirement'
      | 'second_half_overtime';
  }[];
  /**
   * Books of the legs of whose rules of the sport nothing is known here: they may settle an ending differently.
   */
  rules_unknown: string[];
  /**
   * Under a list of books: how many books outside it have a better price at the same line. Otherwise left out.
   */
  better_elsewhere?: number;
}
export interface ListForecastsArguments {
  /**
   * Sport slug.
   */
  sport: 'nfl' | 'nba' | 'mlb' | 'nhl' | 'ncaaf' | 'ncaab' | 'tennis' | 'soccer';
  /**
   * A UTC date; today unless told.
   */
  date?: string;
  /**
   * Only this market; of tennis and soccer.
   */
  market?: 'h2h' | 'spreads' | 'totals';
  /**
   * How many to answer at most.
   */
  limit?: number;
  /**
   * The members of the answer to have, comma-separated; a dot leads into objects and lists. All others are left out, but for totals and cursors.
   */
  fields?: string;
}
export interface ListForecastsAnswer {
  sport: string;
  date: string;
  /**
   * Present while the results of a league of these events are still learned: its rows are missing.
   */
  learning?: true;
  model_version: string;
  reliability: 'emerging' | 'established';
  wagers: ForecastWager[];
  total: number;
}
export interface GetProbabilitiesArguments {
  /**
   * Id of the event.
   */
  id: number;
  /**
   * The answer of this UTC time (ISO 8601 with Z), not in the future.
   */
  as_of?: string;
  /**
   * By when the server learned a fact, or its source observed it.
   */
  as_of_basis?: 'recorded' | 'observed';
  /**
   * The members of the answer to have, comma-separated; a dot leads into objects and lists. All others are left out, but for totals and cursors.
   */
  fields?: string;
}
export interface EventProbabilities {
  event_id: number;
  /**
   * Whether a forecast from before the start is known.
   */
  available: boolean;
  status: 'scheduled' | 'delayed' | 'postponed' | 'inprogress' | 'suspended' | 'cancelled' | 'walkover' | 'final';
  as_of: string | null;
  /**
   * Of the moneyline.
   */
  outcomes: {
    outcome: 'home' | 'away' | 'draw' | 'player_1' | 'player_2' | 'over' | 'under';
    /**
     * The `probability` of the intelligence.
     */
    pregame: number | null;
    /**
     * By the score and the time left: `pregame` before the start, 0 or 1 at the end; null if the event is cancelled or postponed, or this is not known.
     */
    now: number | null;
  }[];
  /**
   * At the closing line, or the present main line before the start; null without one.
   */
  spread: {
    /**
     * The home side’s or the first player’s point, or the total.
     */
    line: number;
    outcomes: {
      outcome: 'home' | 'away' | 'draw' | 'player_1' | 'player_2' | 'over' | 'under';
      /**
       * The `probability` of the intelligence.
       */
      pregame: number | null;
      /**
       * By the score and the time left: `pregame` before the start, 0 or 1 at the end; null if the event is cancelled or postponed, or this is not known.
       */
      now: number | null;
    }[];
  } | null;
  total: {
    /**
     * The home side’s or the first player’s point, or the total.
     */
    line: number;
    outcomes: {
      outcome: 'home' | 'away' | 'draw' | 'player_1' | 'player_2' | 'over' | 'under';
      /**
       * The `probability` of the intelligence.
       */
      pregame: number | null;
      /**
       * By the score and the time left: `pregame` before the start, 0 or 1 at the end; null if the event is cancelled or postponed, or this is not known.
       */
      now: number | null;
    }[];
  } | null;
  model_version: string | null;
}
export interface GetRecordArguments {
  /**
   * Sport slug.
   */
  sport: 'nfl' | 'nba' | 'mlb' | 'nhl' | 'ncaaf' | 'ncaab' | 'tennis' | 'soccer';
  /**
   * League slug; an unknown one gives an empty list.
   */
  league?: string;
  /**
   * Market.
   */
  market?: 'h2h' | 'spreads' | 'totals';
  /**
   * `month` adds `months`; a table has them in the place of leagues and seasons.
   */
  by?: 'season' | 'month';
  /**
   * As in the scans. The record names no book and no price on offer, so a list changes nothing in it.
   */
  books?: string;
  /**
   * The members of the answer to have, comma-separated; a dot leads into objects and lists. All others are left out, but for totals and cursors.
   */
  fields?: string;
}
export interface GetRecordAnswer {
  sport: string;
  league: string | null;
  market: 'h2h' | 'spreads' | 'totals';
  rows: RecordRow[];
  total: number;
  /**
   * With `by=month`, of all leagues of the sport: selections by the UTC month in which they settled.
   */
  months?: RecordMonth[];
  /**
   * The weight of the forecast in the blends of this sport and market: the lower end of its interval, 0 below 500 games.
   */
  blend: {
    weight: number;
    interval: number[] | null;
    /**
     * Settled games with a forecast and a closing fair price.
     */
    n: number;
  };
}
export interface RecordRow {
  league: string;
  season: number;
  model_version: string;
  /**
   * Games; below 30 of them the others are null.
   */
  n: number;
  log_loss: number | null;
  brier: number | null;
  slope: number | null;
  intercept: number | null;
  /**
   * Of the closing fair probabilities, on those of the games that have one.
   */
  close: {
    /**
     * Games; below 30 of them the others are null.
     */
    n: number;
    log_loss: number | null;
    brier: number | null;
    slope: number | null;
    intercept: number | null;
  } | null;
  calibration: {
    from: number;
    to: number;
    n: number;
    predicted: number;
    observed: number;
  }[];
  /**
   * Of the blends of both on the same games, each as it was known before the start.
   */
  blend: {
    /**
     * Games; below 30 of them the others are null.
     */
    n: number;
    log_loss: number | null;
    brier: number | null;
    slope: number | null;
    intercept: number | null;
  } | null;
}
export interface RecordMonth {
  month: string;
  /**
   * Selections; below 30 of them the means are null.
   */
  n: number;
  /**
   * Closing line value: fair closing probability by that of the selection, less one.
   */
  clv: number | null;
  clv_se: number | null;
  hit_rate: number | null;
  hit_rate_se: number | null;
  /**
   * At the best price on offer at the moment of the selection.
   */
  best: {
    /**
     * Selections for which a price was on offer.
     */
    n: number;
    /**
     * The mean, of one unit each.
     */
    profit: number | null;
    profit_se: number | null;
    /**
     * The deepest fall of the summed profit within the month, in units.
     */
    drawdown: number;
  };
  /**
   * At the best price on the same line 60 s later.
   */
  follower: {
    /**
     * Selections for which a price was on offer.
     */
    n: number;
    /**
     * The mean, of one unit each.
     */
    profit: number | null;
    profit_se: number | null;
    /**
     * The deepest fall of the summed profit within the month, in units.
     */
    drawdown: number;
  };
}
export interface GetMarketQualityArguments {
  /**
   * League slug.
   */
  league: string;
  /**
   * Market.
   */
  market?: 'h2h' | 'spreads' | 'totals';
  /**
   * Events that started within so many days before now.
   */
  days?: number;
  /**
   * The members of the answer to have, comma-separated; a dot leads into objects and lists. All others are left out, but for totals and cursors.
   */
  fields?: string;
}
export interface MarketQuality {
  league: string;
  market: 'h2h' | 'spreads' | 'totals';
  days: number;
  books: BookQuality[];
}
export interface BookQuality {
  bookmaker: string;
  /**
   * Events for which it had prices before the start.
   */
  n: number;
  /**
   * Share of the time in which its price was the best one.
   */
  best_share: number | null;
  /**
   * Mean of 1 - 1/(sum of the implied probabilities).
   */
  hold: number | null;
  /**
   * Mean age of its prices.
   */
  age_seconds: number | null;
  /**
   * Share of the time in which they were too old to count.
   */
  stale_share: number | null;
  /**
   * Share of its new prices far outside all others.
   */
  outlier_share: number | null;
  /**
   * By how much its moves go before those of the others; below 0 it follows. 95 %.
   */
  lead: {
    seconds: number | null;
    n: number;
    interval: number[] | null;
  };
  /**
   * After this time half of its prices better than fair are gone.
   */
  edge_half_life_seconds: number | null;
  /**
   * Mean time to its next move after news, of moves within 30 minutes.
   */
  reaction: {
    injury: {
      seconds: number | null;
      n: number;
    };
    lineup: {
      seconds: number | null;
      n: number;
    };
  };
  /**
   * Decimal prices of this source relative to another one’s; the lower one is named first.
   */
  sources: {
    source: string;
    against: string;
    n: number;
    mean_difference: number;
  }[];
}
export interface ListChangesArguments {
  /**
   * Of score, status, line_move, intelligence, injury, identity, comma-separated.
   */
  types?: string;
  /**
   * Sport slugs, comma-separated.
   */
  sport?: string;
  /**
   * League slugs, comma-separated.
   */
  league?: string;
  /**
   * Of one event, or of several.
   *
   * @maxItems 200
   *
   * Items: One of them.
   */
  event_id?: number[];
  /**
   * Slugs, comma-separated: line moves of these only; other types come anyhow.
   */
  bookmaker?: string;
  /**
   * A change’s `id`, or `next_after`; 0: the beginning.
   */
  after?: string;
  /**
   * How many to answer at most.
   */
  limit?: number;
  /**
   * The members of the answer to have, comma-separated; a dot leads into objects and lists. All others are left out, but for totals and cursors.
   */
  fields?: string;
}
export interface ListChangesAnswer {
  changes: Change[];
  /**
   * For the next page.
   */
  next_after: string;
  /**
   * There may be more.
   */
  has_more: boolean;
  /**
   * How much of the log was looked through for this page.
   */
  records_checked: number;
}
export interface Change {
  id: string;
  type: 'score' | 'status' | 'line_move' | 'intelligence' | 'injury' | 'identity';
  event_id: number | null;
  sport: string;
  league: string | null;
  /**
   * When observed.
   */
  at: string;
  recorded_at: string;
  /**
   * As a webhook of this type has it.
   */
  data: {
    [k: string]: unknown;
  };
}
export interface ListTeamsArguments {
  /**
   * Sport slug; an unknown one gives an empty list.
   */
  sport?: string;
  /**
   * League slug.
   */
  league?: string;
  /**
   * Conference.
   */
  conference?: string;
  /**
   * Division.
   */
  division?: string;
  /**
   * ISO country code.
   */
  country?: string;
  /**
   * Part of a name, short name, abbreviation or alias.
   */
  q?: string;
  /**
   * true or false; both where left out.
   */
  active?: boolean;
  /**
   * Cursor: `next_after_id` of the page before.
   */
  after_id?: number;
  /**
   * How many to answer at most.
   */
  limit?: number;
  /**
   * The members of the answer to have, comma-separated; a dot leads into objects and lists. All others are left out, but for totals and cursors.
   */
  fields?: string;
}
export interface ListTeamsAnswer {
  data: TeamListItem[];
  has_more: boolean;
  next_after_id: number | null;
}
export interface TeamListItem {
  id: number;
  slug: string;
  name: string;
  abbreviation: string | null;
  image_url: string | null;
  sport: string;
  league: string;
  conference: string | null;
  division: string | null;
  venue: {
    id: number | null;
    name: string | null;
    city: string | null;
  };
  is_active: boolean;
}
export interface GetTeamArguments {
  /**
   * Id of the team.
   */
  id: number;
  /**
   * The members of the answer to have, comma-separated; a dot leads into objects and lists. All others are left out, but for totals and cursors.
   */
  fields?: string;
}
export interface Team {
  id: number;
  slug: string;
  name: string;
  abbreviation: string | null;
  image_url: string | null;
  sport: string;
  league: string;
  conference: string | null;
  division: string | null;
  venue: {
    id: number | null;
    name: string | null;
    city: string | null;
  };
  is_active: boolean;
  short_name: string | null;
  city: string | null;
  state: string | null;
  country_code: string | null;
}
export interface SearchPlayersArguments {
  /**
   * Sport slug; an unknown one gives an empty list.
   */
  sport?: string;
  /**
   * Part of the full name or an alias.
   */
  q?: string;
  /**
   * ISO alpha-3 country code.
   */
  country?: string;
  /**
   * true: active; false: retired; both where left out.
   */
  active?: boolean;
  /**
   * true keeps only tennis players who are ranked now.
   */
  ranked?: boolean;
  /**
   * Cursor: `next_after_id` of the page before.
   */
  after_id?: number;
  /**
   * How many to answer at most.
   */
  limit?: number;
  /**
   * The members of the answer to have, comma-separated; a dot leads into objects and lists. All others are left out, but for totals and cursors.
   */
  fields?: string;
}
export interface SearchPlayersAnswer {
  data: Player[];
  has_more: boolean;
  next_after_id: number | null;
}
export interface Player {
  id: number;
  slug: string;
  full_name: string;
  first_name: string | null;
  last_name: string | null;
  sport: string;
  country_code: string | null;
  birthdate: string | null;
  position: string | null;
  handedness: ('left' | 'right' | 'switch') | null;
  height_cm: number | null;
  weight_kg: number | null;
  tennis_ranking: number | null;
  tennis_ranking_points: number | null;
  current_team_id: number | null;
  current_team_name: string | null;
  is_active: boolean;
  retired_at: string | null;
  image_url: string | null;
}
export interface GetPlayerArguments {
  /**
   * Id of the player.
   */
  id: number;
  /**
   * The members of the answer to have, comma-separated; a dot leads into objects and lists. All others are left out, but for totals and cursors.
   */
  fields?: string;
}
export interface GetPlayerEventsArguments {
  /**
   * Id of the player.
   */
  id: number;
  /**
   * Event status.
   */
  status?: 'scheduled' | 'delayed' | 'postponed' | 'inprogress' | 'suspended' | 'cancelled' | 'walkover' | 'final';
  /**
   * First UTC date; 30 days ago unless told.
   */
  from?: string;
  /**
   * Last UTC date; in 30 days unless told.
   */
  to?: string;
  /**
   * Cursor: `next_after_id` of the page before.
   */
  after_id?: number;
  /**
   * How many to answer at most.
   */
  limit?: number;
  /**
   * The members of the answer to have, comma-separated; a dot leads into objects and lists. All others are left out, but for totals and cursors.
   */
  fields?: string;
}
export interface GetPlayerEventsAnswer {
  player_id: number;
  data: PlayerEvent[];
  has_more: boolean;
  next_after_id: number | null;
}
export interface PlayerEvent {
  event_id: number;
  /**
   * UTC, ISO 8601 with a trailing Z
   */
  starts_at: string;
  status: 'scheduled' | 'delayed' | 'postponed' | 'inprogress' | 'suspended' | 'cancelled' | 'walkover' | 'final';
  sport: string;
  competition: string;
  venue: string | null;
  venue_city: string | null;
  role: 'player_1' | 'player_2' | 'home' | 'away';
  result: ('win' | 'loss') | null;
  score: string | null;
  opponent: {
    player_id: number | null;
    name: string;
  };
}
export interface ResolveTeamArguments {
  query?: string | null;
  /**
   * What else is known. Each narrows, and none is overridden.
   */
  clues?: {
    sport?: string | null;
    league?: string | null;
    event_id?: number | null;
    player_id?: number | null;
    team_id?: number | null;
  } | null;
  /**
   * How sure it must be.
   */
  options?: {
    /**
     * The confidence from which on the one candidate is resolved.
     */
    min_confidence?: number | null;
  } | null;
  /**
   * The members of the answer to have, comma-separated; a dot leads into objects and lists. All others are left out, but for totals and cursors.
   */
  fields?: string;
}
export interface ResolvedTeam {
  /**
   * ambiguous: several are left, or the one that is left is not sure enough.
   */
  status: 'resolved' | 'ambiguous' | 'not_found';
  team_id: number | null;
  display_name: string | null;
  abbreviation: string | null;
  sport: string | null;
  /**
   * Of the best candidate, else 0. Fixed for each form, no probability.
   */
  confidence: number;
  /**
   * How the name fits, then the clues that fit. Empty unless resolved.
   */
  match_reasons: string[];
  /**
   * The best 10 where it is ambiguous, else empty.
   */
  candidates: TeamCandidate[];
}
export interface ResolvePlayerArguments {
  /**
   * What the player is called.
   */
  query: string;
  /**
   * What else is known. Each narrows, and none is overridden.
   */
  clues?: {
    sport?: string | null;
    team_id?: number | null;
    team_text?: string | null;
    event_id?: number | null;
    position?: string | null;
  } | null;
  /**
   * How sure it must be, and what else counts.
   */
  options?: {
    /**
     * The confidence from which on the one candidate is resolved.
     */
    min_confidence?: number | null;
    mode?: ('strict' | 'permissive' | 'ingest') | null;
  } | null;
  /**
   * The members of the answer to have, comma-separated; a dot leads into objects and lists. All others are left out, but for totals and cursors.
   */
  fields?: string;
}
export interface ResolvedPlayer {
  /**
   * ambiguous: several are left, or the one that is left is not sure enough.
   */
  status: 'resolved' | 'ambiguous' | 'not_found';
  player_id: number | null;
  display_name: string | null;
  sport: string | null;
  /**
   * Of the best candidate, else 0. Fixed for each form, no probability.
   */
  confidence: number;
  /**
   * How the name fits, then the clues that fit. Empty unless resolved.
   */
  match_reasons: string[];
  /**
   * The clues that were given.
   */
  clues_used: ('sport' | 'team_id' | 'team_text' | 'event_id' | 'position')[];
  /**
   * The best 10 where it is ambiguous, else empty.
   */
  candidates: PlayerCandidate[];
}
export interface ListMappingsArguments {
  /**
   * Who has the ref.
   */
  source?: string;
  /**
   * The source’s own id.
   */
  ref?: string;
  /**
   * In the place of `source` and `ref`.
   */
  id?: number;
  /**
   * Of what; required with `id`, else all.
   */
  type?: 'event' | 'team' | 'player';
  /**
   * Sport slug; an unknown one gives an empty list.
   */
  sport?: string;
  /**
   * The members of the answer to have, comma-separated; a dot leads into objects and lists. All others are left out, but for totals and cursors.
   */
  fields?: string;
}
export interface ListMappingsAnswer {
  mappings: Mapping[];
  total: number;
}
export interface Mapping {
  type: 'event' | 'team' | 'player';
  id: number;
  sport: string;
  /**
   * Null in tennis, and where nobody tells.
   */
  league: string | null;
  name: string;
  /**
   * Ids merged into this one.
   */
  merged_from: number[];
  refs: {
    source: string;
    ref: string;
    /**
     * It has the sides the other way round; null but for events.
     */
    swapped: boolean | null;
    /**
     * When the ref was bound; null: nobody knows.
     */
    recorded_at: string | null;
  }[];
}
export interface GradeSlipArguments {
  /**
   * At most 8, those of `text` counted too. They come first in the answer.
   */
  legs?:
    | {
        /**
         * Id of the event.
         */
        event_id: number;
        /**
         * `h2h` (or `moneyline`, `ml`), `h2h_3_way` (regular time, with a draw), `spreads` (`spread`), `totals` (`total`, `ou`), `team_total` (`team totals`, `tt`), else the name of a player’s statistic. Case does not count.
         */
        market_key: string;
        /**
         * `home` and `away` of h2h and spreads, `draw` of h2h and h2h_3_way, `over` and `under` of all else.
         */
        side: 'home' | 'away' | 'over' | 'under' | 'draw';
        /**
         * Signed to the side on spreads. Required but on h2h and h2h_3_way, which have none.
         */
        line?: number | null;
        player_id?: number | null;
        team_id?: number | null;
        scope?: ('1H' | '2H' | 'Q1' | 'Q2' | 'Q3' | 'Q4' | 'P1' | 'P2' | 'P3' | 'F5' | 'S1') | null;
        price?: number | null;
        stake?: number | null;
      }[]
    | null;
  text?: string | null;
  /**
   * They limit the legs of `text`, never those of `legs`.
   */
  clues?: {
    sport?: string | null;
    league?: string | null;
    event_id?: number | null;
    team_id?: number | null;
    team_text?: string | null;
  } | null;
  /**
   * Of one parlay of all legs.
   */
  stake?: number | null;
  /**
   * Of the parlay, in American odds; default: that of its legs together.
   */
  price?: number | null;
  rules?:
    | (
        | 'spec'
        | 'betmgm'
        | 'betonline'
        | 'bodog'
        | 'bookmaker'
        | 'draftkings'
        | 'ibetias'
        | 'kalshi'
        | 'pinnacle'
        | 'polymarket'
        | 'smarkets'
        | 'sportsbet_io'
        | 'thescore'
        | 'titanbet'
      )
    | null;
  /**
   * The answer of this UTC time (ISO 8601 with Z), not in the future.
   */
  as_of?: string;
  /**
   * By when the server learned a fact, or its source observed it.
   */
  as_of_basis?: 'recorded' | 'observed';
  /**
   * The members of the answer to have, comma-separated; a dot leads into objects and lists. All others are left out, but for totals and cursors.
   */
  fields?: string;
}
export interface GradeSlipAnswer {
  status: 'graded' | 'partial' | 'pending' | 'unmapped';
  legs: {
    /**
     * Null where the leg is unmapped.
     */
    result: ('won' | 'lost' | 'over' | 'under' | 'push' | 'void' | 'in_progress' | 'dnp' | 'no_stat') | null;
    /**
     * What it comes to for the side that was taken. Null until it is settled. `ungradeable`: its part of the event has no score.
     */
    result_detail: ('won' | 'half_won' | 'push' | 'void' | 'half_lost' | 'lost' | 'ungradeable') | null;
    /**
     * What one unit of stake comes back as, from 0 to the decimal price. Null where it is won without a price.
     */
    payout_factor: number | null;
    /**
     * What its stake comes back as, the stake included. Only where the leg has a stake.
     */
    payout?: number | null;
    /**
     * The number that is compared with the line; null on h2h.
     */
    current: number | null;
    /**
     * Why the leg did not settle, or is void.
     */
    message: string | null;
    market: {
      event_id: number | null;
      market_key: string | null;
      /**
       * Null on h2h.
       */
      line: number | null;
      side: ('home' | 'away' | 'over' | 'under' | 'draw') | null;
      /**
       * The part of the event; absent: all of it.
       */
      scope?: '1H' | '2H' | 'Q1' | 'Q2' | 'Q3' | 'Q4' | 'P1' | 'P2' | 'P3' | 'F5' | 'S1';
      /**
       * The facts that settle the leg are there.
       */
      settleable: boolean;
      /**
       * From here on: absent where unmapped.
       */
      home_team?: string;
      away_team?: string;
      /**
       * UTC, ISO 8601 with a trailing Z
       */
      starts_at?: string;
      /**
       * The number that settles: of soccer that of 90 minutes, of tennis games. Null before the start.
       */
      home_score?: number | null;
      away_score?: number | null;
    };
    resolve: {
      status: ('resolved' | 'ambiguous' | 'not_found') | null;
      player_id: number | null;
      display_name: string | null;
      candidates: {
        [k: string]: unknown;
      }[];
    };
    team_resolve: {
      status: 'resolved' | 'ambiguous' | 'not_found';
      team_id: number | null;
      display_name: string | null;
      candidates: {
        [k: string]: unknown;
      }[];
    } | null;
    event_resolve: {
      status: 'resolved' | 'ambiguous' | 'not_found';
      event_id: number | null;
      candidates: {
        event_id: number;
        name: string;
        /**
         * UTC, ISO 8601 with a trailing Z
         */
        starts_at: string;
      }[];
      message: string | null;
    } | null;
    /**
     * The leg as it was sent, or as its text was read.
     */
    input: {
      [k: string]: unknown;
    };
    /**
     * The entries of the log that the result, or the present state, rests on.
     */
    facts: {
      position: string;
      type: string;
      source: string;
      at: string;
      recorded_at: string;
    }[];
  }[];
  summary: {
    graded: number;
    pending: number;
    unmapped: number;
    hits: number;
    misses: number;
    pushes: number;
    voids: number;
  };
  /**
   * What the stake of the parlay comes back as: 0 once a leg is lost, null while it is open or a price is unknown. Only where the slip has a stake.
   */
  payout?: number | null;
  branding: {
    name: string;
    url: string;
    attribution: string;
  };
  honesty: {
    rules_version: string;
    /**
     * By sport.
     */
    house_rules: {
      [k: string]: string[];
    };
    not_graded: string[];
    note: string;
  };
  /**
   * The rule set that was asked for, where one was.
   */
  rules?: {
    book: string;
    exchange: boolean;
    source: string;
    date: string;
  };
  slip_id: null;
  /**
   * Of every charged grade. Its `position` is its own place in the log.
   */
  receipt: {
    id: string;
    /**
     * UTC, ISO 8601 with a trailing Z
     */
    graded_at: string;
    position: string;
  } | null;
}
export interface GetGradeReceiptArguments {
  /**
   * Id of the receipt.
   */
  id: string;
  /**
   * The members of the answer to have, comma-separated; a dot leads into objects and lists. All others are left out, but for totals and cursors.
   */
  fields?: string;
}
export interface GetGradeReceiptAnswer {
  id: string;
  /**
   * UTC, ISO 8601 with a trailing Z
   */
  graded_at: string;
  position: string;
  as_of: string | null;
  as_of_basis: 'recorded' | 'observed';
  /**
   * The slip as it was understood.
   */
  request: {
    [k: string]: unknown;
  };
  /**
   * The answer as `grade_slip` gave it.
   */
  result: {
    [k: string]: unknown;
  };
  /**
   * Its leaf in the seal of its day, and the salt that proves it; null where it was not sealed.
   */
  seal: {
    salt: string;
    leaf: string;
  } | null;
  /**
   * Graded now, a leg that was settled has another result.
   */
  superseded: boolean;
  superseded_by: {
    /**
     * UTC, ISO 8601 with a trailing Z
     */
    recorded_at: string;
    legs: {
      /**
       * From 0.
       */
      leg: number;
      from:
        | (
            | 'won'
            | 'lost'
            | 'over'
            | 'under'
            | 'push'
            | 'void'
            | 'in_progress'
            | 'dnp'
            | 'no_stat'
            | 'half_won'
            | 'half_lost'
          )
        | null;
      to:
        | (
            | 'won'
            | 'lost'
            | 'over'
            | 'under'
            | 'push'
            | 'void'
            | 'in_progress'
            | 'dnp'
            | 'no_stat'
            | 'half_won'
            | 'half_lost'
          )
        | null;
      /**
       * The entries of the log that changed it.
       */
      facts: {
        position: string;
        type: string;
        source: string;
        at: string;
        recorded_at: string;
      }[];
    }[];
  } | null;
}
export interface AddBetsArguments {
  /**
   * At most 200. All are taken, or none.
   *
   * @minItems 1
   * @maxItems 200
   */
  bets: {
    /**
     * Id of the event.
     */
    event_id?: number;
    /**
     * `h2h` (or `moneyline`, `ml`), `h2h_3_way` (regular time, with a draw), `spreads` (`spread`), `totals` (`total`, `ou`), `team_total` (`team totals`, `tt`), else the name of a player’s statistic. Case does not count.
     */
    market_key?: string;
    /**
     * `home` and `away` of h2h and spreads, `draw` of h2h and h2h_3_way, `over` and `under` of all else.
     */
    side?: 'home' | 'away' | 'over' | 'under' | 'draw';
    /**
     * Signed to the side on spreads. Required but on h2h and h2h_3_way, which have none.
     */
    line?: number | null;
    player_id?: number | null;
    team_id?: number | null;
    scope?: ('1H' | '2H' | 'Q1' | 'Q2' | 'Q3' | 'Q4' | 'P1' | 'P2' | 'P3' | 'F5' | 'S1') | null;
    text?: string | null;
    /**
     * They limit what `text` means.
     */
    clues?: {
      sport?: string | null;
      league?: string | null;
      event_id?: number | null;
      team_id?: number | null;
      team_text?: string | null;
    } | null;
    /**
     * The price that was taken, in American odds.
     */
    price: number;
    /**
     * The same price in decimal odds, where it was taken so: the bet then pays by it, and `price` is it in American odds, rounded.
     */
    decimal?: number | null;
    /**
     * In a unit of one’s own.
     */
    stake: number;
    /**
     * Where it was placed: a bookmaker’s slug, or any name.
     */
    book: string;
    /**
     * When it was placed; not in the future. Words for days in `text` are relative to it.
     */
    placed_at: string;
  }[];
}
export interface AddBetsAnswer {
  /**
   * In the order in which they were given.
   */
  bets: {
    id: number;
  }[];
}
export interface ListBetsArguments {
  /**
   * Cursor: only bets with smaller ids.
   */
  after_id?: number;
  /**
   * Only bets placed on this UTC day or later.
   */
  from?: string;
  /**
   * Only bets placed on this UTC day or earlier.
   */
  to?: string;
  /**
   * How many to answer at most.
   */
  limit?: number;
  /**
   * The members of the answer to have, comma-separated; a dot leads into objects and lists. All others are left out, but for totals and cursors.
   */
  fields?: string;
}
export interface ListBetsAnswer {
  bets: OwnBet[];
  next_after_id: number | null;
}
export interface OwnBet {
  id: number;
  event_id: number;
  sport: string;
  home_team: string | null;
  away_team: string | null;
  starts_at: string | null;
  market_key: string;
  side: 'home' | 'away' | 'over' | 'under' | 'draw';
  line: number | null;
  player_id: number | null;
  team_id: number | null;
  price: number;
  stake: number;
  book: string;
  /**
   * UTC, ISO 8601 with a trailing Z
   */
  placed_at: string;
  /**
   * UTC, ISO 8601 with a trailing Z
   */
  created_at: string;
  /**
   * As of the leg of a slip, by the facts known now.
   */
  grade: ('won' | 'lost' | 'over' | 'under' | 'push' | 'void' | 'in_progress' | 'dnp' | 'no_stat') | null;
  /**
   * Why it did not settle, or is void; `half won` and `half lost` of a quarter line.
   */
  message: string | null;
  /**
   * The fair closing price in American odds; null before the start, and where the closing line is another.
   */
  closing_fair_price: number | null;
  /**
   * How much better the price was than the fair closing price, a fraction; null without one, and of a bet placed after the start.
   */
  clv: number | null;
  /**
   * In the unit of the stake; null until it is settled.
   */
  profit: number | null;
  /**
   * The part of the event; absent: all of it.
   */
  scope?: '1H' | '2H' | 'Q1' | 'Q2' | 'Q3' | 'Q4' | 'P1' | 'P2' | 'P3' | 'F5' | 'S1';
  /**
   * The decimal odds that were given, by which it pays; null: it was given in American odds, and pays by `price`.
   */
  decimal: number | null;
}
export interface SummarizeBetsArguments {
  /**
   * What the rows are of; `month` is that of `placed_at`, UTC.
   */
  by: 'book' | 'sport' | 'market' | 'month';
  /**
   * The members of the answer to have, comma-separated; a dot leads into objects and lists. All others are left out, but for totals and cursors.
   */
  fields?: string;
}
export interface SummarizeBetsAnswer {
  by: 'book' | 'sport' | 'market' | 'month';
  rows: {
    key: string;
    bets: number;
    /**
     * Stakes of all of them, also of those that are not settled.
     */
    staked: number;
    /**
     * Of those that are settled; null: none is.
     */
    profit: number | null;
    /**
     * The mean of those that have one; null: none has.
     */
    clv: number | null;
  }[];
  total: {
    bets: number;
    /**
     * Stakes of all of them, also of those that are not settled.
     */
    staked: number;
    /**
     * Of those that are settled; null: none is.
     */
    profit: number | null;
    /**
     * The mean of those that have one; null: none has.
     */
    clv: number | null;
  };
}
export interface DeleteBetArguments {
  /**
   * Id of the bet.
   */
  id: number;
}
export interface CreateExperimentArguments {
  /**
   * What it is called: any JSON.
   */
  name?:
    | string
    | number
    | boolean
    | null
    | unknown[]
    | {
        [k: string]: unknown;
      };
  /**
   * Which bets are made: any JSON. Understood: `selections`, `stake`, `min_edge`.
   */
  policy?:
    | string
    | number
    | boolean
    | null
    | unknown[]
    | {
        [k: string]: unknown;
      };
  /**
   * Any JSON. Understood: `sport`, `league`, `market`, `tier`, each a value or a list.
   */
  cohort?:
    | string
    | number
    | boolean
    | null
    | unknown[]
    | {
        [k: string]: unknown;
      };
  /**
   * When it begins: not in the past. UTC, ISO 8601.
   */
  from: string;
  /**
   * When it ends and is closed: after `from`, and at most 400 days later.
   */
  to: string;
  /**
   * What decides: any JSON. Understood: `min_n` (default 30), `clv_above`, `profit_above`, `hit_rate_above`, `drawdown_below`, `standard_errors`.
   */
  gates?:
    | string
    | number
    | boolean
    | null
    | unknown[]
    | {
        [k: string]: unknown;
      };
  /**
   * Any JSON. The server draws nothing at random; it keeps the seed.
   */
  seed?:
    | string
    | number
    | boolean
    | null
    | unknown[]
    | {
        [k: string]: unknown;
      };
}
export interface CreateExperimentAnswer {
  id: string;
  /**
   * SHA-256 of the canonical JSON (RFC 8785) of the seven members.
   */
  hash: string;
}
export interface ListExperimentsArguments {
  /**
   * The members of the answer to have, comma-separated; a dot leads into objects and lists. All others are left out, but for totals and cursors.
   */
  fields?: string;
}
export interface ListExperimentsAnswer {
  experiments: ListedExperiment[];
  total: number;
}
export interface ListedExperiment {
  id: string;
  /**
   * SHA-256 of the canonical JSON (RFC 8785) of the seven posted members.
   */
  hash: string;
  /**
   * UTC, ISO 8601 with a trailing Z
   */
  posted_at: string;
  /**
   * As it was posted.
   */
  name:
    | string
    | number
    | boolean
    | null
    | unknown[]
    | {
        [k: string]: unknown;
      };
  /**
   * As it was posted.
   */
  policy:
    | string
    | number
    | boolean
    | null
    | unknown[]
    | {
        [k: string]: unknown;
      };
  /**
   * As it was posted.
   */
  cohort:
    | string
    | number
    | boolean
    | null
    | unknown[]
    | {
        [k: string]: unknown;
      };
  from: string;
  to: string;
  /**
   * As it was posted.
   */
  gates:
    | string
    | number
    | boolean
    | null
    | unknown[]
    | {
        [k: string]: unknown;
      };
  /**
   * As it was posted.
   */
  seed:
    | string
    | number
    | boolean
    | null
    | unknown[]
    | {
        [k: string]: unknown;
      };
  /**
   * `ended` ones are closed within minutes.
   */
  state: 'open' | 'ended' | 'closed';
  /**
   * Null until it is closed.
   */
  verdict: ('pass' | 'fail' | 'inconclusive') | null;
}
export interface GetExperimentArguments {
  /**
   * Id of the experiment.
   */
  id: string;
  /**
   * The members of the answer to have, comma-separated; a dot leads into objects and lists. All others are left out, but for totals and cursors.
   */
  fields?: string;
}
export interface Experiment {
  id: string;
  /**
   * SHA-256 of the canonical JSON (RFC 8785) of the seven posted members.
   */
  hash: string;
  /**
   * UTC, ISO 8601 with a trailing Z
   */
  posted_at: string;
  /**
   * As it was posted.
   */
  name:
    | string
    | number
    | boolean
    | null
    | unknown[]
    | {
        [k: string]: unknown;
      };
  /**
   * As it was posted.
   */
  policy:
    | string
    | number
    | boolean
    | null
    | unknown[]
    | {
        [k: string]: unknown;
      };
  /**
   * As it was posted.
   */
  cohort:
    | string
    | number
    | boolean
    | null
    | unknown[]
    | {
        [k: string]: unknown;
      };
  from: string;
  to: string;
  /**
   * As it was posted.
   */
  gates:
    | string
    | number
    | boolean
    | null
    | unknown[]
    | {
        [k: string]: unknown;
      };
  /**
   * As it was posted.
   */
  seed:
    | string
    | number
    | boolean
    | null
    | unknown[]
    | {
        [k: string]: unknown;
      };
  /**
   * `ended` ones are closed within minutes.
   */
  state: 'open' | 'ended' | 'closed';
  /**
   * Null until it is closed.
   */
  verdict: ('pass' | 'fail' | 'inconclusive') | null;
  ended_at: string | null;
  closed_at: string | null;
  /**
   * Selections before this moment count: `to`, or when it was ended.
   */
  until: string | null;
  /**
   * Members that the server keeps and does not understand: the verdict is inconclusive.
   */
  not_understood: string[];
  /**
   * Why it is inconclusive.
   */
  reasons: string[];
  /**
   * Null until it is closed. `_se` are standard errors.
   */
  measures: {
    n: number;
    n_clv: number;
    clv: number | null;
    clv_se: number | null;
    hit_rate: number | null;
    hit_rate_se: number | null;
    profit: number | null;
    profit_se: number | null;
    /**
     * The deepest fall of the summed profit, in stakes.
     */
    drawdown: number;
  } | null;
  gates_measured: {
    gate: string;
    limit: number;
    measured: number | null;
    verdict: 'pass' | 'fail' | 'inconclusive';
  }[];
  /**
   * Every one that counts, in order; empty until it is closed.
   */
  selections: ExperimentSelection[];
  exclusions: {
    event_id: number;
    bet_type: string;
    /**
     * UTC, ISO 8601 with a trailing Z
     */
    selected_at: string;
    reason: 'cancelled' | 'postponed' | 'not_settled' | 'push' | 'no_price';
  }[];
  /**
   * Selections beyond the 1,500 that one keeps.
   */
  left_out: number;
  /**
   * Its leaf in the seal of its day, and the salt that proves it; null where the salt is gone.
   */
  seal: {
    salt: string;
    leaf: string;
  } | null;
}
export interface ExperimentSelection {
  event_id: number;
  sport: string;
  league: string;
  market: string;
  bet_type: string;
  line: number | null;
  tier: string | null;
  /**
   * UTC, ISO 8601 with a trailing Z
   */
  selected_at: string;
  probability: number;
  fair_probability: number;
  book: string;
  /**
   * The best price then, in American odds.
   */
  price: number;
  result: 'won' | 'lost';
  /**
   * Of a stake of 1 at that price.
   */
  profit: number;
  close: number | null;
  /**
   * `close / fair_probability - 1`; null where `no_clv` says why.
   */
  clv: number | null;
  no_clv: ('no_closing_price' | 'line_moved') | null;
}
export interface EndExperimentArguments {
  /**
   * Id of the experiment.
   */
  id: string;
}
export interface EstimateCostArguments {
  /**
   * The calls, in the order wanted; repeated ones count each time.
   *
   * @minItems 1
   * @maxItems 100
   */
  calls: {
    /**
     * Name of the tool, as `GET /v1/estimate/tools` has it.
     */
    tool: string;
    /**
     * What the tool would be given: the members of path, query and body in one object.
     */
    arguments?: {
      [k: string]: unknown;
    };
  }[];
  /**
   * The members of the answer to have, comma-separated; a dot leads into objects and lists. All others are left out, but for totals and cursors.
   */
  fields?: string;
}
export interface EstimateCostAnswer {
  estimates: {
    tool: string;
    /**
     * Of an answer. Errors cost nothing, and are not counted.
     */
    min_credits: number;
    max_credits: number;
    /**
     * The price, in words.
     */
    note: string;
  }[];
  total_min_credits: number;
  total_max_credits: number;
}
export interface ListEstimateToolsArguments {
  /**
   * The members of the answer to have, comma-separated; a dot leads into objects and lists. All others are left out, but for totals and cursors.
   */
  fields?: string;
}
export interface ListEstimateToolsAnswer {
  tools: string[];
  total: number;
}
export interface CreateWebhookArguments {
  /**
   * Where messages go: HTTPS; its host must resolve, to public addresses alone. `email`: mailto: and the account’s verified address.
   */
  url: string;
  /**
   * `ledgerline` is signed JSON; the others are for people.
   */
  format?: 'ledgerline' | 'discord' | 'slack' | 'telegram' | 'ntfy' | 'email';
  /**
   * Repeated ones count once. Deliveries of `injury` cost 0.5 credits each, the others nothing.
   *
   * @minItems 1
   * @maxItems 20
   *
   * Items: What the subscription is told of.
   */
  event_types?: (
    | 'score'
    | 'status'
    | 'line_move'
    | 'intelligence'
    | 'injury'
    | 'identity'
    | 'event_start'
    | 'event_final'
    | 'steam'
    | 'new_price'
    | 'ev'
    | 'arbitrage'
  )[];
  sport?: ('nfl' | 'nba' | 'mlb' | 'nhl' | 'ncaaf' | 'ncaab' | 'tennis' | 'soccer') | null;
  event_id?: number | null;
  filter?: {
    /**
     * In the place of `event_types`.
     *
     * @maxItems 100
     */
    types?: (
      | 'score'
      | 'status'
      | 'line_move'
      | 'intelligence'
      | 'injury'
      | 'identity'
      | 'event_start'
      | 'event_final'
      | 'steam'
      | 'new_price'
      | 'ev'
      | 'arbitrage'
    )[];
    /**
     * Slugs.
     *
     * @maxItems 100
     */
    sports?: string[];
    /**
     * Slugs.
     *
     * @maxItems 100
     */
    leagues?: string[];
    /**
     * Events.
     *
     * @maxItems 100
     */
    event_ids?: number[];
    /**
     * Of either side.
     *
     * @maxItems 100
     */
    team_ids?: number[];
    /**
     * Sides, or who is injured.
     *
     * @maxItems 100
     */
    player_ids?: number[];
    /**
     * In the place of the account’s list; or `all`.
     *
     * @maxItems 100
     */
    books?: string[];
    /**
     * Holds back other prices alone.
     *
     * @maxItems 100
     */
    bookmakers?: string[];
    /**
     * Keys.
     *
     * @maxItems 100
     */
    markets?: ('h2h' | 'spreads' | 'totals' | 'h2h_3_way')[];
    /**
     * Points.
     */
    min_line_move?: number;
    /**
     * Points of implied probability.
     */
    min_price_move?: number;
    /**
     * Expected value.
     */
    min_ev_percent?: number;
    /**
     * Judge of expected value.
     */
    by?: 'fair' | 'blend';
    /**
     * Of injuries.
     */
    min_severity?: 'info' | 'material' | 'critical';
    /**
     * Only so shortly before the start.
     */
    before_start_minutes?: number;
    /**
     * Moments of a game.
     */
    score?: 'any' | 'lead_change' | 'period_end' | 'final' | 'close_late';
  } | null;
  quiet?: {
    /**
     * Seconds; 30 for people.
     */
    min_interval_seconds: number;
  } | null;
}
export interface CreateWebhookAnswer {
  id: number;
  /**
   * Without its secrets.
   */
  url: string;
  format: 'ledgerline' | 'discord' | 'slack' | 'telegram' | 'ntfy' | 'email';
  event_types: (
    | 'score'
    | 'status'
    | 'line_move'
    | 'intelligence'
    | 'injury'
    | 'identity'
    | 'event_start'
    | 'event_final'
    | 'steam'
    | 'new_price'
    | 'ev'
    | 'arbitrage'
  )[];
  /**
   * Null: any that the key opens which made it.
   */
  sport: ('nfl' | 'nba' | 'mlb' | 'nhl' | 'ncaaf' | 'ncaab' | 'tennis' | 'soccer') | null;
  event_id: number | null;
  /**
   * As it was given.
   */
  filter: {
    [k: string]: unknown;
  } | null;
  quiet: {
    min_interval_seconds: number;
  };
  /**
   * `whsec_` and base64. Shown this once; stored encrypted.
   */
  signing_secret: string;
  /**
   * False once it has ended: after a 410, 5 days of failures, or 3 refusals of a service.
   */
  is_active: boolean;
}
export interface ListWebhooksArguments {
  /**
   * The members of the answer to have, comma-separated; a dot leads into objects and lists. All others are left out, but for totals and cursors.
   */
  fields?: string;
}
export interface ListWebhooksAnswer {
  data: Webhook[];
}
export interface Webhook {
  id: number;
  /**
   * Without its secrets.
   */
  url: string;
  format: 'ledgerline' | 'discord' | 'slack' | 'telegram' | 'ntfy' | 'email';
  event_types: (
    | 'score'
    | 'status'
    | 'line_move'
    | 'intelligence'
    | 'injury'
    | 'identity'
    | 'event_start'
    | 'event_final'
    | 'steam'
    | 'new_price'
    | 'ev'
    | 'arbitrage'
  )[];
  /**
   * Null: any that the key opens which made it.
   */
  sport: ('nfl' | 'nba' | 'mlb' | 'nhl' | 'ncaaf' | 'ncaab' | 'tennis' | 'soccer') | null;
  event_id: number | null;
  /**
   * As it was given.
   */
  filter: {
    [k: string]: unknown;
  } | null;
  quiet: {
    min_interval_seconds: number;
  };
  /**
   * False once it has ended: after a 410, 5 days of failures, or 3 refusals of a service.
   */
  is_active: boolean;
}
export interface DeleteWebhookArguments {
  /**
   * Id of the subscription.
   */
  id: number;
}
export interface ListWebhookDeliveriesArguments {
  /**
   * Id of the subscription.
   */
  id: number;
  /**
   * Cursor: only attempts with smaller ids.
   */
  after_id?: number;
  /**
   * How many to answer at most.
   */
  limit?: number;
  /**
   * Whether it succeeded.
   */
  success?: boolean;
  /**
   * Whether nothing was tried any more.
   */
  given_up?: boolean;
  /**
   * Only those of one type.
   */
  event_type?:
    | 'score'
    | 'status'
    | 'line_move'
    | 'intelligence'
    | 'injury'
    | 'identity'
    | 'event_start'
    | 'event_final'
    | 'steam'
    | 'new_price'
    | 'ev'
    | 'arbitrage';
  /**
   * The members of the answer to have, comma-separated; a dot leads into objects and lists. All others are left out, but for totals and cursors.
   */
  fields?: string;
}
export interface ListWebhookDeliveriesAnswer {
  data: WebhookDelivery[];
  next_after_id: number | null;
}
export interface WebhookDelivery {
  id: number;
  event_type:
    | 'score'
    | 'status'
    | 'line_move'
    | 'intelligence'
    | 'injury'
    | 'identity'
    | 'event_start'
    | 'event_final'
    | 'steam'
    | 'new_price'
    | 'ev'
    | 'arbitrage'
    | 'test';
  /**
   * Null for a test.
   */
  event_id: number | null;
  /**
   * From 1; a replay counts anew.
   */
  attempt: number;
  /**
   * The attempt that this one retried.
   */
  parent_delivery_id: number | null;
  /**
   * Null: there was no answer.
   */
  status_code: number | null;
  /**
   * The answer was 2xx.
   */
  success: boolean;
  error: string | null;
  /**
   * It failed, and all retries are used up.
   */
  given_up: boolean;
  /**
   * Null once the retry has run, and where there is none.
   */
  next_retry_at: string | null;
  /**
   * UTC, ISO 8601 with a trailing Z
   */
  delivered_at: string;
}
export interface TestWebhookArguments {
  /**
   * Id of the subscription.
   */
  id: number;
}
export interface TestWebhookAnswer {
  /**
   * The header `webhook-id` that the message comes with.
   */
  webhook_id: string;
}
export interface RotateWebhookSecretArguments {
  /**
   * Id of the subscription.
   */
  id: number;
}
export interface RotateWebhookSecretAnswer {
  /**
   * `whsec_` and base64. Shown this once; stored encrypted.
   */
  signing_secret: string;
}
export interface ReplayWebhookArguments {
  /**
   * Id of the subscription.
   */
  id: number;
  /**
   * Messages made at this UTC time (ISO 8601 with Z) or later.
   */
  from?: string;
  /**
   * Messages made after the one of this attempt.
   */
  after_delivery_id?: number;
}
export interface ReplayWebhookAnswer {
  /**
   * How many messages are sent again.
   */
  replayed: number;
}
export interface ListKeysArguments {
  /**
   * The members of the answer to have, comma-separated; a dot leads into objects and lists. All others are left out, but for totals and cursors.
   */
  fields?: string;
}
export interface ListKeysAnswer {
  keys: ApiKey[];
  total: number;
}
export interface ApiKey {
  id: number;
  name: string;
  /**
   * What the key begins with, up to its dot.
   */
  prefix: string;
  scopes: string[];
  created_at: string;
  /**
   * To the minute.
   */
  last_used_at: string | null;
  /**
   * From this time on the key opens nothing; null: never.
   */
  expires_at: string | null;
  /**
   * Credits in 24 hours; null: no cap.
   */
  max_credits_a_day: number | null;
  /**
   * False once it is revoked or has expired.
   */
  is_active: boolean;
}
export interface CreateKeyArguments {
  /**
   * For people. Blanks around it are taken away.
   */
  name: string;
  /**
   * What the key opens. Left out: what the calling key opens.
   *
   * @minItems 1
   * @maxItems 9
   *
   * Items: `all`, or a sport slug.
   */
  scopes?: ('all' | 'nfl' | 'nba' | 'mlb' | 'nhl' | 'ncaaf' | 'ncaab' | 'tennis' | 'soccer')[];
  /**
   * Credits that the key may be charged in any 24 hours, bought ones too; it never changes. Left out: no cap of its own.
   */
  max_credits_a_day?: number;
}
export interface CreateKeyAnswer {
  id: number;
  name: string;
  /**
   * The key itself, shown this once and stored nowhere. Null where the creation is repeated with its `Idempotency-Key`.
   */
  key: string | null;
  scopes: string[];
  /**
   * Credits in 24 hours; null: no cap.
   */
  max_credits_a_day: number | null;
  created_at: string;
}
export interface RevokeKeyArguments {
  /**
   * Id of the key.
   */
  id: number;
}
export interface GetCreditsArguments {
  /**
   * The members of the answer to have, comma-separated; a dot leads into objects and lists. All others are left out, but for totals and cursors.
   */
  fields?: string;
}
export interface GetCreditsAnswer {
  /**
   * Slug of the plan.
   */
  tier: string;
  /**
   * On a plan with monthly credits: of this calendar month, in UTC.
   */
  credits_used: number;
  /**
   * What the plan gives; null: no limit.
   */
  credit_limit: number | null;
  /**
   * What was bought or given beside it.
   */
  bonus_credits: number;
  /**
   * credit_limit + bonus_credits - credits_used; null: no limit.
   */
  total_remaining: number | null;
  is_trial: boolean;
  is_trial_expired: boolean;
}
export interface ListCreditPacksArguments {
  /**
   * The members of the answer to have, comma-separated; a dot leads into objects and lists. All others are left out, but for totals and cursors.
   */
  fields?: string;
}
export interface ListCreditPacksAnswer {
  packs: {
    id: number;
    name: string;
    /**
     * They never expire.
     */
    credits: number;
    /**
     * In the smallest unit of the currency.
     */
    price_cents: number;
    /**
     * ISO 4217, in small letters.
     */
    currency: string;
  }[];
  total: number;
}
export interface TopUpCreditsArguments {
  /**
   * Id of the pack.
   */
  pack_id: number;
}
export interface TopUpCreditsAnswer {
  /**
   * Slug of the plan.
   */
  tier: string;
  /**
   * On a plan with monthly credits: of this calendar month, in UTC.
   */
  credits_used: number;
  /**
   * What the plan gives; null: no limit.
   */
  credit_limit: number | null;
  /**
   * What was bought or given beside it.
   */
  bonus_credits: number;
  /**
   * credit_limit + bonus_credits - credits_used; null: no limit.
   */
  total_remaining: number | null;
  is_trial: boolean;
  is_trial_expired: boolean;
}
export interface GetUsageArguments {
  /**
   * How many UTC days, up to today.
   */
  days?: number;
  /**
   * The members of the answer to have, comma-separated; a dot leads into objects and lists. All others are left out, but for totals and cursors.
   */
  fields?: string;
}
export interface GetUsageAnswer {
  from: string;
  to: string;
  days: {
    date: string;
    calls: number;
    errors: number;
    credits: number;
  }[];
  endpoints: {
    /**
     * Name of the operation; null: the requests matched none.
     */
    endpoint: string | null;
    calls: number;
    credits: number;
  }[];
  keys: {
    /**
     * Null: calls in sessions.
     */
    key_id: number | null;
    calls: number;
    credits: number;
  }[];
}
export interface ListLedgerArguments {
  /**
   * Cursor: only lines with smaller ids.
   */
  after_id?: number;
  /**
   * How many to answer at most.
   */
  limit?: number;
  /**
   * The members of the answer to have, comma-separated; a dot leads into objects and lists. All others are left out, but for totals and cursors.
   */
  fields?: string;
}
export interface ListLedgerAnswer {
  data: LedgerLine[];
  has_more: boolean;
  next_after_id: number | null;
}
export interface LedgerLine {
  /**
   * Grows with time.
   */
  id: number;
  /**
   * UTC, ISO 8601 with a trailing Z
   */
  at: string;
  type: 'charge' | 'grant' | 'top_up' | 'expiry' | 'refund' | 'plan_change' | 'invoice_declined' | 'invoice_paid';
  /**
   * The change of the balance; negative for a charge.
   */
  credits: number;
  /**
   * The operation of a charge, the name or reason of a grant.
   */
  about: string | null;
  request_id: string | null;
  /**
   * The key of a charge; null: a session, or none.
   */
  key_id: number | null;
}
export interface CreateLinkArguments {
  /**
   * What it reads: the path of a GET below `/v1`, with its query.
   */
  path: string;
  /**
   * Form of the answer: `csv`, `ics` or `json`, as the read has it.
   */
  format: string;
  /**
   * For people.
   */
  name?: string;
  /**
   * From this time on it opens nothing.
   */
  expires_at?: string;
}
export interface Link {
  id: number;
  name: string | null;
  /**
   * The address; null in lists, since only its making shows it.
   */
  url: string | null;
  /**
   * What it reads, with its query.
   */
  path: string;
  format: string;
  /**
   * UTC, ISO 8601 with a trailing Z
   */
  created_at: string;
  /**
   * From this time on it opens nothing; null: never.
   */
  expires_at: string | null;
  last_used_at: string | null;
  /**
   * How often it was answered.
   */
  uses: number;
}
export interface ListLinksArguments {
  /**
   * The members of the answer to have, comma-separated; a dot leads into objects and lists. All others are left out, but for totals and cursors.
   */
  fields?: string;
}
export interface ListLinksAnswer {
  links: Link[];
  total: number;
}
export interface DeleteLinkArguments {
  /**
   * Id of the link.
   */
  id: number;
}
export interface GetMyBooksArguments {
  /**
   * The members of the answer to have, comma-separated; a dot leads into objects and lists. All others are left out, but for totals and cursors.
   */
  fields?: string;
}
export interface GetMyBooksAnswer {
  /**
   * Slugs of bookmakers; null: no list, so every book counts.
   */
  my_books: string[] | null;
}
export interface PutMyBooksArguments {
  /**
   * Slugs of the books where you can bet, each counted once; null: no list.
   */
  my_books: string[] | null;
}
export interface PutMyBooksAnswer {
  /**
   * Slugs of bookmakers; null: no list, so every book counts.
   */
  my_books: string[] | null;
}
export interface StartTrialArguments {
  /**
   * The name of the program: the person reads it, and the key gets it.
   */
  client_name?: string;
  /**
   * A key of the plan `trial` at once, for 24 hours, where the server allows it.
   */
  anonymous?: boolean;
}
export interface DeviceRequest {
  /**
   * For the program: it fetches the key with it.
   */
  device_code: string;
  /**
   * For the person: to be typed at `verification_uri`.
   */
  user_code: string;
  verification_uri: string;
  /**
   * Seconds between two polls.
   */
  interval: number;
  /**
   * Seconds.
   */
  expires_in: number;
}
export interface TrialKey {
  id: number;
  name: string;
  /**
   * The key itself, shown this once.
   */
  key: string;
  scopes: string[];
  /**
   * Credits in 24 hours; null: no cap.
   */
  max_credits_a_day: number | null;
  created_at: string;
  /**
   * From this time on the key opens nothing; null: never.
   */
  expires_at: string | null;
}
export interface FinishTrialArguments {
  /**
   * As `POST /api/agent/trial` has given it.
   */
  device_code: string;
}
export interface ErrorEnvelope {
  error: {
    code:
      | 'bad_request'
      | 'authorization_pending'
      | 'slow_down'
      | 'access_denied'
      | 'expired_token'
      | 'unauthorized'
      | 'insufficient_credits'
      | 'daily_credit_cap_exceeded'
      | 'credit_cap_exceeded'
      | 'payment_failed'
      | 'card_declined'
      | 'payment_method_required'
      | 'forbidden'
      | 'sport_scope_denied'
      | 'key_limit_reached'
      | 'not_found'
      | 'method_not_allowed'
      | 'not_acceptable'
      | 'request_timeout'
      | 'payload_too_large'
      | 'unsupported_media_type'
      | 'expectation_failed'
      | 'validation_error'
      | 'rate_limit_exceeded'
      | 'concurrency_limit_exceeded'
      | 'stream_limit_exceeded'
      | 'headers_too_large'
      | 'internal_error'
      | 'service_unavailable';
    message: string;
    status: number;
    doc_url: string;
    request_id: string;
    /**
     * The wrong fields, with validation_error.
     */
    errors?: {
      loc: (string | number)[];
      msg: string;
      type: string;
    }[];
    /**
     * Seconds, with status 429.
     */
    retry_after?: number;
    resets_at?: string;
    window_hours?: number;
    is_trial_expired?: boolean;
    hosted_invoice_url?: string;
    sport?: string;
    granted_scopes?: string[];
    upgrade_url?: string;
    topup_url?: string;
    billing_url?: string;
    [k: string]: unknown;
  };
  /**
   * The same as error.message.
   */
  detail: string;
}
