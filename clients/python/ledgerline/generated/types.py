# Made by `npm run client` from the OpenAPI document. Changes belong to the operations.
"""What goes into the methods of the client, and what comes out of them."""

from __future__ import annotations

import datetime as dt
from collections import abc
from typing import Any, Literal, TypeAlias, TypedDict

__all__ = [
    "ErrorEnvelope",
    "ErrorEnvelopeError",
    "ErrorEnvelopeErrorErrorsItem",
    "Bookmaker",
    "BookmakerLearntWeightsItem",
    "Season",
    "SeasonSport",
    "SeasonLeague",
    "Standings",
    "StandingsGroupsItem",
    "StandingsRow",
    "StandingsRowLast10",
    "StandingsRowHome",
    "StandingsRowAway",
    "EventListItem",
    "EventListItemCompetition",
    "EventListItemVenue",
    "EventListItemParticipantsItem",
    "EventListItemParticipantsItemTeam",
    "EventListItemParticipantsItemPlayer",
    "EventListItemParticipantsItemPeriodScoresItem",
    "TeamCandidate",
    "PlayerCandidate",
    "EventDetail",
    "EventDetailCompetition",
    "EventDetailVenue",
    "EventDetailParticipantsItem",
    "EventDetailParticipantsItemTeam",
    "EventDetailParticipantsItemPlayer",
    "EventDetailParticipantsItemPeriodScoresItem",
    "Odds",
    "OddsBookmakersItem",
    "OddsBookmakersItemMarketsItem",
    "OddsBookmakersItemMarketsItemOutcomesItem",
    "VenueFee",
    "Intelligence",
    "IntelligencePlayersValue",
    "Bet",
    "BetMarket",
    "BetFair",
    "BetBest",
    "BetEv",
    "BetBlend",
    "ForecastWager",
    "ForecastWagerDriversItem",
    "ForecastWagerResearch",
    "ScoreSnapshot",
    "ScoreSnapshotScoresItem",
    "ScoreSnapshotScoresItemPeriodScoresItem",
    "ScoreSnapshotWinProbability",
    "OddsMovement",
    "Futures",
    "FuturesMarketsItem",
    "FuturesMarketsItemBookmakersItem",
    "FuturesOutcome",
    "FuturesMovement",
    "Projections",
    "ProjectionsRow",
    "ProjectionsRowMarket",
    "SeenPrice",
    "PresentPrice",
    "PeriodOdds",
    "PeriodOddsPeriodOddsItem",
    "PeriodOddsPeriodOddsItemBooksValue1",
    "PeriodOddsPeriodOddsItemBooksValue2",
    "PeriodOddsPeriodOddsItemProbability1",
    "PeriodOddsPeriodOddsItemProbability2",
    "PeriodOddsForecast",
    "PeriodOddsForecastAhead",
    "TeamProps",
    "TeamPropsTeamPropsItem",
    "TeamPropsTeamPropsItemBooksValue",
    "PlayerProps",
    "PlayerPropsPlayerPropsItem",
    "PlayerPropsPlayerPropsItemBooksValue",
    "Splits",
    "SplitsConsensus",
    "SplitsConsensusMoneyline",
    "SplitsConsensusSpread",
    "SplitsConsensusTotal",
    "SplitsBookmakersItem",
    "SplitsBookmakersItemMoneyline",
    "SplitsBookmakersItemSpread",
    "SplitsBookmakersItemTotal",
    "MoneylineSplit",
    "LineSplit",
    "Statistics",
    "StatisticsWindows",
    "StatisticsTeams",
    "StatisticsPlayers",
    "StatisticsLeagueContext",
    "StatisticsPlayerBox",
    "StatisticsSide",
    "StatisticsSideRecentForm",
    "StatisticsSideTeamStrength",
    "StatisticsSideSos",
    "StatisticsSideVenue",
    "StatisticsSideVenueClay",
    "StatisticsSideVenueGrass",
    "StatisticsSideVenueHard",
    "StatisticsSideVenueIndoorHard",
    "StatisticsSideHeadToHead",
    "StatisticsSideHeadToHeadMeetingsItem",
    "StatisticsSideLineup",
    "StatisticsRates",
    "LineupPlayer",
    "PlayerBoxRow",
    "Injuries",
    "InjuriesInjuriesItem",
    "Correction",
    "CorrectedValueValue",
    "CorrectedValue",
    "EvOpportunity",
    "EvOpportunityEv",
    "ArbitrageOpportunity",
    "ArbitrageOpportunityLegsItem",
    "ArbitrageOpportunityRulesDifferItem",
    "EventProbabilities",
    "EventProbabilitiesOutcomesItem",
    "EventProbabilitiesSpread",
    "EventProbabilitiesSpreadOutcomesItem",
    "EventProbabilitiesTotal",
    "EventProbabilitiesTotalOutcomesItem",
    "RecordRow",
    "RecordRowClose",
    "RecordRowCalibrationItem",
    "RecordRowBlend",
    "RecordMonth",
    "RecordMonthBest",
    "RecordMonthFollower",
    "MarketQuality",
    "BookQuality",
    "BookQualityLead",
    "BookQualityReaction",
    "BookQualityReactionInjury",
    "BookQualityReactionLineup",
    "BookQualitySourcesItem",
    "Change",
    "TeamListItem",
    "TeamListItemVenue",
    "Team",
    "TeamVenue",
    "Player",
    "PlayerEvent",
    "PlayerEventOpponent",
    "ResolvedTeam",
    "ResolvedPlayer",
    "Mapping",
    "MappingRefsItem",
    "OwnBet",
    "ListedExperiment",
    "Experiment",
    "ExperimentMeasures",
    "ExperimentGatesMeasuredItem",
    "ExperimentExclusionsItem",
    "ExperimentSeal",
    "ExperimentSelection",
    "Webhook",
    "WebhookQuiet",
    "WebhookDelivery",
    "ApiKey",
    "LedgerLine",
    "Link",
    "DeviceRequest",
    "TrialKey",
    "GetHealthAnswer",
    "GetHealthAnswerLog",
    "GetHealthAnswerProjectionsItem",
    "GetHealthAnswerFeedsItem",
    "GetHealthAnswerFeedsItemLastError",
    "GetHealthAnswerFeedsItemBudget",
    "GetHealthAnswerBackup",
    "GetHealthAnswerBackupDrill",
    "GetHealthAnswerStandby",
    "ListSportsAnswer",
    "ListSportsAnswerSportsItem",
    "ListSportsAnswerSportsItemLeaguesItem",
    "ListSportsAnswerSportsItemLeaguesItemCurrentSeason",
    "ListSportsAnswerSportsItemLeaguesItemRules",
    "ListSportsAnswerSportsItemLeaguesItemRulesPoints",
    "ListBookmakersAnswer",
    "ListSeasonsAnswer",
    "ListEventsAnswer",
    "QueryEventsAnswer",
    "QueryEventsAnswerInterpreted",
    "QueryEventsAnswerCandidatesItem",
    "BatchGetEventsAnswer",
    "GetOddsHistoryAnswer",
    "GetFuturesHistoryAnswer",
    "GetOddsSummaryAnswer",
    "GetOddsSummaryAnswerBookmakersItem",
    "GetOddsSummaryAnswerBookmakersItemMarketsItem",
    "GetOddsSummaryAnswerBookmakersItemMarketsItemOutcomesItem",
    "GetOddsSummaryAnswerConsensusItem",
    "GetOddsSummaryAnswerConsensusItemOutcomesItem",
    "ListCorrectionsAnswer",
    "ScanEvAnswer",
    "ScanArbitrageAnswer",
    "ListForecastsAnswer",
    "GetRecordAnswer",
    "GetRecordAnswerBlend",
    "ListChangesAnswer",
    "ListTeamsAnswer",
    "SearchPlayersAnswer",
    "GetPlayerEventsAnswer",
    "ResolveTeamClues",
    "ResolveTeamOptions",
    "ResolvePlayerClues",
    "ResolvePlayerOptions",
    "ListMappingsAnswer",
    "GradeSlipLegsItem",
    "GradeSlipClues",
    "GradeSlipAnswer",
    "GradeSlipAnswerLegsItem",
    "GradeSlipAnswerLegsItemMarket",
    "GradeSlipAnswerLegsItemResolve",
    "GradeSlipAnswerLegsItemTeamResolve",
    "GradeSlipAnswerLegsItemEventResolve",
    "GradeSlipAnswerLegsItemEventResolveCandidatesItem",
    "GradeSlipAnswerLegsItemFactsItem",
    "GradeSlipAnswerSummary",
    "GradeSlipAnswerBranding",
    "GradeSlipAnswerHonesty",
    "GradeSlipAnswerRules",
    "GradeSlipAnswerReceipt",
    "GetGradeReceiptAnswer",
    "GetGradeReceiptAnswerSeal",
    "GetGradeReceiptAnswerSupersededBy",
    "GetGradeReceiptAnswerSupersededByLegsItem",
    "GetGradeReceiptAnswerSupersededByLegsItemFactsItem",
    "AddBetsBetsItem",
    "AddBetsBetsItemClues",
    "AddBetsAnswer",
    "AddBetsAnswerBetsItem",
    "ListBetsAnswer",
    "SummarizeBetsAnswer",
    "SummarizeBetsAnswerRowsItem",
    "SummarizeBetsAnswerTotal",
    "CreateExperimentAnswer",
    "ListExperimentsAnswer",
    "EstimateCostCallsItem",
    "EstimateCostAnswer",
    "EstimateCostAnswerEstimatesItem",
    "ListEstimateToolsAnswer",
    "CreateWebhookFilter",
    "CreateWebhookQuiet",
    "CreateWebhookAnswer",
    "CreateWebhookAnswerQuiet",
    "ListWebhooksAnswer",
    "ListWebhookDeliveriesAnswer",
    "TestWebhookAnswer",
    "RotateWebhookSecretAnswer",
    "ReplayWebhookAnswer",
    "ListKeysAnswer",
    "CreateKeyAnswer",
    "GetCreditsAnswer",
    "ListCreditPacksAnswer",
    "ListCreditPacksAnswerPacksItem",
    "TopUpCreditsAnswer",
    "GetUsageAnswer",
    "GetUsageAnswerDaysItem",
    "GetUsageAnswerEndpointsItem",
    "GetUsageAnswerKeysItem",
    "ListLedgerAnswer",
    "ListLinksAnswer",
    "GetMyBooksAnswer",
    "PutMyBooksAnswer",
]


class ErrorEnvelope(TypedDict):
    error: ErrorEnvelopeError
    detail: str
    """The same as error.message."""


class _ErrorEnvelopeErrorOptional(TypedDict, total=False):
    errors: list[ErrorEnvelopeErrorErrorsItem]
    """The wrong fields, with validation_error."""
    retry_after: int
    """Seconds, with status 429."""
    resets_at: str
    window_hours: int
    is_trial_expired: bool
    hosted_invoice_url: str
    sport: str
    granted_scopes: list[str]
    upgrade_url: str
    topup_url: str
    billing_url: str


class ErrorEnvelopeError(_ErrorEnvelopeErrorOptional):
    code: Literal["bad_request", "authorization_pending", "slow_down", "access_denied", "expired_token", "unauthorized", "insufficient_credits", "daily_credit_cap_exceeded", "credit_cap_exceeded", "payment_failed", "card_declined", "payment_method_required", "forbidden", "sport_scope_denied", "key_limit_reached", "not_found", "method_not_allowed", "not_acceptable", "request_timeout", "payload_too_large", "unsupported_media_type", "expectation_failed", "validation_error", "rate_limit_exceeded", "concurrency_limit_exceeded", "stream_limit_exceeded", "headers_too_large", "internal_error", "service_unavailable"]
    message: str
    status: int
    doc_url: str
    request_id: str


class ErrorEnvelopeErrorErrorsItem(TypedDict):
    loc: list[str | int]
    msg: str
    type: str


class Bookmaker(TypedDict):
    slug: str
    name: str
    type: Literal["sportsbook", "exchange", "prediction_market", "consensus"]
    reference_weight: float
    """Of its prices in the fair price; 0: it is compared with it."""
    learnt_weights: list[BookmakerLearntWeightsItem]
    """What counts in the place of reference_weight, by sport; empty unless weights are learnt."""


class BookmakerLearntWeightsItem(TypedDict):
    sport: str
    weight: float
    date: str
    """The day from which it is in force."""


class Season(TypedDict):
    id: int
    year: int
    name: str
    phase: Literal["preseason", "regular_season", "playoffs"]
    start_date: str
    end_date: str
    is_current: bool
    sport: SeasonSport
    league: SeasonLeague


class SeasonSport(TypedDict):
    slug: str
    name: str


class SeasonLeague(TypedDict):
    slug: str
    name: str
    abbreviation: str


class Standings(TypedDict):
    league: str
    season: int
    as_of: str | None
    groups: list[StandingsGroupsItem]


class StandingsGroupsItem(TypedDict):
    name: str | None
    rows: list[StandingsRow]


_StandingsRowWords = TypedDict("_StandingsRowWords", {"for": "float"})


class _StandingsRowOptional(TypedDict, total=False):
    lost_overtime: int
    """Where a loss after overtime is worth more or less than another, as in the NHL: not among `lost`."""


class StandingsRow(_StandingsRowWords, _StandingsRowOptional):
    rank: int
    team_id: int
    team: str
    played: int
    won: int
    drawn: int
    lost: int
    points: int | None
    """Less those taken away; null where the league counts wins."""
    against: float
    difference: float
    pct: float | None
    """Share of the possible points, or of the games won."""
    games_behind: float | None
    """Null where the league counts points."""
    streak: str | None
    """`W3`: the last three were won."""
    last_10: StandingsRowLast10
    home: StandingsRowHome
    away: StandingsRowAway


_StandingsRowLast10Words = TypedDict("_StandingsRowLast10Words", {"for": "float"})


class _StandingsRowLast10Optional(TypedDict, total=False):
    lost_overtime: int


class StandingsRowLast10(_StandingsRowLast10Words, _StandingsRowLast10Optional):
    played: int
    won: int
    drawn: int
    lost: int
    against: float


_StandingsRowHomeWords = TypedDict("_StandingsRowHomeWords", {"for": "float"})


class _StandingsRowHomeOptional(TypedDict, total=False):
    lost_overtime: int


class StandingsRowHome(_StandingsRowHomeWords, _StandingsRowHomeOptional):
    played: int
    won: int
    drawn: int
    lost: int
    against: float


_StandingsRowAwayWords = TypedDict("_StandingsRowAwayWords", {"for": "float"})


class _StandingsRowAwayOptional(TypedDict, total=False):
    lost_overtime: int


class StandingsRowAway(_StandingsRowAwayWords, _StandingsRowAwayOptional):
    played: int
    won: int
    drawn: int
    lost: int
    against: float


class _EventListItemOptional(TypedDict, total=False):
    participants: list[EventListItemParticipantsItem]
    draw_type: Literal["singles", "doubles"] | None
    broadcast: str | None
    court: str | None
    order_of_play: int | None


class EventListItem(_EventListItemOptional):
    id: int
    name: str
    sport: str
    league: str
    season_id: int
    starts_at: str
    """UTC, ISO 8601 with a trailing Z"""
    scheduled_start_at: str | None
    starts_at_qualifier: Literal["exact", "not_before", "following", "tbd"] | None
    inprogress_since: str | None
    status: Literal["scheduled", "delayed", "postponed", "inprogress", "suspended", "cancelled", "walkover", "final"]
    result_type: Literal["regulation", "overtime", "shootout", "retired", "walkover"] | None
    period: str | None
    period_label: str | None
    clock: str | None
    round: str | None
    neutral_site: bool
    competition: EventListItemCompetition | None
    venue: EventListItemVenue


class EventListItemCompetition(TypedDict):
    id: int
    name: str
    surface: Literal["clay", "grass", "hard", "indoor_hard"] | None
    tier: Literal["grand_slam", "masters_1000", "atp_500", "atp_250", "wta_1000", "wta_500", "wta_250"] | None


class EventListItemVenue(TypedDict):
    id: int | None
    name: str | None
    city: str | None
    surface: str | None
    roof_type: str | None
    timezone: str | None


class EventListItemParticipantsItem(TypedDict):
    participant_id: int
    role: Literal["home", "away", "player_1", "player_2"]
    score: str | None
    game_score: str | None
    is_winner: bool | None
    team: EventListItemParticipantsItemTeam | None
    player: EventListItemParticipantsItemPlayer | None
    period_scores: list[EventListItemParticipantsItemPeriodScoresItem]


class EventListItemParticipantsItemTeam(TypedDict):
    id: int | None
    name: str
    abbreviation: str | None
    country_code: str | None
    image_url: str | None


class EventListItemParticipantsItemPlayer(TypedDict):
    id: int | None
    name: str
    country_code: str | None
    image_url: str | None


class EventListItemParticipantsItemPeriodScoresItem(TypedDict):
    period: str
    score: int
    tiebreak: int | None
    confirmed: bool


class TeamCandidate(TypedDict):
    team_id: int
    display_name: str
    sport: str
    confidence: float
    match_reasons: list[str]


class PlayerCandidate(TypedDict):
    player_id: int
    display_name: str
    sport: str
    confidence: float
    match_reasons: list[str]


class _EventDetailOptional(TypedDict, total=False):
    odds: Odds
    intelligence: Intelligence


class EventDetail(_EventDetailOptional):
    id: int
    name: str
    sport: str
    league: str
    season_id: int
    starts_at: str
    """UTC, ISO 8601 with a trailing Z"""
    scheduled_start_at: str | None
    starts_at_qualifier: Literal["exact", "not_before", "following", "tbd"] | None
    inprogress_since: str | None
    status: Literal["scheduled", "delayed", "postponed", "inprogress", "suspended", "cancelled", "walkover", "final"]
    result_type: Literal["regulation", "overtime", "shootout", "retired", "walkover"] | None
    period: str | None
    period_label: str | None
    clock: str | None
    round: str | None
    neutral_site: bool
    competition: EventDetailCompetition | None
    venue: EventDetailVenue
    participants: list[EventDetailParticipantsItem]
    draw_type: Literal["singles", "doubles"] | None
    broadcast: str | None
    court: str | None
    order_of_play: int | None
    game_number: int | None
    updated_at: str
    """UTC, ISO 8601 with a trailing Z"""


class EventDetailCompetition(TypedDict):
    id: int
    name: str
    surface: Literal["clay", "grass", "hard", "indoor_hard"] | None
    tier: Literal["grand_slam", "masters_1000", "atp_500", "atp_250", "wta_1000", "wta_500", "wta_250"] | None


class EventDetailVenue(TypedDict):
    id: int | None
    name: str | None
    city: str | None
    surface: str | None
    roof_type: str | None
    timezone: str | None
    country: str | None
    capacity: int | None


class EventDetailParticipantsItem(TypedDict):
    participant_id: int
    role: Literal["home", "away", "player_1", "player_2"]
    score: str | None
    game_score: str | None
    is_winner: bool | None
    team: EventDetailParticipantsItemTeam | None
    player: EventDetailParticipantsItemPlayer | None
    period_scores: list[EventDetailParticipantsItemPeriodScoresItem]


class EventDetailParticipantsItemTeam(TypedDict):
    id: int | None
    name: str
    abbreviation: str | None
    country_code: str | None
    image_url: str | None


class EventDetailParticipantsItemPlayer(TypedDict):
    id: int | None
    name: str
    country_code: str | None
    image_url: str | None


class EventDetailParticipantsItemPeriodScoresItem(TypedDict):
    period: str
    score: int
    tiebreak: int | None
    confirmed: bool


class Odds(TypedDict):
    event_id: int
    available: bool
    bookmakers: list[OddsBookmakersItem]
    last_updated: str | None


class OddsBookmakersItem(TypedDict):
    bookmaker: str
    markets: list[OddsBookmakersItemMarketsItem]
    captured_at: str
    """UTC, ISO 8601 with a trailing Z"""


class _OddsBookmakersItemMarketsItemOptional(TypedDict, total=False):
    fee: VenueFee | None


class OddsBookmakersItemMarketsItem(_OddsBookmakersItemMarketsItemOptional):
    key: Literal["h2h", "spreads", "totals", "h2h_3_way"]
    label: Literal["moneyline", "spread", "totals", "3-way moneyline"]
    outcomes: list[OddsBookmakersItemMarketsItemOutcomesItem]


class _OddsBookmakersItemMarketsItemOutcomesItemOptional(TypedDict, total=False):
    suspect: Literal[True]
    """Present while the price lies far outside every other of its line and nothing confirms it: it
    then counts nowhere.
    """
    bids: list[list[float]]
    """Price as a probability, and the money that can be staked at it; best first."""
    asks: list[list[float]]
    """Price as a probability, and the money that can be staked at it; best first."""
    last: float | None
    """Price of the last trade, as a probability."""
    volume: float | None
    """Money that was traded."""


class OddsBookmakersItemMarketsItemOutcomesItem(_OddsBookmakersItemMarketsItemOutcomesItemOptional):
    outcome: str
    price: int
    point: float | None


_VenueFeeWords = TypedDict("_VenueFeeWords", {"from": "str"})


class _VenueFeeOptional(TypedDict, total=False):
    exponent: float
    taker_only: bool
    rounding: float


class VenueFee(_VenueFeeWords, _VenueFeeOptional):
    model: Literal["p(1-p)", "winnings", "notional"]
    rate: float


class _IntelligenceOptional(TypedDict, total=False):
    learning: Literal[True]
    """Present while the server still learns results of the league that are in its log: until then
    there is no forecast.
    """


class Intelligence(_IntelligenceOptional):
    event_id: int
    available: bool
    sport: str | None
    league: str | None
    odds_source: str | None
    players: dict[str, IntelligencePlayersValue]
    has_recommend: bool | None
    intelligence_updated_at: str | None
    match_overview: str | None
    rationale: list[str] | None
    bets: list[Bet]
    forecasts: list[ForecastWager]
    matchup: None


class IntelligencePlayersValue(TypedDict):
    name: str | None
    player_id: int | None
    team_id: int | None


class Bet(TypedDict):
    bet_type: str
    player_role: Literal["home", "away", "player_1", "player_2"] | None
    player_name: str | None
    player_id: int | None
    team_id: int | None
    probability: float | None
    """The server’s own forecast; it has seen no price."""
    interval: list[float] | None
    fair_price: int | None
    market: BetMarket
    edge: float | None
    tier: Literal["very_high", "strong", "moderate", "avoid"] | None
    fair: BetFair | None
    """The market’s view, without the bookmakers’ margin."""
    edges_by_book: dict[str, float] | None
    best: BetBest | None
    ev: BetEv | None
    narrative: str | None
    computed_at: str | None
    blend: BetBlend | None
    """The fair price, moved towards the forecast as far as `n` past games of the sport and market
    support: `weight` 0 is the fair price, 1 the forecast.
    """


class BetMarket(TypedDict):
    book: str | None
    price: int | None
    line: float | None


class BetFair(TypedDict):
    probability: float
    books: list[str]
    n_books: int
    is_consensus: bool


class BetBest(TypedDict):
    book: str
    price: int
    quote_age_seconds: int
    edge: float


class _BetEvOptional(TypedDict, total=False):
    size: float
    """Of an exchange: the money that can be staked at its best price."""


class BetEv(_BetEvOptional):
    beta: Literal[True]
    book: str
    price: int
    quote_age_seconds: int
    ev_pct: float
    kelly_fraction: float
    n_books: int


class BetBlend(TypedDict):
    probability: float
    weight: float
    n: int


class ForecastWager(TypedDict):
    event_id: int
    sport: str
    league: str
    player: str | None
    player_id: int | None
    bet_type: str | None
    player_role: str | None
    market: str
    line: float | None
    side: str
    p_hit: float
    interval: list[float]
    sufficiency: float
    reliability: Literal["emerging", "established"]
    conviction: float
    model_version: str
    selected: bool
    books: dict[str, dict[str, int | None]]
    drivers: list[ForecastWagerDriversItem]
    research: ForecastWagerResearch | None


class ForecastWagerDriversItem(TypedDict):
    id: str
    input: float
    effect: float
    direction: Literal["up", "down", "none"]


class ForecastWagerResearch(TypedDict):
    note: str


class _ScoreSnapshotOptional(TypedDict, total=False):
    win_probability: ScoreSnapshotWinProbability | None
    """Only in a stream with `include_probability=true`: as `get_probabilities` has it for now, `home`
    being the first player in tennis; null if unknown.
    """


class ScoreSnapshot(_ScoreSnapshotOptional):
    event_id: int
    status: Literal["scheduled", "delayed", "postponed", "inprogress", "suspended", "cancelled", "walkover", "final"]
    period: str | None
    period_label: str | None
    clock: str | None
    scores: list[ScoreSnapshotScoresItem]
    updated_at: str
    """UTC, ISO 8601 with a trailing Z"""


class ScoreSnapshotScoresItem(TypedDict):
    role: Literal["home", "away", "player_1", "player_2"]
    name: str
    abbreviation: str | None
    score: str | None
    game_score: str | None
    is_winner: bool | None
    period_scores: list[ScoreSnapshotScoresItemPeriodScoresItem]


class ScoreSnapshotScoresItemPeriodScoresItem(TypedDict):
    period: str
    score: int
    tiebreak: int | None
    confirmed: bool


class _ScoreSnapshotWinProbabilityOptional(TypedDict, total=False):
    draw: float


class ScoreSnapshotWinProbability(_ScoreSnapshotWinProbabilityOptional):
    home: float
    away: float


class _OddsMovementOptional(TypedDict, total=False):
    suspect: Literal[True]
    """Present while the price lies far outside every other of its line and nothing confirms it: it
    then counts nowhere.
    """


class OddsMovement(_OddsMovementOptional):
    bookmaker: str
    market: Literal["moneyline", "spread", "totals", "3-way moneyline"]
    market_key: Literal["h2h", "spreads", "totals", "h2h_3_way"]
    outcome: str
    price_from: int
    price_to: int
    point_from: float | None
    point_to: float | None
    moved_at: str
    """UTC, ISO 8601 with a trailing Z"""


class Futures(TypedDict):
    league: str
    season: int
    markets: list[FuturesMarketsItem]


class FuturesMarketsItem(TypedDict):
    market: str
    bookmakers: list[FuturesMarketsItemBookmakersItem]


class FuturesMarketsItemBookmakersItem(TypedDict):
    bookmaker: str
    captured_at: str
    """UTC, ISO 8601 with a trailing Z"""
    outcomes: list[FuturesOutcome]


class _FuturesOutcomeOptional(TypedDict, total=False):
    team_id: int
    team: str
    player_id: int | None
    """Null where the directory does not know the player."""
    player: str


class FuturesOutcome(_FuturesOutcomeOptional):
    price: int


class _FuturesMovementOptional(TypedDict, total=False):
    team_id: int
    team: str
    player_id: int | None
    """Null where the directory does not know the player."""
    player: str


class FuturesMovement(_FuturesMovementOptional):
    bookmaker: str
    market: str
    price_from: int
    price_to: int
    moved_at: str
    """UTC, ISO 8601 with a trailing Z"""


class Projections(TypedDict):
    league: str
    season: int
    as_of: str | None
    available: bool
    reason: Literal["learning", "few_results", "schedule_incomplete", "format_unknown"] | None
    """Why there is nothing: the results are still learned, fewer than 100 are known, not all games or
    teams of the season are, or what its table decides is not known.
    """
    model_version: str | None
    simulations: int
    seed: int
    games_left: int
    rows: list[ProjectionsRow]


class _ProjectionsRowOptional(TypedDict, total=False):
    promotion: float | None
    """Only of a league whose format in `CONFIG` says how many go up."""


class ProjectionsRow(_ProjectionsRowOptional):
    team_id: int
    team: str
    title: float | None
    playoffs: float | None
    relegation: float | None
    expected_points: float
    """At the end of the season; games won where the league counts wins."""
    market: ProjectionsRowMarket
    """What prices of futures say without their margin."""


class _ProjectionsRowMarketOptional(TypedDict, total=False):
    promotion: float | None
    """Only of a league whose format in `CONFIG` says how many go up."""


class ProjectionsRowMarket(_ProjectionsRowMarketOptional):
    """What prices of futures say without their margin."""
    title: float | None
    playoffs: float | None
    relegation: float | None


class SeenPrice(TypedDict):
    price: int
    point: float | None
    at: str
    """UTC, ISO 8601 with a trailing Z"""


class _PresentPriceOptional(TypedDict, total=False):
    suspect: Literal[True]
    """Present while the price lies far outside every other of its line and nothing confirms it: it
    then counts nowhere.
    """


class PresentPrice(_PresentPriceOptional):
    price: int
    point: float | None
    at: str
    """UTC, ISO 8601 with a trailing Z"""


class _PeriodOddsOptional(TypedDict, total=False):
    forecast: PeriodOddsForecast | None


class PeriodOdds(_PeriodOddsOptional):
    event_id: int
    available: bool
    sport: str
    status: Literal["scheduled", "delayed", "postponed", "inprogress", "suspended", "cancelled", "walkover", "final"]
    period: str | None
    clock: str | None
    period_odds: list[PeriodOddsPeriodOddsItem]


class _PeriodOddsPeriodOddsItemOptional(TypedDict, total=False):
    suspect: dict[str, list[Literal["home", "away", "over", "under"]]]
    """The sides whose price is suspect, by bookmaker."""
    probability: PeriodOddsPeriodOddsItemProbability1 | PeriodOddsPeriodOddsItemProbability2 | None


class PeriodOddsPeriodOddsItem(_PeriodOddsPeriodOddsItemOptional):
    scope: Literal["1H", "F5", "S1"]
    market: Literal["first_half_spreads", "first_half_totals"]
    line: float
    home_score: float | None
    away_score: float | None
    current: float | None
    pct_of_line: float | None
    settleable: bool
    scope_complete: bool
    result: Literal["in_progress", "over", "under", "push"] | None
    home_result: Literal["won", "lost", "push"] | None
    away_result: Literal["won", "lost", "push"] | None
    books: dict[str, PeriodOddsPeriodOddsItemBooksValue1 | PeriodOddsPeriodOddsItemBooksValue2]


class PeriodOddsPeriodOddsItemBooksValue1(TypedDict):
    home: int | None
    away: int | None


class PeriodOddsPeriodOddsItemBooksValue2(TypedDict):
    over: int | None
    under: int | None


class PeriodOddsPeriodOddsItemProbability1(TypedDict):
    home: float
    away: float


class PeriodOddsPeriodOddsItemProbability2(TypedDict):
    over: float
    under: float


class PeriodOddsForecast(TypedDict):
    model_version: str
    ahead: PeriodOddsForecastAhead


class PeriodOddsForecastAhead(TypedDict):
    home: float
    away: float
    tie: float | None


class TeamProps(TypedDict):
    event_id: int
    available: bool
    sport: str
    status: Literal["scheduled", "delayed", "postponed", "inprogress", "suspended", "cancelled", "walkover", "final"]
    period: str | None
    clock: str | None
    team_props: list[TeamPropsTeamPropsItem]


class _TeamPropsTeamPropsItemOptional(TypedDict, total=False):
    suspect: dict[str, list[Literal["over", "under"]]]
    """The sides whose price is suspect, by bookmaker."""


class TeamPropsTeamPropsItem(_TeamPropsTeamPropsItemOptional):
    team: str
    team_id: int | None
    side: Literal["home", "away"]
    market: Literal["team_total"]
    line: float
    current: float | None
    pct_of_line: float | None
    settleable: bool
    result: Literal["in_progress", "over", "under", "push"] | None
    books: dict[str, TeamPropsTeamPropsItemBooksValue]


class TeamPropsTeamPropsItemBooksValue(TypedDict):
    over: int | None
    under: int | None


class PlayerProps(TypedDict):
    event_id: int
    available: bool
    sport: str
    status: Literal["scheduled", "delayed", "postponed", "inprogress", "suspended", "cancelled", "walkover", "final"]
    period: str | None
    clock: str | None
    player_props: list[PlayerPropsPlayerPropsItem]


class _PlayerPropsPlayerPropsItemOptional(TypedDict, total=False):
    suspect: dict[str, list[Literal["over", "under"]]]
    """The sides whose price is suspect, by bookmaker."""


class PlayerPropsPlayerPropsItem(_PlayerPropsPlayerPropsItemOptional):
    player: str
    player_id: int | None
    team_id: int | None
    market: str
    line: float
    current: float | None
    pct_of_line: float | None
    settleable: bool
    result: Literal["over", "under", "push", "in_progress", "dnp", "no_stat"] | None
    books: dict[str, PlayerPropsPlayerPropsItemBooksValue]


class PlayerPropsPlayerPropsItemBooksValue(TypedDict):
    over: int | None
    under: int | None


class Splits(TypedDict):
    event_id: int
    available: bool
    captured_at: str | None
    consensus: SplitsConsensus
    bookmakers: list[SplitsBookmakersItem]


class _SplitsConsensusOptional(TypedDict, total=False):
    moneyline: SplitsConsensusMoneyline
    spread: SplitsConsensusSpread
    total: SplitsConsensusTotal


class SplitsConsensus(_SplitsConsensusOptional):
    pass


class _SplitsConsensusMoneylineOptional(TypedDict, total=False):
    home: MoneylineSplit
    away: MoneylineSplit


class SplitsConsensusMoneyline(_SplitsConsensusMoneylineOptional):
    pass


class _SplitsConsensusSpreadOptional(TypedDict, total=False):
    home: LineSplit
    away: LineSplit


class SplitsConsensusSpread(_SplitsConsensusSpreadOptional):
    pass


class _SplitsConsensusTotalOptional(TypedDict, total=False):
    over: LineSplit
    under: LineSplit


class SplitsConsensusTotal(_SplitsConsensusTotalOptional):
    pass


class _SplitsBookmakersItemOptional(TypedDict, total=False):
    moneyline: SplitsBookmakersItemMoneyline
    spread: SplitsBookmakersItemSpread
    total: SplitsBookmakersItemTotal


class SplitsBookmakersItem(_SplitsBookmakersItemOptional):
    bookmaker: str
    name: str


class _SplitsBookmakersItemMoneylineOptional(TypedDict, total=False):
    home: MoneylineSplit
    away: MoneylineSplit


class SplitsBookmakersItemMoneyline(_SplitsBookmakersItemMoneylineOptional):
    pass


class _SplitsBookmakersItemSpreadOptional(TypedDict, total=False):
    home: LineSplit
    away: LineSplit


class SplitsBookmakersItemSpread(_SplitsBookmakersItemSpreadOptional):
    pass


class _SplitsBookmakersItemTotalOptional(TypedDict, total=False):
    over: LineSplit
    under: LineSplit


class SplitsBookmakersItemTotal(_SplitsBookmakersItemTotalOptional):
    pass


class MoneylineSplit(TypedDict):
    bets_pct: int
    handle_pct: int
    price: int | None


class LineSplit(TypedDict):
    bets_pct: int
    handle_pct: int
    line: float | None


class _StatisticsOptional(TypedDict, total=False):
    profile: Literal["club", "world_cup"]
    teams: StatisticsTeams
    players: StatisticsPlayers
    league_context: StatisticsLeagueContext
    player_box: StatisticsPlayerBox


class Statistics(_StatisticsOptional):
    event_id: int
    available: bool
    league_slug: str
    neutral_site: bool
    windows: StatisticsWindows


class StatisticsWindows(TypedDict):
    recent_form: Literal[5]
    rates_l5: Literal[5]
    rates_season: Literal["season"]
    head_to_head: Literal[10]
    sos: Literal[5]


class _StatisticsTeamsOptional(TypedDict, total=False):
    home: StatisticsSide
    away: StatisticsSide


class StatisticsTeams(_StatisticsTeamsOptional):
    pass


class _StatisticsPlayersOptional(TypedDict, total=False):
    player_1: StatisticsSide
    player_2: StatisticsSide


class StatisticsPlayers(_StatisticsPlayersOptional):
    pass


class StatisticsLeagueContext(TypedDict):
    avg_goals_per_team: float | None


class StatisticsPlayerBox(TypedDict):
    available: bool
    final: bool
    home: list[PlayerBoxRow]
    away: list[PlayerBoxRow]


class _StatisticsSideOptional(TypedDict, total=False):
    team_id: int
    player_id: int
    abbreviation: str | None
    country_code: str | None
    lineup: StatisticsSideLineup


class StatisticsSide(_StatisticsSideOptional):
    name: str
    image_url: str | None
    rest_days: int | None
    recent_form: StatisticsSideRecentForm
    team_strength: StatisticsSideTeamStrength
    sos: StatisticsSideSos | None
    venue: StatisticsSideVenue
    rates_l5: StatisticsRates
    rates_season: StatisticsRates
    head_to_head: StatisticsSideHeadToHead


class _StatisticsSideRecentFormOptional(TypedDict, total=False):
    goals_scored: list[float | None]
    goals_conceded: list[float | None]
    scored: list[float | None]
    conceded: list[float | None]
    sets_won: list[float | None]
    sets_lost: list[float | None]


class StatisticsSideRecentForm(_StatisticsSideRecentFormOptional):
    window: Literal[5]
    results: list[Literal["W", "D", "L", "T"]]


class _StatisticsSideTeamStrengthOptional(TypedDict, total=False):
    ppg: float | None
    win_pct: float | None
    points_pct: float | None
    games: int
    points: int
    w: int
    d: int
    l: int
    t: int
    otl: int
    gf: float
    ga: float
    gd: float
    scored: float
    conceded: float
    diff: float
    rank: int | None
    ranking: int | None
    ranking_points: int | None


class StatisticsSideTeamStrength(_StatisticsSideTeamStrengthOptional):
    source: Literal["league_table_ppg", "fifa_rank", "win_pct", "points_pct"]


class _StatisticsSideSosOptional(TypedDict, total=False):
    opp_ppg_avg: float | None
    opp_win_pct_avg: float | None
    opp_points_pct_avg: float | None


class StatisticsSideSos(_StatisticsSideSosOptional):
    source: Literal["opp_ppg_avg", "opp_win_pct_avg", "opp_points_pct_avg"]
    window: Literal[5]
    games: int


class _StatisticsSideVenueOptional(TypedDict, total=False):
    home_ppg: float | None
    home_win_pct: float | None
    home_points_pct: float | None
    home_games: int
    away_ppg: float | None
    away_win_pct: float | None
    away_points_pct: float | None
    away_games: int
    confederation: str | None
    surface: str | None
    clay: StatisticsSideVenueClay
    grass: StatisticsSideVenueGrass
    hard: StatisticsSideVenueHard
    indoor_hard: StatisticsSideVenueIndoorHard


class StatisticsSideVenue(_StatisticsSideVenueOptional):
    source: Literal["home_away_ppg_split", "home_away_win_pct_split", "home_away_points_pct_split", "surface_win_pct_split", "confederation"]


class StatisticsSideVenueClay(TypedDict):
    win_pct: float | None
    games: int


class StatisticsSideVenueGrass(TypedDict):
    win_pct: float | None
    games: int


class StatisticsSideVenueHard(TypedDict):
    win_pct: float | None
    games: int


class StatisticsSideVenueIndoorHard(TypedDict):
    win_pct: float | None
    games: int


class StatisticsSideHeadToHead(TypedDict):
    window: Literal[10]
    meetings: list[StatisticsSideHeadToHeadMeetingsItem]
    total: int


class _StatisticsSideHeadToHeadMeetingsItemOptional(TypedDict, total=False):
    home_goals: float
    away_goals: float
    home_score: float
    away_score: float
    winner: Literal["player_1", "player_2"]
    player_1_sets: float | None
    player_2_sets: float | None
    surface: str | None


class StatisticsSideHeadToHeadMeetingsItem(_StatisticsSideHeadToHeadMeetingsItemOptional):
    pass


class StatisticsSideLineup(TypedDict):
    available: bool
    formation: str | None
    starters: list[LineupPlayer]
    bench: list[LineupPlayer]


class _StatisticsRatesOptional(TypedDict, total=False):
    window_size: Literal[5]


class StatisticsRates(_StatisticsRatesOptional):
    """Means by the names that `docs/statistics.md` lists for the sport."""
    source: Literal["event_stats_avg"]
    window: Literal["l5", "season"]
    games: int
    field_games: dict[str, int]
    """Of each mean: over how many games."""


class LineupPlayer(TypedDict):
    name: str
    position: str | None
    jersey: str | None
    formation_place: int | None
    athlete_id: str | None


class PlayerBoxRow(TypedDict):
    player_id: int | None
    name: str
    starter: bool
    dnp: bool
    stats: dict[str, float]


class Injuries(TypedDict):
    event_id: int
    available: bool
    last_checked_at: str | None
    confirmed_at: str | None
    next_check_at: str | None
    injuries: list[InjuriesInjuriesItem]


class InjuriesInjuriesItem(TypedDict):
    player: str
    player_id: int | None
    team: str
    team_id: int | None
    status: Literal["available", "probable", "day_to_day", "questionable", "doubtful", "suspended", "out", "ir"]
    previous_status: Literal["available", "probable", "day_to_day", "questionable", "doubtful", "suspended", "out", "ir"] | None
    body_part: str | None
    note: str
    source_url: str
    severity: Literal["info", "material", "critical"]
    last_changed_at: str
    """UTC, ISO 8601 with a trailing Z"""


class Correction(TypedDict):
    id: int
    event_id: int
    sport: str
    league: str
    field: Literal["status", "score", "result", "starts_at"]
    before: CorrectedValue
    after: CorrectedValue
    source: str
    """Who sent the message."""
    at: str
    """UTC, ISO 8601 with a trailing Z"""
    recorded_at: str
    """UTC, ISO 8601 with a trailing Z"""
    reason: Literal["identity"] | None
    """`identity`: an operator has merged or split events. Null: a message."""


class CorrectedValueValue(TypedDict):
    result_type: Literal["regulation", "overtime", "shootout", "retired", "walkover"] | None
    winner: str | None


CorrectedValue: TypeAlias = "str | CorrectedValueValue | dict[str, str | None]"
"""A text for `status` and `starts_at`; for `score` both sides’ scores by role; for `result` its type
and the winner’s role.
"""


class _EvOpportunityOptional(TypedDict, total=False):
    better_elsewhere: int
    """Under a list of books: how many books outside it have a better price at the same line. Otherwise
    left out.
    """
    blend_probability: float
    """Under `by=blend`: what EV and stake follow from."""


class EvOpportunity(_EvOpportunityOptional):
    event_id: int
    side: Literal["home", "away", "p1", "p2", "draw", "over", "under"]
    team: str | None
    bet_type: str
    line: float | None
    fair_probability: float
    ev: EvOpportunityEv


class _EvOpportunityEvOptional(TypedDict, total=False):
    size: float
    """Of an exchange: the money that can be staked at its best price. Otherwise left out."""


class EvOpportunityEv(_EvOpportunityEvOptional):
    beta: Literal[True]
    book: str
    price: int
    ev_pct: float
    kelly_fraction: float
    quote_age_seconds: int
    n_books: int


class _ArbitrageOpportunityOptional(TypedDict, total=False):
    better_elsewhere: int
    """Under a list of books: how many books outside it have a better price at the same line. Otherwise
    left out.
    """


class ArbitrageOpportunity(_ArbitrageOpportunityOptional):
    event_id: int
    kind: Literal["arbitrage", "middle"]
    market: Literal["h2h", "spreads", "totals", "h2h_3_way"]
    profit_pct: float
    middle: list[float] | None
    """Open interval of totals, or of home’s margin, in which both bets win."""
    legs: list[ArbitrageOpportunityLegsItem]
    rules_differ: list[ArbitrageOpportunityRulesDifferItem]
    """Where the rules of the books would settle one ending differently, each with its rule; see
    docs/rules.md.
    """
    rules_unknown: list[str]
    """Books of the legs of whose rules of the sport nothing is known here: they may settle an ending
    differently.
    """


class _ArbitrageOpportunityLegsItemOptional(TypedDict, total=False):
    size: float
    """Of an exchange: the money that can be staked at its best price. Otherwise left out."""


class ArbitrageOpportunityLegsItem(_ArbitrageOpportunityLegsItemOptional):
    side: Literal["home", "away", "p1", "p2", "draw", "over", "under"]
    team: str | None
    bet_type: str
    book: str
    line: float | None
    price: int
    stake_pct: float
    quote_age_seconds: int


class ArbitrageOpportunityRulesDifferItem(TypedDict):
    topic: Literal["overtime", "ties", "postponement_hours", "abandoned", "listed_pitchers", "minimum_minutes", "retirement", "second_half_overtime"]


class EventProbabilities(TypedDict):
    event_id: int
    available: bool
    """Whether a forecast from before the start is known."""
    status: Literal["scheduled", "delayed", "postponed", "inprogress", "suspended", "cancelled", "walkover", "final"]
    as_of: str | None
    outcomes: list[EventProbabilitiesOutcomesItem]
    """Of the moneyline."""
    spread: EventProbabilitiesSpread | None
    """At the closing line, or the present main line before the start; null without one."""
    total: EventProbabilitiesTotal | None
    model_version: str | None


class EventProbabilitiesOutcomesItem(TypedDict):
    outcome: Literal["home", "away", "draw", "player_1", "player_2", "over", "under"]
    pregame: float | None
    """The `probability` of the intelligence."""
    now: float | None
    """By the score and the time left: `pregame` before the start, 0 or 1 at the end; null if the event
    is cancelled or postponed, or this is not known.
    """


class EventProbabilitiesSpread(TypedDict):
    line: float
    """The home side’s or the first player’s point, or the total."""
    outcomes: list[EventProbabilitiesSpreadOutcomesItem]


class EventProbabilitiesSpreadOutcomesItem(TypedDict):
    outcome: Literal["home", "away", "draw", "player_1", "player_2", "over", "under"]
    pregame: float | None
    """The `probability` of the intelligence."""
    now: float | None
    """By the score and the time left: `pregame` before the start, 0 or 1 at the end; null if the event
    is cancelled or postponed, or this is not known.
    """


class EventProbabilitiesTotal(TypedDict):
    line: float
    """The home side’s or the first player’s point, or the total."""
    outcomes: list[EventProbabilitiesTotalOutcomesItem]


class EventProbabilitiesTotalOutcomesItem(TypedDict):
    outcome: Literal["home", "away", "draw", "player_1", "player_2", "over", "under"]
    pregame: float | None
    """The `probability` of the intelligence."""
    now: float | None
    """By the score and the time left: `pregame` before the start, 0 or 1 at the end; null if the event
    is cancelled or postponed, or this is not known.
    """


class RecordRow(TypedDict):
    league: str
    season: int
    model_version: str
    n: int
    """Games; below 30 of them the others are null."""
    log_loss: float | None
    brier: float | None
    slope: float | None
    intercept: float | None
    close: RecordRowClose | None
    """Of the closing fair probabilities, on those of the games that have one."""
    calibration: list[RecordRowCalibrationItem]
    blend: RecordRowBlend | None
    """Of the blends of both on the same games, each as it was known before the start."""


class RecordRowClose(TypedDict):
    n: int
    """Games; below 30 of them the others are null."""
    log_loss: float | None
    brier: float | None
    slope: float | None
    intercept: float | None


_RecordRowCalibrationItemWords = TypedDict("_RecordRowCalibrationItemWords", {"from": "float"})


class RecordRowCalibrationItem(_RecordRowCalibrationItemWords):
    to: float
    n: int
    predicted: float
    observed: float


class RecordRowBlend(TypedDict):
    n: int
    """Games; below 30 of them the others are null."""
    log_loss: float | None
    brier: float | None
    slope: float | None
    intercept: float | None


class RecordMonth(TypedDict):
    month: str
    n: int
    """Selections; below 30 of them the means are null."""
    clv: float | None
    """Closing line value: fair closing probability by that of the selection, less one."""
    clv_se: float | None
    hit_rate: float | None
    hit_rate_se: float | None
    best: RecordMonthBest
    """At the best price on offer at the moment of the selection."""
    follower: RecordMonthFollower
    """At the best price on the same line 60 s later."""


class RecordMonthBest(TypedDict):
    """At the best price on offer at the moment of the selection."""
    n: int
    """Selections for which a price was on offer."""
    profit: float | None
    """The mean, of one unit each."""
    profit_se: float | None
    drawdown: float
    """The deepest fall of the summed profit within the month, in units."""


class RecordMonthFollower(TypedDict):
    """At the best price on the same line 60 s later."""
    n: int
    """Selections for which a price was on offer."""
    profit: float | None
    """The mean, of one unit each."""
    profit_se: float | None
    drawdown: float
    """The deepest fall of the summed profit within the month, in units."""


class MarketQuality(TypedDict):
    league: str
    market: Literal["h2h", "spreads", "totals"]
    days: int
    books: list[BookQuality]


class BookQuality(TypedDict):
    bookmaker: str
    n: int
    """Events for which it had prices before the start."""
    best_share: float | None
    """Share of the time in which its price was the best one."""
    hold: float | None
    """Mean of 1 - 1/(sum of the implied probabilities)."""
    age_seconds: float | None
    """Mean age of its prices."""
    stale_share: float | None
    """Share of the time in which they were too old to count."""
    outlier_share: float | None
    """Share of its new prices far outside all others."""
    lead: BookQualityLead
    """By how much its moves go before those of the others; below 0 it follows. 95 %."""
    edge_half_life_seconds: float | None
    """After this time half of its prices better than fair are gone."""
    reaction: BookQualityReaction
    """Mean time to its next move after news, of moves within 30 minutes."""
    sources: list[BookQualitySourcesItem]
    """Decimal prices of this source relative to another one’s; the lower one is named first."""


class BookQualityLead(TypedDict):
    """By how much its moves go before those of the others; below 0 it follows. 95 %."""
    seconds: float | None
    n: int
    interval: list[float] | None


class BookQualityReaction(TypedDict):
    """Mean time to its next move after news, of moves within 30 minutes."""
    injury: BookQualityReactionInjury
    lineup: BookQualityReactionLineup


class BookQualityReactionInjury(TypedDict):
    seconds: float | None
    n: int


class BookQualityReactionLineup(TypedDict):
    seconds: float | None
    n: int


class BookQualitySourcesItem(TypedDict):
    source: str
    against: str
    n: int
    mean_difference: float


class Change(TypedDict):
    id: str
    type: Literal["score", "status", "line_move", "intelligence", "injury", "identity"]
    event_id: int | None
    sport: str
    league: str | None
    at: str
    """When observed."""
    recorded_at: str
    data: dict[str, Any]
    """As a webhook of this type has it."""


class TeamListItem(TypedDict):
    id: int
    slug: str
    name: str
    abbreviation: str | None
    image_url: str | None
    sport: str
    league: str
    conference: str | None
    division: str | None
    venue: TeamListItemVenue
    is_active: bool


class TeamListItemVenue(TypedDict):
    id: int | None
    name: str | None
    city: str | None


class Team(TypedDict):
    id: int
    slug: str
    name: str
    abbreviation: str | None
    image_url: str | None
    sport: str
    league: str
    conference: str | None
    division: str | None
    venue: TeamVenue
    is_active: bool
    short_name: str | None
    city: str | None
    state: str | None
    country_code: str | None


class TeamVenue(TypedDict):
    id: int | None
    name: str | None
    city: str | None


class Player(TypedDict):
    id: int
    slug: str
    full_name: str
    first_name: str | None
    last_name: str | None
    sport: str
    country_code: str | None
    birthdate: str | None
    position: str | None
    handedness: Literal["left", "right", "switch"] | None
    height_cm: float | None
    weight_kg: float | None
    tennis_ranking: int | None
    tennis_ranking_points: int | None
    current_team_id: int | None
    current_team_name: str | None
    is_active: bool
    retired_at: str | None
    image_url: str | None


class PlayerEvent(TypedDict):
    event_id: int
    starts_at: str
    """UTC, ISO 8601 with a trailing Z"""
    status: Literal["scheduled", "delayed", "postponed", "inprogress", "suspended", "cancelled", "walkover", "final"]
    sport: str
    competition: str
    venue: str | None
    venue_city: str | None
    role: Literal["player_1", "player_2", "home", "away"]
    result: Literal["win", "loss"] | None
    score: str | None
    opponent: PlayerEventOpponent


class PlayerEventOpponent(TypedDict):
    player_id: int | None
    name: str


class ResolvedTeam(TypedDict):
    status: Literal["resolved", "ambiguous", "not_found"]
    """ambiguous: several are left, or the one that is left is not sure enough."""
    team_id: int | None
    display_name: str | None
    abbreviation: str | None
    sport: str | None
    confidence: float
    """Of the best candidate, else 0. Fixed for each form, no probability."""
    match_reasons: list[str]
    """How the name fits, then the clues that fit. Empty unless resolved."""
    candidates: list[TeamCandidate]
    """The best 10 where it is ambiguous, else empty."""


class ResolvedPlayer(TypedDict):
    status: Literal["resolved", "ambiguous", "not_found"]
    """ambiguous: several are left, or the one that is left is not sure enough."""
    player_id: int | None
    display_name: str | None
    sport: str | None
    confidence: float
    """Of the best candidate, else 0. Fixed for each form, no probability."""
    match_reasons: list[str]
    """How the name fits, then the clues that fit. Empty unless resolved."""
    clues_used: list[Literal["sport", "team_id", "team_text", "event_id", "position"]]
    """The clues that were given."""
    candidates: list[PlayerCandidate]
    """The best 10 where it is ambiguous, else empty."""


class Mapping(TypedDict):
    type: Literal["event", "team", "player"]
    id: int
    sport: str
    league: str | None
    """Null in tennis, and where nobody tells."""
    name: str
    merged_from: list[int]
    """Ids merged into this one."""
    refs: list[MappingRefsItem]


class MappingRefsItem(TypedDict):
    source: str
    ref: str
    swapped: bool | None
    """It has the sides the other way round; null but for events."""
    recorded_at: str | None
    """When the ref was bound; null: nobody knows."""


class _OwnBetOptional(TypedDict, total=False):
    scope: Literal["1H", "2H", "Q1", "Q2", "Q3", "Q4", "P1", "P2", "P3", "F5", "S1"]
    """The part of the event; absent: all of it."""


class OwnBet(_OwnBetOptional):
    id: int
    event_id: int
    sport: str
    home_team: str | None
    away_team: str | None
    starts_at: str | None
    market_key: str
    side: Literal["home", "away", "over", "under", "draw"]
    line: float | None
    player_id: int | None
    team_id: int | None
    price: int
    stake: float
    book: str
    placed_at: str
    """UTC, ISO 8601 with a trailing Z"""
    created_at: str
    """UTC, ISO 8601 with a trailing Z"""
    grade: Literal["won", "lost", "over", "under", "push", "void", "in_progress", "dnp", "no_stat"] | None
    """As of the leg of a slip, by the facts known now."""
    message: str | None
    """Why it did not settle, or is void; `half won` and `half lost` of a quarter line."""
    closing_fair_price: int | None
    """The fair closing price in American odds; null before the start, and where the closing line is
    another.
    """
    clv: float | None
    """How much better the price was than the fair closing price, a fraction; null without one, and of
    a bet placed after the start.
    """
    profit: float | None
    """In the unit of the stake; null until it is settled."""
    decimal: float | None
    """The decimal odds that were given, by which it pays; null: it was given in American odds, and
    pays by `price`.
    """


_ListedExperimentWords = TypedDict("_ListedExperimentWords", {"from": "str"})


class ListedExperiment(_ListedExperimentWords):
    id: str
    hash: str
    """SHA-256 of the canonical JSON (RFC 8785) of the seven posted members."""
    posted_at: str
    """UTC, ISO 8601 with a trailing Z"""
    name: str | float | bool | list[Any] | dict[str, Any] | None
    """As it was posted."""
    policy: str | float | bool | list[Any] | dict[str, Any] | None
    """As it was posted."""
    cohort: str | float | bool | list[Any] | dict[str, Any] | None
    """As it was posted."""
    to: str
    gates: str | float | bool | list[Any] | dict[str, Any] | None
    """As it was posted."""
    seed: str | float | bool | list[Any] | dict[str, Any] | None
    """As it was posted."""
    state: Literal["open", "ended", "closed"]
    """`ended` ones are closed within minutes."""
    verdict: Literal["pass", "fail", "inconclusive"] | None
    """Null until it is closed."""


_ExperimentWords = TypedDict("_ExperimentWords", {"from": "str"})


class Experiment(_ExperimentWords):
    id: str
    hash: str
    """SHA-256 of the canonical JSON (RFC 8785) of the seven posted members."""
    posted_at: str
    """UTC, ISO 8601 with a trailing Z"""
    name: str | float | bool | list[Any] | dict[str, Any] | None
    """As it was posted."""
    policy: str | float | bool | list[Any] | dict[str, Any] | None
    """As it was posted."""
    cohort: str | float | bool | list[Any] | dict[str, Any] | None
    """As it was posted."""
    to: str
    gates: str | float | bool | list[Any] | dict[str, Any] | None
    """As it was posted."""
    seed: str | float | bool | list[Any] | dict[str, Any] | None
    """As it was posted."""
    state: Literal["open", "ended", "closed"]
    """`ended` ones are closed within minutes."""
    verdict: Literal["pass", "fail", "inconclusive"] | None
    """Null until it is closed."""
    ended_at: str | None
    closed_at: str | None
    until: str | None
    """Selections before this moment count: `to`, or when it was ended."""
    not_understood: list[str]
    """Members that the server keeps and does not understand: the verdict is inconclusive."""
    reasons: list[str]
    """Why it is inconclusive."""
    measures: ExperimentMeasures | None
    """Null until it is closed. `_se` are standard errors."""
    gates_measured: list[ExperimentGatesMeasuredItem]
    selections: list[ExperimentSelection]
    """Every one that counts, in order; empty until it is closed."""
    exclusions: list[ExperimentExclusionsItem]
    left_out: int
    """Selections beyond the 1,500 that one keeps."""
    seal: ExperimentSeal | None
    """Its leaf in the seal of its day, and the salt that proves it; null where the salt is gone."""


class ExperimentMeasures(TypedDict):
    n: int
    n_clv: int
    clv: float | None
    clv_se: float | None
    hit_rate: float | None
    hit_rate_se: float | None
    profit: float | None
    profit_se: float | None
    drawdown: float
    """The deepest fall of the summed profit, in stakes."""


class ExperimentGatesMeasuredItem(TypedDict):
    gate: str
    limit: float
    measured: float | None
    verdict: Literal["pass", "fail", "inconclusive"]


class ExperimentExclusionsItem(TypedDict):
    event_id: int
    bet_type: str
    selected_at: str
    """UTC, ISO 8601 with a trailing Z"""
    reason: Literal["cancelled", "postponed", "not_settled", "push", "no_price"]


class ExperimentSeal(TypedDict):
    salt: str
    leaf: str


class ExperimentSelection(TypedDict):
    event_id: int
    sport: str
    league: str
    market: str
    bet_type: str
    line: float | None
    tier: str | None
    selected_at: str
    """UTC, ISO 8601 with a trailing Z"""
    probability: float
    fair_probability: float
    book: str
    price: float
    """The best price then, in American odds."""
    result: Literal["won", "lost"]
    profit: float
    """Of a stake of 1 at that price."""
    close: float | None
    clv: float | None
    """`close / fair_probability - 1`; null where `no_clv` says why."""
    no_clv: Literal["no_closing_price", "line_moved"] | None


class Webhook(TypedDict):
    id: int
    url: str
    """Without its secrets."""
    format: Literal["ledgerline", "discord", "slack", "telegram", "ntfy", "email"]
    event_types: list[Literal["score", "status", "line_move", "intelligence", "injury", "identity", "event_start", "event_final", "steam", "new_price", "ev", "arbitrage"]]
    sport: Literal["nfl", "nba", "mlb", "nhl", "ncaaf", "ncaab", "tennis", "soccer"] | None
    """Null: any that the key opens which made it."""
    event_id: int | None
    filter: dict[str, Any] | None
    """As it was given."""
    quiet: WebhookQuiet
    is_active: bool
    """False once it has ended: after a 410, 5 days of failures, or 3 refusals of a service."""


class WebhookQuiet(TypedDict):
    min_interval_seconds: int


class WebhookDelivery(TypedDict):
    id: int
    event_type: Literal["score", "status", "line_move", "intelligence", "injury", "identity", "event_start", "event_final", "steam", "new_price", "ev", "arbitrage", "test"]
    event_id: int | None
    """Null for a test."""
    attempt: int
    """From 1; a replay counts anew."""
    parent_delivery_id: int | None
    """The attempt that this one retried."""
    status_code: int | None
    """Null: there was no answer."""
    success: bool
    """The answer was 2xx."""
    error: str | None
    given_up: bool
    """It failed, and all retries are used up."""
    next_retry_at: str | None
    """Null once the retry has run, and where there is none."""
    delivered_at: str
    """UTC, ISO 8601 with a trailing Z"""


class ApiKey(TypedDict):
    id: int
    name: str
    prefix: str
    """What the key begins with, up to its dot."""
    scopes: list[str]
    created_at: str
    last_used_at: str | None
    """To the minute."""
    expires_at: str | None
    """From this time on the key opens nothing; null: never."""
    max_credits_a_day: int | None
    """Credits in 24 hours; null: no cap."""
    is_active: bool
    """False once it is revoked or has expired."""


class LedgerLine(TypedDict):
    id: int
    """Grows with time."""
    at: str
    """UTC, ISO 8601 with a trailing Z"""
    type: Literal["charge", "grant", "top_up", "expiry", "refund", "plan_change", "invoice_declined", "invoice_paid"]
    credits: float
    """The change of the balance; negative for a charge."""
    about: str | None
    """The operation of a charge, the name or reason of a grant."""
    request_id: str | None
    key_id: int | None
    """The key of a charge; null: a session, or none."""


class Link(TypedDict):
    id: int
    name: str | None
    url: str | None
    """The address; null in lists, since only its making shows it."""
    path: str
    """What it reads, with its query."""
    format: str
    created_at: str
    """UTC, ISO 8601 with a trailing Z"""
    expires_at: str | None
    """From this time on it opens nothing; null: never."""
    last_used_at: str | None
    uses: int
    """How often it was answered."""


class DeviceRequest(TypedDict):
    device_code: str
    """For the program: it fetches the key with it."""
    user_code: str
    """For the person: to be typed at `verification_uri`."""
    verification_uri: str
    interval: int
    """Seconds between two polls."""
    expires_in: int
    """Seconds."""


class TrialKey(TypedDict):
    id: int
    name: str
    key: str
    """The key itself, shown this once."""
    scopes: list[str]
    max_credits_a_day: int | None
    """Credits in 24 hours; null: no cap."""
    created_at: str
    expires_at: str | None
    """From this time on the key opens nothing; null: never."""


class _GetHealthAnswerOptional(TypedDict, total=False):
    reasons: list[Literal["backup", "clock", "disk", "engine", "feeds", "log_ahead", "read_model", "standby"]]
    """Why it is degraded, sorted; absent while it is not."""
    feeds: list[GetHealthAnswerFeedsItem]
    """Present where live connectors are set up. Counts are since the start."""
    backup: GetHealthAnswerBackup
    """Present where the server backs itself up."""
    standby: GetHealthAnswerStandby
    """Present where a standby follows the server, and at a standby."""
    simulated: Literal[True]
    """Present while simulated data is fed in."""


class GetHealthAnswer(_GetHealthAnswerOptional):
    status: Literal["ok", "degraded"]
    version: str
    time: str
    log: GetHealthAnswerLog
    quarantined: int
    """Messages of feeds that wait for something to become known, and are not in the log."""
    projections: list[GetHealthAnswerProjectionsItem]


class GetHealthAnswerLog(TypedDict):
    position: str
    """Position of the last record, in decimal."""


class GetHealthAnswerProjectionsItem(TypedDict):
    name: str
    position: str
    lag_events: int
    lag_seconds: float


class GetHealthAnswerFeedsItem(TypedDict):
    name: str
    state: Literal["starting", "ok", "refused", "failing", "drift", "exhausted", "standby"]
    last_success_at: str | None
    last_error_at: str | None
    last_error: GetHealthAnswerFeedsItemLastError | None
    lag_seconds: float | None
    """Since the last success."""
    requests: int
    failures: int
    messages: int
    rejected: int
    held: int
    flaps: int
    ahead: dict[str, Literal["day", "month"]] | None
    budget: GetHealthAnswerFeedsItemBudget | None
    """The provider's credits of a UTC day, where it counts them."""


class GetHealthAnswerFeedsItemLastError(TypedDict):
    code: str
    message: str


class GetHealthAnswerFeedsItemBudget(TypedDict):
    limit: float
    used: float
    remaining: float
    provider_remaining: float | None
    resets_at: str


class GetHealthAnswerBackup(TypedDict):
    """Present where the server backs itself up."""
    last_success_at: str | None
    """When it last held everything; null: not since the start."""
    lag_seconds: float
    """How long something has waited to be backed up."""
    problem: str | None
    """What is wrong with it, and what to do; null: nothing."""
    drill: GetHealthAnswerBackupDrill | None
    """When the newest backup was last restored to try it; null: it was not."""


class GetHealthAnswerBackupDrill(TypedDict):
    at: str
    age_seconds: float
    outcome: Literal["passed", "failed"]


class GetHealthAnswerStandby(TypedDict):
    """Present where a standby follows the server, and at a standby."""
    role: Literal["first", "standby"]
    lag_seconds: float | None
    """Of a standby: how old what it shows is."""
    lease_seconds: float | None
    """For how long the lease of the first is still good; null: none was seen."""


class ListSportsAnswer(TypedDict):
    sports: list[ListSportsAnswerSportsItem]
    total: int


class ListSportsAnswerSportsItem(TypedDict):
    id: int
    slug: str
    name: str
    is_team_sport: bool
    leagues: list[ListSportsAnswerSportsItemLeaguesItem]


class _ListSportsAnswerSportsItemLeaguesItemOptional(TypedDict, total=False):
    rules: ListSportsAnswerSportsItemLeaguesItemRules
    """How its games are played, where CONFIG gives the league rules of its own."""


class ListSportsAnswerSportsItemLeaguesItem(_ListSportsAnswerSportsItemLeaguesItemOptional):
    id: int
    slug: str
    name: str
    abbreviation: str
    league_type: Literal["team_league", "individual_tour", "tournament"]
    country_code: str | None
    """ISO alpha-3; null for leagues of no country."""
    current_season: ListSportsAnswerSportsItemLeaguesItemCurrentSeason | None


class ListSportsAnswerSportsItemLeaguesItemCurrentSeason(TypedDict):
    id: int
    year: int
    name: str
    phase: Literal["preseason", "regular_season", "playoffs"]
    start_date: str
    end_date: str


class _ListSportsAnswerSportsItemLeaguesItemRulesOptional(TypedDict, total=False):
    points: ListSportsAnswerSportsItemLeaguesItemRulesPoints
    """Of results in standings, where CONFIG says so. Shootouts count as overtime."""


class ListSportsAnswerSportsItemLeaguesItemRules(_ListSportsAnswerSportsItemLeaguesItemRulesOptional):
    """How its games are played, where CONFIG gives the league rules of its own."""
    periods: int
    period_minutes: int | None
    """By the clock; null without one."""
    overtime: Literal["none", "timed", "untimed"]
    overtime_minutes: int | None
    """Null unless the overtime is timed."""
    shootout: bool
    draws: bool
    """Whether a game may end level."""


class ListSportsAnswerSportsItemLeaguesItemRulesPoints(TypedDict):
    """Of results in standings, where CONFIG says so. Shootouts count as overtime."""
    win: int
    draw: int
    loss: int
    overtime_win: int
    overtime_loss: int


class ListBookmakersAnswer(TypedDict):
    bookmakers: list[Bookmaker]
    total: int


class ListSeasonsAnswer(TypedDict):
    seasons: list[Season]
    total: int


class ListEventsAnswer(TypedDict):
    events: list[EventListItem]
    total: int
    """Events on this page."""
    next_after_id: int | None


class QueryEventsAnswer(TypedDict):
    query: str
    """As sent."""
    interpreted: QueryEventsAnswerInterpreted
    """What was understood; null: nothing was said."""
    unrecognized_terms: list[str]
    """The words that were not understood, in lower case, each once."""
    candidates: list[QueryEventsAnswerCandidatesItem]
    """Names that may mean several, or none surely enough; then there are no events."""
    equivalent_request: str | None
    """The request with the same answer, to be followed for further pages; null where a name is
    ambiguous.
    """
    events: list[EventListItem]
    total: int
    """Events on this page."""
    next_after_id: int | None


_QueryEventsAnswerInterpretedWords = TypedDict("_QueryEventsAnswerInterpretedWords", {"from": "str | None"})


class QueryEventsAnswerInterpreted(_QueryEventsAnswerInterpretedWords):
    """What was understood; null: nothing was said."""
    sport: Literal["nfl", "nba", "mlb", "nhl", "ncaaf", "ncaab", "tennis", "soccer"] | None
    status: Literal["scheduled", "delayed", "postponed", "inprogress", "suspended", "cancelled", "walkover", "final"] | None
    date: str | None
    to: str | None
    limit: int | None
    league: str | None
    team_id: int | None
    player_id: int | None


class QueryEventsAnswerCandidatesItem(TypedDict):
    term: str
    type: Literal["team", "player"]
    candidates: list[TeamCandidate | PlayerCandidate]


class BatchGetEventsAnswer(TypedDict):
    events: list[EventDetail]
    not_found: list[int]
    """Ids of no event."""
    total: int


class GetOddsHistoryAnswer(TypedDict):
    event_id: int
    movements: list[OddsMovement]
    total: int
    """Movements in this answer."""


class GetFuturesHistoryAnswer(TypedDict):
    league: str
    season: int
    movements: list[FuturesMovement]
    total: int
    """Movements in this answer."""


class GetOddsSummaryAnswer(TypedDict):
    event_id: int
    available: bool
    bookmakers: list[GetOddsSummaryAnswerBookmakersItem]
    consensus: list[GetOddsSummaryAnswerConsensusItem]
    """Fair probabilities of the main line: the first that were known, and those at the start."""


class GetOddsSummaryAnswerBookmakersItem(TypedDict):
    bookmaker: str
    markets: list[GetOddsSummaryAnswerBookmakersItemMarketsItem]


class GetOddsSummaryAnswerBookmakersItemMarketsItem(TypedDict):
    key: Literal["h2h", "spreads", "totals", "h2h_3_way"]
    label: Literal["moneyline", "spread", "totals", "3-way moneyline"]
    outcomes: list[GetOddsSummaryAnswerBookmakersItemMarketsItemOutcomesItem]


class GetOddsSummaryAnswerBookmakersItemMarketsItemOutcomesItem(TypedDict):
    outcome: str
    open: SeenPrice | None
    close: SeenPrice | None
    high: SeenPrice | None
    low: SeenPrice | None
    current: PresentPrice | None


class GetOddsSummaryAnswerConsensusItem(TypedDict):
    key: Literal["h2h", "spreads", "totals", "h2h_3_way"]
    line: float | None
    outcomes: list[GetOddsSummaryAnswerConsensusItemOutcomesItem]


class GetOddsSummaryAnswerConsensusItemOutcomesItem(TypedDict):
    outcome: str
    open: float | None
    close: float | None


class ListCorrectionsAnswer(TypedDict):
    data: list[Correction]
    has_more: bool
    next_after_id: int | None


class ScanEvAnswer(TypedDict):
    sport: str
    league: str | None
    market: Literal["h2h", "spreads", "totals", "h2h_3_way"]
    min_ev: float
    max_ev: float
    book: str | None
    beta: Literal[True]
    opportunities: list[EvOpportunity]
    total: int
    by: Literal["fair", "blend"]


class ScanArbitrageAnswer(TypedDict):
    sport: str
    league: str | None
    market: Literal["h2h", "spreads", "totals", "h2h_3_way"] | None
    kind: Literal["arbitrage", "middle", "all"]
    min_profit: float
    max_age: float
    opportunities: list[ArbitrageOpportunity]
    total: int


class _ListForecastsAnswerOptional(TypedDict, total=False):
    learning: Literal[True]
    """Present while the results of a league of these events are still learned: its rows are missing."""


class ListForecastsAnswer(_ListForecastsAnswerOptional):
    sport: str
    date: str
    model_version: str
    reliability: Literal["emerging", "established"]
    wagers: list[ForecastWager]
    total: int


class _GetRecordAnswerOptional(TypedDict, total=False):
    months: list[RecordMonth]
    """With `by=month`, of all leagues of the sport: selections by the UTC month in which they settled."""


class GetRecordAnswer(_GetRecordAnswerOptional):
    sport: str
    league: str | None
    market: Literal["h2h", "spreads", "totals"]
    rows: list[RecordRow]
    total: int
    blend: GetRecordAnswerBlend
    """The weight of the forecast in the blends of this sport and market: the lower end of its
    interval, 0 below 500 games.
    """


class GetRecordAnswerBlend(TypedDict):
    """The weight of the forecast in the blends of this sport and market: the lower end of its
    interval, 0 below 500 games.
    """
    weight: float
    interval: list[float] | None
    n: int
    """Settled games with a forecast and a closing fair price."""


class ListChangesAnswer(TypedDict):
    changes: list[Change]
    next_after: str
    """For the next page."""
    has_more: bool
    """There may be more."""
    records_checked: int
    """How much of the log was looked through for this page."""


class ListTeamsAnswer(TypedDict):
    data: list[TeamListItem]
    has_more: bool
    next_after_id: int | None


class SearchPlayersAnswer(TypedDict):
    data: list[Player]
    has_more: bool
    next_after_id: int | None


class GetPlayerEventsAnswer(TypedDict):
    player_id: int
    data: list[PlayerEvent]
    has_more: bool
    next_after_id: int | None


class _ResolveTeamCluesOptional(TypedDict, total=False):
    sport: str | None
    league: str | None
    event_id: int | None
    player_id: int | None
    team_id: int | None


class ResolveTeamClues(_ResolveTeamCluesOptional):
    pass


class _ResolveTeamOptionsOptional(TypedDict, total=False):
    min_confidence: float | None
    """The confidence from which on the one candidate is resolved."""


class ResolveTeamOptions(_ResolveTeamOptionsOptional):
    pass


class _ResolvePlayerCluesOptional(TypedDict, total=False):
    sport: str | None
    team_id: int | None
    team_text: str | None
    event_id: int | None
    position: str | None


class ResolvePlayerClues(_ResolvePlayerCluesOptional):
    pass


class _ResolvePlayerOptionsOptional(TypedDict, total=False):
    min_confidence: float | None
    """The confidence from which on the one candidate is resolved."""
    mode: Literal["strict", "permissive", "ingest"] | None


class ResolvePlayerOptions(_ResolvePlayerOptionsOptional):
    pass


class ListMappingsAnswer(TypedDict):
    mappings: list[Mapping]
    total: int


class _GradeSlipLegsItemOptional(TypedDict, total=False):
    line: float | None
    """Signed to the side on spreads. Required but on h2h and h2h_3_way, which have none."""
    player_id: int | None
    team_id: int | None
    scope: Literal["1H", "2H", "Q1", "Q2", "Q3", "Q4", "P1", "P2", "P3", "F5", "S1"] | None
    price: int | None
    stake: float | None


class GradeSlipLegsItem(_GradeSlipLegsItemOptional):
    event_id: int
    """Id of the event."""
    market_key: str
    """`h2h` (or `moneyline`, `ml`), `h2h_3_way` (regular time, with a draw), `spreads` (`spread`),
    `totals` (`total`, `ou`), `team_total` (`team totals`, `tt`), else the name of a player’s
    statistic. Case does not count.
    """
    side: Literal["home", "away", "over", "under", "draw"]
    """`home` and `away` of h2h and spreads, `draw` of h2h and h2h_3_way, `over` and `under` of all
    else.
    """


class _GradeSlipCluesOptional(TypedDict, total=False):
    sport: str | None
    league: str | None
    event_id: int | None
    team_id: int | None
    team_text: str | None


class GradeSlipClues(_GradeSlipCluesOptional):
    pass


class _GradeSlipAnswerOptional(TypedDict, total=False):
    payout: float | None
    """What the stake of the parlay comes back as: 0 once a leg is lost, null while it is open or a
    price is unknown. Only where the slip has a stake.
    """
    rules: GradeSlipAnswerRules
    """The rule set that was asked for, where one was."""


class GradeSlipAnswer(_GradeSlipAnswerOptional):
    status: Literal["graded", "partial", "pending", "unmapped"]
    legs: list[GradeSlipAnswerLegsItem]
    summary: GradeSlipAnswerSummary
    branding: GradeSlipAnswerBranding
    honesty: GradeSlipAnswerHonesty
    slip_id: None
    receipt: GradeSlipAnswerReceipt | None
    """Of every charged grade. Its `position` is its own place in the log."""


class _GradeSlipAnswerLegsItemOptional(TypedDict, total=False):
    payout: float | None
    """What its stake comes back as, the stake included. Only where the leg has a stake."""


class GradeSlipAnswerLegsItem(_GradeSlipAnswerLegsItemOptional):
    result: Literal["won", "lost", "over", "under", "push", "void", "in_progress", "dnp", "no_stat"] | None
    """Null where the leg is unmapped."""
    result_detail: Literal["won", "half_won", "push", "void", "half_lost", "lost", "ungradeable"] | None
    """What it comes to for the side that was taken. Null until it is settled. `ungradeable`: its part
    of the event has no score.
    """
    payout_factor: float | None
    """What one unit of stake comes back as, from 0 to the decimal price. Null where it is won without
    a price.
    """
    current: float | None
    """The number that is compared with the line; null on h2h."""
    message: str | None
    """Why the leg did not settle, or is void."""
    market: GradeSlipAnswerLegsItemMarket
    resolve: GradeSlipAnswerLegsItemResolve
    team_resolve: GradeSlipAnswerLegsItemTeamResolve | None
    event_resolve: GradeSlipAnswerLegsItemEventResolve | None
    input: dict[str, Any]
    """The leg as it was sent, or as its text was read."""
    facts: list[GradeSlipAnswerLegsItemFactsItem]
    """The entries of the log that the result, or the present state, rests on."""


class _GradeSlipAnswerLegsItemMarketOptional(TypedDict, total=False):
    scope: Literal["1H", "2H", "Q1", "Q2", "Q3", "Q4", "P1", "P2", "P3", "F5", "S1"]
    """The part of the event; absent: all of it."""
    home_team: str
    """From here on: absent where unmapped."""
    away_team: str
    starts_at: str
    """UTC, ISO 8601 with a trailing Z"""
    home_score: float | None
    """The number that settles: of soccer that of 90 minutes, of tennis games. Null before the start."""
    away_score: float | None


class GradeSlipAnswerLegsItemMarket(_GradeSlipAnswerLegsItemMarketOptional):
    event_id: int | None
    market_key: str | None
    line: float | None
    """Null on h2h."""
    side: Literal["home", "away", "over", "under", "draw"] | None
    settleable: bool
    """The facts that settle the leg are there."""


class GradeSlipAnswerLegsItemResolve(TypedDict):
    status: Literal["resolved", "ambiguous", "not_found"] | None
    player_id: int | None
    display_name: str | None
    candidates: list[dict[str, Any]]


class GradeSlipAnswerLegsItemTeamResolve(TypedDict):
    status: Literal["resolved", "ambiguous", "not_found"]
    team_id: int | None
    display_name: str | None
    candidates: list[dict[str, Any]]


class GradeSlipAnswerLegsItemEventResolve(TypedDict):
    status: Literal["resolved", "ambiguous", "not_found"]
    event_id: int | None
    candidates: list[GradeSlipAnswerLegsItemEventResolveCandidatesItem]
    message: str | None


class GradeSlipAnswerLegsItemEventResolveCandidatesItem(TypedDict):
    event_id: int
    name: str
    starts_at: str
    """UTC, ISO 8601 with a trailing Z"""


class GradeSlipAnswerLegsItemFactsItem(TypedDict):
    position: str
    type: str
    source: str
    at: str
    recorded_at: str


class GradeSlipAnswerSummary(TypedDict):
    graded: int
    pending: int
    unmapped: int
    hits: int
    misses: int
    pushes: int
    voids: int


class GradeSlipAnswerBranding(TypedDict):
    name: str
    url: str
    attribution: str


class GradeSlipAnswerHonesty(TypedDict):
    rules_version: str
    house_rules: dict[str, list[str]]
    """By sport."""
    not_graded: list[str]
    note: str


class GradeSlipAnswerRules(TypedDict):
    """The rule set that was asked for, where one was."""
    book: str
    exchange: bool
    source: str
    date: str


class GradeSlipAnswerReceipt(TypedDict):
    id: str
    graded_at: str
    """UTC, ISO 8601 with a trailing Z"""
    position: str


class GetGradeReceiptAnswer(TypedDict):
    id: str
    graded_at: str
    """UTC, ISO 8601 with a trailing Z"""
    position: str
    as_of: str | None
    as_of_basis: Literal["recorded", "observed"]
    request: dict[str, Any]
    """The slip as it was understood."""
    result: dict[str, Any]
    """The answer as `grade_slip` gave it."""
    seal: GetGradeReceiptAnswerSeal | None
    """Its leaf in the seal of its day, and the salt that proves it; null where it was not sealed."""
    superseded: bool
    """Graded now, a leg that was settled has another result."""
    superseded_by: GetGradeReceiptAnswerSupersededBy | None


class GetGradeReceiptAnswerSeal(TypedDict):
    salt: str
    leaf: str


class GetGradeReceiptAnswerSupersededBy(TypedDict):
    recorded_at: str
    """UTC, ISO 8601 with a trailing Z"""
    legs: list[GetGradeReceiptAnswerSupersededByLegsItem]


_GetGradeReceiptAnswerSupersededByLegsItemWords = TypedDict("_GetGradeReceiptAnswerSupersededByLegsItemWords", {"from": "Literal[\"won\", \"lost\", \"over\", \"under\", \"push\", \"void\", \"in_progress\", \"dnp\", \"no_stat\", \"half_won\", \"half_lost\"] | None"})


class GetGradeReceiptAnswerSupersededByLegsItem(_GetGradeReceiptAnswerSupersededByLegsItemWords):
    leg: int
    """From 0."""
    to: Literal["won", "lost", "over", "under", "push", "void", "in_progress", "dnp", "no_stat", "half_won", "half_lost"] | None
    facts: list[GetGradeReceiptAnswerSupersededByLegsItemFactsItem]
    """The entries of the log that changed it."""


class GetGradeReceiptAnswerSupersededByLegsItemFactsItem(TypedDict):
    position: str
    type: str
    source: str
    at: str
    recorded_at: str


class _AddBetsBetsItemOptional(TypedDict, total=False):
    event_id: int
    """Id of the event."""
    market_key: str
    """`h2h` (or `moneyline`, `ml`), `h2h_3_way` (regular time, with a draw), `spreads` (`spread`),
    `totals` (`total`, `ou`), `team_total` (`team totals`, `tt`), else the name of a player’s
    statistic. Case does not count.
    """
    side: Literal["home", "away", "over", "under", "draw"]
    """`home` and `away` of h2h and spreads, `draw` of h2h and h2h_3_way, `over` and `under` of all
    else.
    """
    line: float | None
    """Signed to the side on spreads. Required but on h2h and h2h_3_way, which have none."""
    player_id: int | None
    team_id: int | None
    scope: Literal["1H", "2H", "Q1", "Q2", "Q3", "Q4", "P1", "P2", "P3", "F5", "S1"] | None
    text: str | None
    clues: AddBetsBetsItemClues | None
    """They limit what `text` means."""
    decimal: float | None
    """The same price in decimal odds, where it was taken so: the bet then pays by it, and `price` is
    it in American odds, rounded.
    """


class AddBetsBetsItem(_AddBetsBetsItemOptional):
    price: int
    """The price that was taken, in American odds."""
    stake: float
    """In a unit of one’s own."""
    book: str
    """Where it was placed: a bookmaker’s slug, or any name."""
    placed_at: str | dt.datetime
    """When it was placed; not in the future. Words for days in `text` are relative to it."""


class _AddBetsBetsItemCluesOptional(TypedDict, total=False):
    sport: str | None
    league: str | None
    event_id: int | None
    team_id: int | None
    team_text: str | None


class AddBetsBetsItemClues(_AddBetsBetsItemCluesOptional):
    pass


class AddBetsAnswer(TypedDict):
    bets: list[AddBetsAnswerBetsItem]
    """In the order in which they were given."""


class AddBetsAnswerBetsItem(TypedDict):
    id: int


class ListBetsAnswer(TypedDict):
    bets: list[OwnBet]
    next_after_id: int | None


class SummarizeBetsAnswer(TypedDict):
    by: Literal["book", "sport", "market", "month"]
    rows: list[SummarizeBetsAnswerRowsItem]
    total: SummarizeBetsAnswerTotal


class SummarizeBetsAnswerRowsItem(TypedDict):
    key: str
    bets: int
    staked: float
    """Stakes of all of them, also of those that are not settled."""
    profit: float | None
    """Of those that are settled; null: none is."""
    clv: float | None
    """The mean of those that have one; null: none has."""


class SummarizeBetsAnswerTotal(TypedDict):
    bets: int
    staked: float
    """Stakes of all of them, also of those that are not settled."""
    profit: float | None
    """Of those that are settled; null: none is."""
    clv: float | None
    """The mean of those that have one; null: none has."""


class CreateExperimentAnswer(TypedDict):
    id: str
    hash: str
    """SHA-256 of the canonical JSON (RFC 8785) of the seven members."""


class ListExperimentsAnswer(TypedDict):
    experiments: list[ListedExperiment]
    total: int


class _EstimateCostCallsItemOptional(TypedDict, total=False):
    arguments: abc.Mapping[str, Any]
    """What the tool would be given: the members of path, query and body in one object."""


class EstimateCostCallsItem(_EstimateCostCallsItemOptional):
    tool: str
    """Name of the tool, as `GET /v1/estimate/tools` has it."""


class EstimateCostAnswer(TypedDict):
    estimates: list[EstimateCostAnswerEstimatesItem]
    total_min_credits: float
    total_max_credits: float


class EstimateCostAnswerEstimatesItem(TypedDict):
    tool: str
    min_credits: float
    """Of an answer. Errors cost nothing, and are not counted."""
    max_credits: float
    note: str
    """The price, in words."""


class ListEstimateToolsAnswer(TypedDict):
    tools: list[str]
    total: int


class _CreateWebhookFilterOptional(TypedDict, total=False):
    types: abc.Sequence[Literal["score", "status", "line_move", "intelligence", "injury", "identity", "event_start", "event_final", "steam", "new_price", "ev", "arbitrage"]]
    """In the place of `event_types`."""
    sports: abc.Sequence[str]
    """Slugs."""
    leagues: abc.Sequence[str]
    """Slugs."""
    event_ids: abc.Sequence[int]
    """Events."""
    team_ids: abc.Sequence[int]
    """Of either side."""
    player_ids: abc.Sequence[int]
    """Sides, or who is injured."""
    books: abc.Sequence[str]
    """In the place of the account’s list; or `all`."""
    bookmakers: abc.Sequence[str]
    """Holds back other prices alone."""
    markets: abc.Sequence[Literal["h2h", "spreads", "totals", "h2h_3_way"]]
    """Keys."""
    min_line_move: float
    """Points."""
    min_price_move: float
    """Points of implied probability."""
    min_ev_percent: float
    """Expected value."""
    by: Literal["fair", "blend"]
    """Judge of expected value."""
    min_severity: Literal["info", "material", "critical"]
    """Of injuries."""
    before_start_minutes: int
    """Only so shortly before the start."""
    score: Literal["any", "lead_change", "period_end", "final", "close_late"]
    """Moments of a game."""


class CreateWebhookFilter(_CreateWebhookFilterOptional):
    """All members must let a change pass."""


class CreateWebhookQuiet(TypedDict):
    """At most one message about an event in this time."""
    min_interval_seconds: int
    """Seconds; 30 for people."""


class CreateWebhookAnswer(TypedDict):
    id: int
    url: str
    """Without its secrets."""
    format: Literal["ledgerline", "discord", "slack", "telegram", "ntfy", "email"]
    event_types: list[Literal["score", "status", "line_move", "intelligence", "injury", "identity", "event_start", "event_final", "steam", "new_price", "ev", "arbitrage"]]
    sport: Literal["nfl", "nba", "mlb", "nhl", "ncaaf", "ncaab", "tennis", "soccer"] | None
    """Null: any that the key opens which made it."""
    event_id: int | None
    filter: dict[str, Any] | None
    """As it was given."""
    quiet: CreateWebhookAnswerQuiet
    signing_secret: str
    """`whsec_` and base64. Shown this once; stored encrypted."""
    is_active: bool
    """False once it has ended: after a 410, 5 days of failures, or 3 refusals of a service."""


class CreateWebhookAnswerQuiet(TypedDict):
    min_interval_seconds: int


class ListWebhooksAnswer(TypedDict):
    data: list[Webhook]


class ListWebhookDeliveriesAnswer(TypedDict):
    data: list[WebhookDelivery]
    next_after_id: int | None


class TestWebhookAnswer(TypedDict):
    webhook_id: str
    """The header `webhook-id` that the message comes with."""


class RotateWebhookSecretAnswer(TypedDict):
    signing_secret: str
    """`whsec_` and base64. Shown this once; stored encrypted."""


class ReplayWebhookAnswer(TypedDict):
    replayed: int
    """How many messages are sent again."""


class ListKeysAnswer(TypedDict):
    keys: list[ApiKey]
    total: int


class CreateKeyAnswer(TypedDict):
    id: int
    name: str
    key: str | None
    """The key itself, shown this once and stored nowhere. Null where the creation is repeated with its
    `Idempotency-Key`.
    """
    scopes: list[str]
    max_credits_a_day: int | None
    """Credits in 24 hours; null: no cap."""
    created_at: str


class GetCreditsAnswer(TypedDict):
    tier: str
    """Slug of the plan."""
    credits_used: float
    """On a plan with monthly credits: of this calendar month, in UTC."""
    credit_limit: float | None
    """What the plan gives; null: no limit."""
    bonus_credits: float
    """What was bought or given beside it."""
    total_remaining: float | None
    """credit_limit + bonus_credits - credits_used; null: no limit."""
    is_trial: bool
    is_trial_expired: bool


class ListCreditPacksAnswer(TypedDict):
    packs: list[ListCreditPacksAnswerPacksItem]
    total: int


class ListCreditPacksAnswerPacksItem(TypedDict):
    id: int
    name: str
    credits: int
    """They never expire."""
    price_cents: int
    """In the smallest unit of the currency."""
    currency: str
    """ISO 4217, in small letters."""


class TopUpCreditsAnswer(TypedDict):
    tier: str
    """Slug of the plan."""
    credits_used: float
    """On a plan with monthly credits: of this calendar month, in UTC."""
    credit_limit: float | None
    """What the plan gives; null: no limit."""
    bonus_credits: float
    """What was bought or given beside it."""
    total_remaining: float | None
    """credit_limit + bonus_credits - credits_used; null: no limit."""
    is_trial: bool
    is_trial_expired: bool


_GetUsageAnswerWords = TypedDict("_GetUsageAnswerWords", {"from": "str"})


class GetUsageAnswer(_GetUsageAnswerWords):
    to: str
    days: list[GetUsageAnswerDaysItem]
    endpoints: list[GetUsageAnswerEndpointsItem]
    keys: list[GetUsageAnswerKeysItem]


class GetUsageAnswerDaysItem(TypedDict):
    date: str
    calls: int
    errors: int
    credits: float


class GetUsageAnswerEndpointsItem(TypedDict):
    endpoint: str | None
    """Name of the operation; null: the requests matched none."""
    calls: int
    credits: float


class GetUsageAnswerKeysItem(TypedDict):
    key_id: int | None
    """Null: calls in sessions."""
    calls: int
    credits: float


class ListLedgerAnswer(TypedDict):
    data: list[LedgerLine]
    has_more: bool
    next_after_id: int | None


class ListLinksAnswer(TypedDict):
    links: list[Link]
    total: int


class GetMyBooksAnswer(TypedDict):
    my_books: list[str] | None
    """Slugs of bookmakers; null: no list, so every book counts."""


class PutMyBooksAnswer(TypedDict):
    my_books: list[str] | None
    """Slugs of bookmakers; null: no list, so every book counts."""
