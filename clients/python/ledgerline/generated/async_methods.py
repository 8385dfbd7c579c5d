# Made by `npm run client` from the OpenAPI document. Changes belong to the operations.
"""The operations as coroutines."""

from __future__ import annotations

import datetime as dt
from abc import ABC, abstractmethod
from collections import abc
from typing import TYPE_CHECKING, Any, Literal

from .._operation import Operation
from . import operations
from . import types as t

if TYPE_CHECKING:
    import pandas as pd


class AsyncCalls(ABC):
    """A method for each operation of the API."""

    @abstractmethod
    async def _call(
        self, operation: Operation, arguments: abc.Mapping[str, object], idempotency_key: str | None = None
    ) -> Any: ...

    async def get_health(
        self,
        *,
        fields: str | abc.Iterable[str] | None = None,
    ) -> t.GetHealthAnswer:
        """State of the server, of its log and of its read models.

        Free.

        Args:
            fields: The members of the answer to have, comma-separated; a dot leads into objects and
                lists. All others are left out, but for totals and cursors.
        """
        answer: t.GetHealthAnswer = await self._call(operations.GET_HEALTH, {"fields": fields})
        return answer

    async def list_sports(
        self,
        *,
        active_only: bool | None = None,
        fields: str | abc.Iterable[str] | None = None,
    ) -> t.ListSportsAnswer:
        """Sports with their leagues.

        Gives the slugs that the other operations filter by. 1 credit.

        Args:
            active_only: Only sports with an event within 180 days, past or to come. Default: True.
            fields: The members of the answer to have, comma-separated; a dot leads into objects and
                lists. All others are left out, but for totals and cursors.
        """
        answer: t.ListSportsAnswer = await self._call(operations.LIST_SPORTS, {"active_only": active_only, "fields": fields})
        return answer

    async def list_bookmakers(
        self,
        *,
        fields: str | abc.Iterable[str] | None = None,
    ) -> t.ListBookmakersAnswer:
        """Bookmakers, exchanges and prediction markets, with their types and weights.

        Gives the slugs that other operations filter by. Free.

        Args:
            fields: The members of the answer to have, comma-separated; a dot leads into objects and
                lists. All others are left out, but for totals and cursors.
        """
        answer: t.ListBookmakersAnswer = await self._call(operations.LIST_BOOKMAKERS, {"fields": fields})
        return answer

    async def list_seasons(
        self,
        *,
        sport: str | None = None,
        current_only: bool | None = None,
        fields: str | abc.Iterable[str] | None = None,
    ) -> t.ListSeasonsAnswer:
        """Seasons, the current ones unless told.

        Its ids go into `season_id` of `list_events`. 1 credit.

        Args:
            sport: Sport slug; an unknown one gives an empty list.
            current_only: Only seasons that today lies within. Default: True.
            fields: The members of the answer to have, comma-separated; a dot leads into objects and
                lists. All others are left out, but for totals and cursors.
        """
        answer: t.ListSeasonsAnswer = await self._call(operations.LIST_SEASONS, {
            "sport": sport,
            "current_only": current_only,
            "fields": fields,
        })
        return answer

    async def get_standings(
        self,
        slug: str,
        *,
        season: int | None = None,
        as_of: str | dt.datetime | None = None,
        as_of_basis: Literal["recorded", "observed"] | None = None,
        fields: str | abc.Iterable[str] | None = None,
    ) -> t.Standings:
        """The table of a season, as of any moment.

        By its own tie-breaks. 1 credit.

        Args:
            slug: League slug.
            season: The year in which the season starts; default: the season of the day.
            as_of: The answer of this UTC time (ISO 8601 with Z), not in the future.
            as_of_basis: By when the server learned a fact, or its source observed it. Default:
                "recorded".
            fields: The members of the answer to have, comma-separated; a dot leads into objects and
                lists. All others are left out, but for totals and cursors.
        """
        answer: t.Standings = await self._call(operations.GET_STANDINGS, {
            "slug": slug,
            "season": season,
            "as_of": as_of,
            "as_of_basis": as_of_basis,
            "fields": fields,
        })
        return answer

    async def list_events(
        self,
        *,
        sport: str | None = None,
        league: str | None = None,
        status: Literal["scheduled", "delayed", "postponed", "inprogress", "suspended", "cancelled", "walkover", "final"] | None = None,
        date: str | dt.date | None = None,
        from_: str | dt.date | None = None,
        to: str | dt.date | None = None,
        season_id: int | None = None,
        team_id: int | None = None,
        after_id: int | None = None,
        limit: int | None = None,
        include_scores: bool | None = None,
        has_recommend: bool | None = None,
        sort: Literal["time", "status"] | None = None,
        fields: str | abc.Iterable[str] | None = None,
    ) -> t.ListEventsAnswer:
        """Events by start, filtered by sport, league, status, dates, season or team.

        Start here to find an event’s id. Scores only with `include_scores`, at most 20 such calls a
        minute together with `get_live_score`. 1 credit.

        Args:
            sport: Sport slug; an unknown one gives an empty list.
            league: League slug.
            status: Event status.
            date: A UTC date; not together with `from` or `to`.
            from_: First UTC date.
            to: Last UTC date; at most 90 days behind `from`.
            season_id: Id of a season.
            team_id: Id of a team.
            after_id: Cursor: `next_after_id` of the page before.
            limit: How many to answer at most. Default: 25.
            include_scores: Adds the score and the participants to every event. Default: False.
            has_recommend: true keeps only events with a recommended bet.
            sort: `time`, or `status`: live, delayed or upcoming, final, cancelled or postponed.
                Default: "time".
            fields: The members of the answer to have, comma-separated; a dot leads into objects and
                lists. All others are left out, but for totals and cursors.
        """
        answer: t.ListEventsAnswer = await self._call(operations.LIST_EVENTS, {
            "sport": sport,
            "league": league,
            "status": status,
            "date": date,
            "from": from_,
            "to": to,
            "season_id": season_id,
            "team_id": team_id,
            "after_id": after_id,
            "limit": limit,
            "include_scores": include_scores,
            "has_recommend": has_recommend,
            "sort": sort,
            "fields": fields,
        })
        return answer

    async def query_events(
        self,
        *,
        query: str,
        limit: int | None = None,
        fields: str | None = None,
    ) -> t.QueryEventsAnswer:
        """Events that a short English text asks for, read by fixed rules; what is not understood is
        told.

        Who knows what to filter by takes `list_events`. 1 credit.

        Args:
            query: What to look for: words for a sport, a league, a status, days, a number, and a
                team or player, in any order.
            limit: How many to answer at most, whatever the text says.
            fields: The members of the answer to have, comma-separated; a dot leads into objects and
                lists. All others are left out, but for totals and cursors.
        """
        answer: t.QueryEventsAnswer = await self._call(operations.QUERY_EVENTS, {
            "query": query,
            "limit": limit,
            "fields": fields,
        })
        return answer

    async def get_event(
        self,
        id: int,
        *,
        include_odds: bool | None = None,
        include_intelligence: bool | None = None,
        include_alts: bool | None = None,
        bookmaker: str | abc.Iterable[str] | None = None,
        as_of: str | dt.datetime | None = None,
        as_of_basis: Literal["recorded", "observed"] | None = None,
        fields: str | abc.Iterable[str] | None = None,
    ) -> t.EventDetail:
        """One event, with its score; its odds and intelligence on request.

        For several events `batch_get_events` is one call; for the score alone take
        `get_live_score`. 1 credit, and 1 for each of `include_odds` and `include_intelligence`
        whose data is available.

        Args:
            id: Id of the event.
            include_odds: Adds the odds; one credit more when there are any. Default: False.
            include_intelligence: Adds the intelligence; one credit more when there is any. Default:
                False.
            include_alts: With `include_odds`: adds alternate spread and total rungs. Default:
                False.
            bookmaker: A bookmaker’s slug, `all`, or a comma-separated list. Default: "pinnacle".
            as_of: The answer of this UTC time (ISO 8601 with Z), not in the future.
            as_of_basis: By when the server learned a fact, or its source observed it. Default:
                "recorded".
            fields: The members of the answer to have, comma-separated; a dot leads into objects and
                lists. All others are left out, but for totals and cursors.
        """
        answer: t.EventDetail = await self._call(operations.GET_EVENT, {
            "id": id,
            "include_odds": include_odds,
            "include_intelligence": include_intelligence,
            "include_alts": include_alts,
            "bookmaker": bookmaker,
            "as_of": as_of,
            "as_of_basis": as_of_basis,
            "fields": fields,
        })
        return answer

    async def batch_get_events(
        self,
        *,
        event_ids: abc.Sequence[int],
        include_odds: bool | None = None,
        include_intelligence: bool | None = None,
        bookmaker: str | None = None,
        as_of: str | dt.datetime | None = None,
        as_of_basis: Literal["recorded", "observed"] | None = None,
        fields: str | None = None,
    ) -> t.BatchGetEventsAnswer:
        """Up to 25 events at once, each billed once; unknown ids are free.

        Takes the place of many `get_event`; `not_found` names the unknown ids. The sum of its
        events; an id given twice is billed once, unknown ids are free.

        Args:
            event_ids: Ids of the events, in the order wanted.
            include_odds: Adds the odds. Default: False.
            include_intelligence: Adds the intelligence. Default: False.
            bookmaker: A bookmaker’s slug, `all`, or a comma-separated list. Default: "pinnacle".
            as_of: The answer of this UTC time (ISO 8601 with Z), not in the future.
            as_of_basis: By when the server learned a fact, or its source observed it. Default:
                "recorded".
            fields: The members of the answer to have, comma-separated; a dot leads into objects and
                lists. All others are left out, but for totals and cursors.
        """
        answer: t.BatchGetEventsAnswer = await self._call(operations.BATCH_GET_EVENTS, {
            "event_ids": event_ids,
            "include_odds": include_odds,
            "include_intelligence": include_intelligence,
            "bookmaker": bookmaker,
            "as_of": as_of,
            "as_of_basis": as_of_basis,
            "fields": fields,
        })
        return answer

    async def get_live_score(
        self,
        id: int,
        *,
        as_of: str | dt.datetime | None = None,
        as_of_basis: Literal["recorded", "observed"] | None = None,
        fields: str | abc.Iterable[str] | None = None,
    ) -> t.ScoreSnapshot:
        """The score of one event.

        At most 20 polls a minute for each key; names, venue and season are in `get_event`. 1
        credit.

        Args:
            id: Id of the event.
            as_of: The answer of this UTC time (ISO 8601 with Z), not in the future.
            as_of_basis: By when the server learned a fact, or its source observed it. Default:
                "recorded".
            fields: The members of the answer to have, comma-separated; a dot leads into objects and
                lists. All others are left out, but for totals and cursors.
        """
        answer: t.ScoreSnapshot = await self._call(operations.GET_LIVE_SCORE, {
            "id": id,
            "as_of": as_of,
            "as_of_basis": as_of_basis,
            "fields": fields,
        })
        return answer

    async def get_odds(
        self,
        id: int,
        *,
        bookmaker: str | abc.Iterable[str] | None = None,
        include_depth: bool | None = None,
        as_of: str | dt.datetime | None = None,
        as_of_basis: Literal["recorded", "observed"] | None = None,
        fields: str | abc.Iterable[str] | None = None,
    ) -> t.Odds:
        """The prices of one bookmaker, several, or all on one event.

        One bookmaker, unless told, is `pinnacle`. How prices moved is in `get_odds_history`. 1
        credit for one bookmaker, 2 for several or all; free while nothing is available.

        Args:
            id: Id of the event.
            bookmaker: A bookmaker’s slug, `all`, or a comma-separated list. Default: "pinnacle".
            include_depth: Also the order books of exchanges: bids, asks, last price, volume, fee.
                Default: False.
            as_of: The answer of this UTC time (ISO 8601 with Z), not in the future.
            as_of_basis: By when the server learned a fact, or its source observed it. Default:
                "recorded".
            fields: The members of the answer to have, comma-separated; a dot leads into objects and
                lists. All others are left out, but for totals and cursors.
        """
        answer: t.Odds = await self._call(operations.GET_ODDS, {
            "id": id,
            "bookmaker": bookmaker,
            "include_depth": include_depth,
            "as_of": as_of,
            "as_of_basis": as_of_basis,
            "fields": fields,
        })
        return answer

    async def get_odds_history(
        self,
        id: int,
        *,
        bookmaker: str | abc.Iterable[str] | None = None,
        market: Literal["h2h", "spreads", "totals", "h2h_3_way"] | None = None,
        limit: int | None = None,
        as_of: str | dt.datetime | None = None,
        as_of_basis: Literal["recorded", "observed"] | None = None,
        fields: str | abc.Iterable[str] | None = None,
    ) -> t.GetOddsHistoryAnswer:
        """The line movements of one event, newest first.

        For the prices that hold now take `get_odds`. 1 credit for one bookmaker, 2 for several or
        all.

        Args:
            id: Id of the event.
            bookmaker: A bookmaker’s slug, `all`, or a comma-separated list. Default: "pinnacle".
            market: Market; the main lines by default.
            limit: How many to answer at most. Default: 50.
            as_of: The answer of this UTC time (ISO 8601 with Z), not in the future.
            as_of_basis: By when the server learned a fact, or its source observed it. Default:
                "recorded".
            fields: The members of the answer to have, comma-separated; a dot leads into objects and
                lists. All others are left out, but for totals and cursors.
        """
        answer: t.GetOddsHistoryAnswer = await self._call(operations.GET_ODDS_HISTORY, {
            "id": id,
            "bookmaker": bookmaker,
            "market": market,
            "limit": limit,
            "as_of": as_of,
            "as_of_basis": as_of_basis,
            "fields": fields,
        })
        return answer

    async def get_futures(
        self,
        slug: str,
        *,
        season: int | None = None,
        market: str | None = None,
        as_of: str | dt.datetime | None = None,
        as_of_basis: Literal["recorded", "observed"] | None = None,
        fields: str | abc.Iterable[str] | None = None,
    ) -> t.Futures:
        """All bookmakers’ prices on how a season ends, as of any moment.

        1 credit.

        Args:
            slug: League slug.
            season: The year in which the season starts; default: the season of the day.
            market: One market, such as `winner`; default: all.
            as_of: The answer of this UTC time (ISO 8601 with Z), not in the future.
            as_of_basis: By when the server learned a fact, or its source observed it. Default:
                "recorded".
            fields: The members of the answer to have, comma-separated; a dot leads into objects and
                lists. All others are left out, but for totals and cursors.
        """
        answer: t.Futures = await self._call(operations.GET_FUTURES, {
            "slug": slug,
            "season": season,
            "market": market,
            "as_of": as_of,
            "as_of_basis": as_of_basis,
            "fields": fields,
        })
        return answer

    async def get_futures_history(
        self,
        slug: str,
        *,
        season: int | None = None,
        market: str | None = None,
        as_of: str | dt.datetime | None = None,
        as_of_basis: Literal["recorded", "observed"] | None = None,
        bookmaker: str | abc.Iterable[str] | None = None,
        limit: int | None = None,
        fields: str | abc.Iterable[str] | None = None,
    ) -> t.GetFuturesHistoryAnswer:
        """The movements of the prices on how a season ends, newest first.

        For the prices that hold now take `get_futures`. 1 credit for one bookmaker, 2 for several
        or all.

        Args:
            slug: League slug.
            season: The year in which the season starts; default: the season of the day.
            market: One market, such as `winner`; default: all.
            as_of: The answer of this UTC time (ISO 8601 with Z), not in the future.
            as_of_basis: By when the server learned a fact, or its source observed it. Default:
                "recorded".
            bookmaker: A bookmaker’s slug, `all`, or a comma-separated list. Default: "pinnacle".
            limit: How many to answer at most. Default: 50.
            fields: The members of the answer to have, comma-separated; a dot leads into objects and
                lists. All others are left out, but for totals and cursors.
        """
        answer: t.GetFuturesHistoryAnswer = await self._call(operations.GET_FUTURES_HISTORY, {
            "slug": slug,
            "season": season,
            "market": market,
            "as_of": as_of,
            "as_of_basis": as_of_basis,
            "bookmaker": bookmaker,
            "limit": limit,
            "fields": fields,
        })
        return answer

    async def get_projections(
        self,
        slug: str,
        *,
        season: int | None = None,
        as_of: str | dt.datetime | None = None,
        as_of_basis: Literal["recorded", "observed"] | None = None,
        fields: str | abc.Iterable[str] | None = None,
    ) -> t.Projections:
        """How a season may end, by the own forecasts.

        1 credit; free while nothing is available.

        Args:
            slug: League slug.
            season: The year in which the season starts; default: the season of the day.
            as_of: The answer of this UTC time (ISO 8601 with Z), not in the future.
            as_of_basis: By when the server learned a fact, or its source observed it. Default:
                "recorded".
            fields: The members of the answer to have, comma-separated; a dot leads into objects and
                lists. All others are left out, but for totals and cursors.
        """
        answer: t.Projections = await self._call(operations.GET_PROJECTIONS, {
            "slug": slug,
            "season": season,
            "as_of": as_of,
            "as_of_basis": as_of_basis,
            "fields": fields,
        })
        return answer

    async def get_odds_summary(
        self,
        id: int,
        *,
        bookmaker: str | abc.Iterable[str] | None = None,
        books: str | abc.Iterable[str] | None = None,
        max_age: float | None = None,
        as_of: str | dt.datetime | None = None,
        as_of_basis: Literal["recorded", "observed"] | None = None,
        fields: str | abc.Iterable[str] | None = None,
    ) -> t.GetOddsSummaryAnswer:
        """Opening, closing, highest, lowest and present prices of one event, with the fair closing
        line.

        Each movement between them is in `get_odds_history`. 1 credit for one bookmaker, 2 for
        several or all; free while nothing is available.

        Args:
            id: Id of the event.
            bookmaker: A bookmaker’s slug, `all`, or a comma-separated list. Default: "pinnacle".
            books: Where you can bet: slugs, comma-separated; no other book is named. `all`: every
                book. Left out: the list of the account, if it has one.
            max_age: How old a price may be, in seconds; brought within 1 and 4500. Counts under a
                list of books alone, for `current`; 900 when left out.
            as_of: The answer of this UTC time (ISO 8601 with Z), not in the future.
            as_of_basis: By when the server learned a fact, or its source observed it. Default:
                "recorded".
            fields: The members of the answer to have, comma-separated; a dot leads into objects and
                lists. All others are left out, but for totals and cursors.
        """
        answer: t.GetOddsSummaryAnswer = await self._call(operations.GET_ODDS_SUMMARY, {
            "id": id,
            "bookmaker": bookmaker,
            "books": books,
            "max_age": max_age,
            "as_of": as_of,
            "as_of_basis": as_of_basis,
            "fields": fields,
        })
        return answer

    async def get_period_odds(
        self,
        id: int,
        *,
        include_alts: bool | None = None,
        include_forecast: bool | None = None,
        as_of: str | dt.datetime | None = None,
        as_of_basis: Literal["recorded", "observed"] | None = None,
        fields: str | abc.Iterable[str] | None = None,
    ) -> t.PeriodOdds:
        """Spreads and totals of the first half, the first five innings or the first set of one event,
        and their results.

        Not for nhl (400). Lines of the whole match are in `get_odds`. 1 credit; free while nothing
        is available.

        Args:
            id: Id of the event.
            include_alts: Adds the rungs beside the main lines. Default: False.
            include_forecast: Adds what the server’s own models, which see no price, expect of each
                line. Default: False.
            as_of: The answer of this UTC time (ISO 8601 with Z), not in the future.
            as_of_basis: By when the server learned a fact, or its source observed it. Default:
                "recorded".
            fields: The members of the answer to have, comma-separated; a dot leads into objects and
                lists. All others are left out, but for totals and cursors.
        """
        answer: t.PeriodOdds = await self._call(operations.GET_PERIOD_ODDS, {
            "id": id,
            "include_alts": include_alts,
            "include_forecast": include_forecast,
            "as_of": as_of,
            "as_of_basis": as_of_basis,
            "fields": fields,
        })
        return answer

    async def get_team_props(
        self,
        id: int,
        *,
        include_alts: bool | None = None,
        as_of: str | dt.datetime | None = None,
        as_of_basis: Literal["recorded", "observed"] | None = None,
        fields: str | abc.Iterable[str] | None = None,
    ) -> t.TeamProps:
        """Totals of each team of one event, with how they stand and their results.

        For nfl, ncaaf, mlb and soccer; 400 for other sports. 1 credit; free while nothing is
        available.

        Args:
            id: Id of the event.
            include_alts: Adds the rungs beside the main lines. Default: False.
            as_of: The answer of this UTC time (ISO 8601 with Z), not in the future.
            as_of_basis: By when the server learned a fact, or its source observed it. Default:
                "recorded".
            fields: The members of the answer to have, comma-separated; a dot leads into objects and
                lists. All others are left out, but for totals and cursors.
        """
        answer: t.TeamProps = await self._call(operations.GET_TEAM_PROPS, {
            "id": id,
            "include_alts": include_alts,
            "as_of": as_of,
            "as_of_basis": as_of_basis,
            "fields": fields,
        })
        return answer

    async def get_player_props(
        self,
        id: int,
        *,
        market: str | None = None,
        player_id: int | None = None,
        bookmaker: str | abc.Iterable[str] | None = None,
        include_alts: bool | None = None,
        as_of: str | dt.datetime | None = None,
        as_of_basis: Literal["recorded", "observed"] | None = None,
        fields: str | abc.Iterable[str] | None = None,
    ) -> t.PlayerProps:
        """Lines on what the players of one event make, with how they stand and their results.

        Not for tennis (400). Ids of players are in `search_players`. 1 credit; free while nothing
        is available.

        Args:
            id: Id of the event.
            market: Only the props of this statistic.
            player_id: Only the props of this player.
            bookmaker: A bookmaker’s slug, `all`, or a comma-separated list. Default: "all".
            include_alts: Adds the rungs beside the main lines. Default: False.
            as_of: The answer of this UTC time (ISO 8601 with Z), not in the future.
            as_of_basis: By when the server learned a fact, or its source observed it. Default:
                "recorded".
            fields: The members of the answer to have, comma-separated; a dot leads into objects and
                lists. All others are left out, but for totals and cursors.
        """
        answer: t.PlayerProps = await self._call(operations.GET_PLAYER_PROPS, {
            "id": id,
            "market": market,
            "player_id": player_id,
            "bookmaker": bookmaker,
            "include_alts": include_alts,
            "as_of": as_of,
            "as_of_basis": as_of_basis,
            "fields": fields,
        })
        return answer

    async def get_splits(
        self,
        id: int,
        *,
        as_of: str | dt.datetime | None = None,
        as_of_basis: Literal["recorded", "observed"] | None = None,
        fields: str | abc.Iterable[str] | None = None,
    ) -> t.Splits:
        """How the public bets on one event: shares of bets and of money.

        What the prices themselves are is in `get_odds`. 1 credit; free while nothing is available.

        Args:
            id: Id of the event.
            as_of: The answer of this UTC time (ISO 8601 with Z), not in the future.
            as_of_basis: By when the server learned a fact, or its source observed it. Default:
                "recorded".
            fields: The members of the answer to have, comma-separated; a dot leads into objects and
                lists. All others are left out, but for totals and cursors.
        """
        answer: t.Splits = await self._call(operations.GET_SPLITS, {
            "id": id,
            "as_of": as_of,
            "as_of_basis": as_of_basis,
            "fields": fields,
        })
        return answer

    async def get_stats(
        self,
        id: int,
        *,
        as_of: str | dt.datetime | None = None,
        as_of_basis: Literal["recorded", "observed"] | None = None,
        fields: str | abc.Iterable[str] | None = None,
    ) -> t.Statistics:
        """What both sides of one event did before it: form, strength, schedule, rates, head-to-head,
        rest.

        Nothing in it is later than the start of the event, except who plays and the players’ own
        box score. 1 credit; free while nothing is available.

        Args:
            id: Id of the event.
            as_of: The answer of this UTC time (ISO 8601 with Z), not in the future.
            as_of_basis: By when the server learned a fact, or its source observed it. Default:
                "recorded".
            fields: The members of the answer to have, comma-separated; a dot leads into objects and
                lists. All others are left out, but for totals and cursors.
        """
        answer: t.Statistics = await self._call(operations.GET_STATS, {
            "id": id,
            "as_of": as_of,
            "as_of_basis": as_of_basis,
            "fields": fields,
        })
        return answer

    async def get_injuries(
        self,
        id: int,
        *,
        exclude_status: str | abc.Iterable[str] | None = None,
        as_of: str | dt.datetime | None = None,
        as_of_basis: Literal["recorded", "observed"] | None = None,
        fields: str | abc.Iterable[str] | None = None,
    ) -> t.Injuries:
        """Who is injured or unavailable for one event, and when that was checked.

        `available` with an empty list: a source has looked, and nobody is out. 1 credit; free while
        nothing is available.

        Args:
            id: Id of the event.
            exclude_status: Comma-separated statuses to leave out, in any case.
            as_of: The answer of this UTC time (ISO 8601 with Z), not in the future.
            as_of_basis: By when the server learned a fact, or its source observed it. Default:
                "recorded".
            fields: The members of the answer to have, comma-separated; a dot leads into objects and
                lists. All others are left out, but for totals and cursors.
        """
        answer: t.Injuries = await self._call(operations.GET_INJURIES, {
            "id": id,
            "exclude_status": exclude_status,
            "as_of": as_of,
            "as_of_basis": as_of_basis,
            "fields": fields,
        })
        return answer

    async def list_corrections(
        self,
        *,
        sport: str | None = None,
        league: str | None = None,
        event_id: int | None = None,
        field: Literal["status", "score", "result", "starts_at"] | None = None,
        from_: str | dt.date | None = None,
        to: str | dt.date | None = None,
        after_id: int | None = None,
        limit: int | None = None,
        fields: str | abc.Iterable[str] | None = None,
    ) -> t.ListCorrectionsAnswer:
        """What sources took back: changes of status, score, result or start that no game makes, oldest
        first.

        Look here before you trust a result that was read earlier. 1 credit.

        Args:
            sport: Sport slug; an unknown one gives an empty list.
            league: League slug.
            event_id: Id of an event.
            field: What was corrected.
            from_: First UTC date of `recorded_at`; 30 days before `to` unless told.
            to: Last UTC date of `recorded_at`, at most 90 days behind `from`; today unless told.
            after_id: Cursor: `next_after_id` of the page before.
            limit: How many to answer at most. Default: 25.
            fields: The members of the answer to have, comma-separated; a dot leads into objects and
                lists. All others are left out, but for totals and cursors.
        """
        answer: t.ListCorrectionsAnswer = await self._call(operations.LIST_CORRECTIONS, {
            "sport": sport,
            "league": league,
            "event_id": event_id,
            "field": field,
            "from": from_,
            "to": to,
            "after_id": after_id,
            "limit": limit,
            "fields": fields,
        })
        return answer

    async def get_intelligence(
        self,
        id: int,
        *,
        as_of: str | dt.datetime | None = None,
        as_of_basis: Literal["recorded", "observed"] | None = None,
        fields: str | abc.Iterable[str] | None = None,
    ) -> t.Intelligence:
        """What one event’s bets are worth: fair probabilities, price gaps, expected value, and facts
        of both sides.

        The same for whichever bookmaker is asked for. From the start of the event on it stands
        still. 1 credit; free while nothing is available.

        Args:
            id: Id of the event.
            as_of: The answer of this UTC time (ISO 8601 with Z), not in the future.
            as_of_basis: By when the server learned a fact, or its source observed it. Default:
                "recorded".
            fields: The members of the answer to have, comma-separated; a dot leads into objects and
                lists. All others are left out, but for totals and cursors.
        """
        answer: t.Intelligence = await self._call(operations.GET_INTELLIGENCE, {
            "id": id,
            "as_of": as_of,
            "as_of_basis": as_of_basis,
            "fields": fields,
        })
        return answer

    async def scan_ev(
        self,
        *,
        sport: Literal["nfl", "nba", "mlb", "nhl", "ncaaf", "ncaab", "tennis", "soccer"],
        league: str | None = None,
        market: Literal["h2h", "spreads", "totals", "h2h_3_way"] | None = None,
        min_ev: float | None = None,
        book: str | None = None,
        books: str | abc.Iterable[str] | None = None,
        max_age: float | None = None,
        stake: float | None = None,
        by: Literal["fair", "blend"] | None = None,
        limit: int | None = None,
        fields: str | abc.Iterable[str] | None = None,
    ) -> t.ScanEvAnswer:
        """Main-line prices of a sport’s events to come that are better than fair, by expected value.

        Fair is what reference bookmakers’ prices say without their margin. EV beyond 25% is taken
        for a mistake, and left out. 1 credit.

        Args:
            sport: Sport slug.
            league: League slug; an unknown one gives an empty list.
            market: Market; tennis has no totals here, and no `h2h_3_way`, as soccer. Default:
                "h2h".
            min_ev: Least EV in percent; brought within 0 and 25. Default: 0.
            book: A bookmaker’s slug: only what this one offers.
            books: Where you can bet: slugs, comma-separated; no other book is named. `all`: every
                book. Left out: the list of the account, if it has one.
            max_age: How old a price may be, in seconds; brought within 1 and 4500. Left out: 900
                under a list of books, else 4500.
            stake: Stake of the bet, in money of the venue: an exchange counts with what it pays for
                it, fees included. Default: 100.
            by: What prices are judged by: the fair price, or its blend with the forecast. Default:
                "fair".
            limit: How many to answer at most. Default: 50.
            fields: The members of the answer to have, comma-separated; a dot leads into objects and
                lists. All others are left out, but for totals and cursors.
        """
        answer: t.ScanEvAnswer = await self._call(operations.SCAN_EV, {
            "sport": sport,
            "league": league,
            "market": market,
            "min_ev": min_ev,
            "book": book,
            "books": books,
            "max_age": max_age,
            "stake": stake,
            "by": by,
            "limit": limit,
            "fields": fields,
        })
        return answer

    async def scan_arbitrage(
        self,
        *,
        sport: Literal["nfl", "nba", "mlb", "nhl", "ncaaf", "ncaab", "tennis", "soccer"],
        league: str | None = None,
        market: Literal["h2h", "spreads", "totals", "h2h_3_way"] | None = None,
        kind: Literal["arbitrage", "middle", "all"] | None = None,
        min_profit: float | None = None,
        books: str | abc.Iterable[str] | None = None,
        max_age: float | None = None,
        stake: float | None = None,
        limit: int | None = None,
        fields: str | abc.Iterable[str] | None = None,
    ) -> t.ScanArbitrageAnswer:
        """Prices of different bookmakers on a sport’s events to come that earn whatever happens, or in
        the middle.

        1 credit.

        Args:
            sport: Sport slug.
            league: League slug; an unknown one gives an empty list.
            market: Market; the main lines by default.
            kind: What to look for. Default: "arbitrage".
            min_profit: Least profit in percent, brought within 0 and 25. Without it middles that
                lose up to 10% when they miss are shown too.
            books: Where you can bet: slugs, comma-separated; no other book is named. `all`: every
                book. Left out: the list of the account, if it has one.
            max_age: How old a price may be, in seconds; brought within 1 and 4500. Default: 900.
            stake: Stake of all legs together, in money of the venue: an exchange counts with what
                it pays for it, fees included. Default: 100.
            limit: How many to answer at most. Default: 50.
            fields: The members of the answer to have, comma-separated; a dot leads into objects and
                lists. All others are left out, but for totals and cursors.
        """
        answer: t.ScanArbitrageAnswer = await self._call(operations.SCAN_ARBITRAGE, {
            "sport": sport,
            "league": league,
            "market": market,
            "kind": kind,
            "min_profit": min_profit,
            "books": books,
            "max_age": max_age,
            "stake": stake,
            "limit": limit,
            "fields": fields,
        })
        return answer

    async def list_forecasts(
        self,
        *,
        sport: Literal["nfl", "nba", "mlb", "nhl", "ncaaf", "ncaab", "tennis", "soccer"],
        date: str | dt.date | None = None,
        market: Literal["h2h", "spreads", "totals"] | None = None,
        limit: int | None = None,
        fields: str | abc.Iterable[str] | None = None,
    ) -> t.ListForecastsAnswer:
        """What the server’s own models, which see no price, expect of the events of a day, the surest
        first.

        Tennis and soccer by market, all other sports by player and statistic. Of a past day as it
        stood at the starts. 1 credit.

        Args:
            sport: Sport slug.
            date: A UTC date; today unless told.
            market: Only this market; of tennis and soccer.
            limit: How many to answer at most. Default: 25.
            fields: The members of the answer to have, comma-separated; a dot leads into objects and
                lists. All others are left out, but for totals and cursors.
        """
        answer: t.ListForecastsAnswer = await self._call(operations.LIST_FORECASTS, {
            "sport": sport,
            "date": date,
            "market": market,
            "limit": limit,
            "fields": fields,
        })
        return answer

    async def get_probabilities(
        self,
        id: int,
        *,
        as_of: str | dt.datetime | None = None,
        as_of_basis: Literal["recorded", "observed"] | None = None,
        fields: str | abc.Iterable[str] | None = None,
    ) -> t.EventProbabilities:
        """How likely each outcome of one event is now, while it is played, beside the forecast from
        before its start.

        From the server’s own forecast, the score and the time left; no price of the game counts. 1
        credit; free while nothing is available.

        Args:
            id: Id of the event.
            as_of: The answer of this UTC time (ISO 8601 with Z), not in the future.
            as_of_basis: By when the server learned a fact, or its source observed it. Default:
                "recorded".
            fields: The members of the answer to have, comma-separated; a dot leads into objects and
                lists. All others are left out, but for totals and cursors.
        """
        answer: t.EventProbabilities = await self._call(operations.GET_PROBABILITIES, {
            "id": id,
            "as_of": as_of,
            "as_of_basis": as_of_basis,
            "fields": fields,
        })
        return answer

    async def get_record(
        self,
        *,
        sport: Literal["nfl", "nba", "mlb", "nhl", "ncaaf", "ncaab", "tennis", "soccer"],
        league: str | None = None,
        market: Literal["h2h", "spreads", "totals"] | None = None,
        by: Literal["season", "month"] | None = None,
        books: str | None = None,
        fields: str | abc.Iterable[str] | None = None,
    ) -> t.GetRecordAnswer:
        """What the server’s own forecasts were worth, by league and season, beside the market’s close.

        Free.

        Args:
            sport: Sport slug.
            league: League slug; an unknown one gives an empty list.
            market: Market. Default: "h2h".
            by: `month` adds `months`; a table has them in the place of leagues and seasons.
                Default: "season".
            books: As in the scans. The record names no book and no price on offer, so a list
                changes nothing in it.
            fields: The members of the answer to have, comma-separated; a dot leads into objects and
                lists. All others are left out, but for totals and cursors.
        """
        answer: t.GetRecordAnswer = await self._call(operations.GET_RECORD, {
            "sport": sport,
            "league": league,
            "market": market,
            "by": by,
            "books": books,
            "fields": fields,
        })
        return answer

    async def get_market_quality(
        self,
        *,
        league: str,
        market: Literal["h2h", "spreads", "totals"] | None = None,
        days: int | None = None,
        fields: str | abc.Iterable[str] | None = None,
    ) -> t.MarketQuality:
        """How good each bookmaker’s market is: best prices, hold, age, who leads, and which source
        differs.

        Counts prices from before the start alone. 1 credit.

        Args:
            league: League slug.
            market: Market. Default: "h2h".
            days: Events that started within so many days before now. Default: 30.
            fields: The members of the answer to have, comma-separated; a dot leads into objects and
                lists. All others are left out, but for totals and cursors.
        """
        answer: t.MarketQuality = await self._call(operations.GET_MARKET_QUALITY, {
            "league": league,
            "market": market,
            "days": days,
            "fields": fields,
        })
        return answer

    async def list_changes(
        self,
        *,
        types: str | abc.Iterable[str] | None = None,
        sport: str | abc.Iterable[str] | None = None,
        league: str | abc.Iterable[str] | None = None,
        event_id: int | abc.Iterable[int] | None = None,
        bookmaker: str | abc.Iterable[str] | None = None,
        after: str | None = None,
        limit: int | None = None,
        fields: str | abc.Iterable[str] | None = None,
    ) -> t.ListChangesAnswer:
        """What has changed since a cursor, over all events.

        Without `after` it gives the cursor of now alone. Go on with `next_after`. 1 credit; free
        without changes but `identity`, unless more than 500 records were looked through.

        Args:
            types: Of score, status, line_move, intelligence, injury, identity, comma-separated.
            sport: Sport slugs, comma-separated.
            league: League slugs, comma-separated.
            event_id: Of one event, or of several.
            bookmaker: Slugs, comma-separated: line moves of these only; other types come anyhow.
            after: A change’s `id`, or `next_after`; 0: the beginning.
            limit: How many to answer at most. Default: 100.
            fields: The members of the answer to have, comma-separated; a dot leads into objects and
                lists. All others are left out, but for totals and cursors.
        """
        answer: t.ListChangesAnswer = await self._call(operations.LIST_CHANGES, {
            "types": types,
            "sport": sport,
            "league": league,
            "event_id": event_id,
            "bookmaker": bookmaker,
            "after": after,
            "limit": limit,
            "fields": fields,
        })
        return answer

    async def list_teams(
        self,
        *,
        sport: str | None = None,
        league: str | None = None,
        conference: str | None = None,
        division: str | None = None,
        country: str | None = None,
        q: str | None = None,
        active: bool | None = None,
        after_id: int | None = None,
        limit: int | None = None,
        fields: str | abc.Iterable[str] | None = None,
    ) -> t.ListTeamsAnswer:
        """Teams, in the order of their ids.

        Finds a team’s id by name with `q`. 1 credit.

        Args:
            sport: Sport slug; an unknown one gives an empty list.
            league: League slug.
            conference: Conference.
            division: Division.
            country: ISO country code.
            q: Part of a name, short name, abbreviation or alias.
            active: true or false; both where left out.
            after_id: Cursor: `next_after_id` of the page before.
            limit: How many to answer at most. Default: 25.
            fields: The members of the answer to have, comma-separated; a dot leads into objects and
                lists. All others are left out, but for totals and cursors.
        """
        answer: t.ListTeamsAnswer = await self._call(operations.LIST_TEAMS, {
            "sport": sport,
            "league": league,
            "conference": conference,
            "division": division,
            "country": country,
            "q": q,
            "active": active,
            "after_id": after_id,
            "limit": limit,
            "fields": fields,
        })
        return answer

    async def get_team(
        self,
        id: int,
        *,
        fields: str | abc.Iterable[str] | None = None,
    ) -> t.Team:
        """One team.

        Its events are in `list_events` with `team_id`. 1 credit.

        Args:
            id: Id of the team.
            fields: The members of the answer to have, comma-separated; a dot leads into objects and
                lists. All others are left out, but for totals and cursors.
        """
        answer: t.Team = await self._call(operations.GET_TEAM, {"id": id, "fields": fields})
        return answer

    async def search_players(
        self,
        *,
        sport: str | None = None,
        q: str | None = None,
        country: str | None = None,
        active: bool | None = None,
        ranked: bool | None = None,
        after_id: int | None = None,
        limit: int | None = None,
        fields: str | abc.Iterable[str] | None = None,
    ) -> t.SearchPlayersAnswer:
        """Players, in the order of their ids.

        Finds a player’s id by name with `q`. 1 credit.

        Args:
            sport: Sport slug; an unknown one gives an empty list.
            q: Part of the full name or an alias.
            country: ISO alpha-3 country code.
            active: true: active; false: retired; both where left out.
            ranked: true keeps only tennis players who are ranked now.
            after_id: Cursor: `next_after_id` of the page before.
            limit: How many to answer at most. Default: 25.
            fields: The members of the answer to have, comma-separated; a dot leads into objects and
                lists. All others are left out, but for totals and cursors.
        """
        answer: t.SearchPlayersAnswer = await self._call(operations.SEARCH_PLAYERS, {
            "sport": sport,
            "q": q,
            "country": country,
            "active": active,
            "ranked": ranked,
            "after_id": after_id,
            "limit": limit,
            "fields": fields,
        })
        return answer

    async def get_player(
        self,
        id: int,
        *,
        fields: str | abc.Iterable[str] | None = None,
    ) -> t.Player:
        """One player.

        The player’s matches are in `get_player_events`. 1 credit.

        Args:
            id: Id of the player.
            fields: The members of the answer to have, comma-separated; a dot leads into objects and
                lists. All others are left out, but for totals and cursors.
        """
        answer: t.Player = await self._call(operations.GET_PLAYER, {"id": id, "fields": fields})
        return answer

    async def get_player_events(
        self,
        id: int,
        *,
        status: Literal["scheduled", "delayed", "postponed", "inprogress", "suspended", "cancelled", "walkover", "final"] | None = None,
        from_: str | dt.date | None = None,
        to: str | dt.date | None = None,
        after_id: int | None = None,
        limit: int | None = None,
        fields: str | abc.Iterable[str] | None = None,
    ) -> t.GetPlayerEventsAnswer:
        """The events of one player, or of the player’s team, newest first.

        For a team’s events take `list_events` with `team_id`. 1 credit.

        Args:
            id: Id of the player.
            status: Event status.
            from_: First UTC date; 30 days ago unless told.
            to: Last UTC date; in 30 days unless told.
            after_id: Cursor: `next_after_id` of the page before.
            limit: How many to answer at most. Default: 25.
            fields: The members of the answer to have, comma-separated; a dot leads into objects and
                lists. All others are left out, but for totals and cursors.
        """
        answer: t.GetPlayerEventsAnswer = await self._call(operations.GET_PLAYER_EVENTS, {
            "id": id,
            "status": status,
            "from": from_,
            "to": to,
            "after_id": after_id,
            "limit": limit,
            "fields": fields,
        })
        return answer

    async def resolve_team(
        self,
        *,
        query: str | None = None,
        clues: t.ResolveTeamClues | None = None,
        options: t.ResolveTeamOptions | None = None,
        fields: str | None = None,
    ) -> t.ResolvedTeam:
        """The team that a name means, found by fixed rules and never guessed.

        Tells `ambiguous` with the candidates where more than one may be meant; `list_teams` lists
        them by part of a name. 1 credit.

        Args:
            query: see the reference.
            clues: What else is known. Each narrows, and none is overridden.
            options: How sure it must be.
            fields: The members of the answer to have, comma-separated; a dot leads into objects and
                lists. All others are left out, but for totals and cursors.
        """
        answer: t.ResolvedTeam = await self._call(operations.RESOLVE_TEAM, {
            "query": query,
            "clues": clues,
            "options": options,
            "fields": fields,
        })
        return answer

    async def resolve_player(
        self,
        *,
        query: str,
        clues: t.ResolvePlayerClues | None = None,
        options: t.ResolvePlayerOptions | None = None,
        fields: str | None = None,
    ) -> t.ResolvedPlayer:
        """The player whom a name means, found by fixed rules and never guessed.

        Tells `ambiguous` with the candidates where more than one may be meant; `search_players`
        lists them by part of a name. 1 credit.

        Args:
            query: What the player is called.
            clues: What else is known. Each narrows, and none is overridden.
            options: How sure it must be, and what else counts.
            fields: The members of the answer to have, comma-separated; a dot leads into objects and
                lists. All others are left out, but for totals and cursors.
        """
        answer: t.ResolvedPlayer = await self._call(operations.RESOLVE_PLAYER, {
            "query": query,
            "clues": clues,
            "options": options,
            "fields": fields,
        })
        return answer

    async def list_mappings(
        self,
        *,
        source: str | None = None,
        ref: str | None = None,
        id: int | None = None,
        type: Literal["event", "team", "player"] | None = None,
        sport: str | None = None,
        fields: str | abc.Iterable[str] | None = None,
    ) -> t.ListMappingsAnswer:
        """What each source calls an event, a team or a player: by one source’s id, or by the id here.

        For names take `resolve_team` and `resolve_player`. 1 credit.

        Args:
            source: Who has the ref.
            ref: The source’s own id.
            id: In the place of `source` and `ref`.
            type: Of what; required with `id`, else all.
            sport: Sport slug; an unknown one gives an empty list.
            fields: The members of the answer to have, comma-separated; a dot leads into objects and
                lists. All others are left out, but for totals and cursors.
        """
        answer: t.ListMappingsAnswer = await self._call(operations.LIST_MAPPINGS, {
            "source": source,
            "ref": ref,
            "id": id,
            "type": type,
            "sport": sport,
            "fields": fields,
        })
        return answer

    async def grade_slip(
        self,
        *,
        legs: abc.Sequence[t.GradeSlipLegsItem] | None = None,
        text: str | None = None,
        clues: t.GradeSlipClues | None = None,
        stake: float | None = None,
        price: int | None = None,
        rules: Literal["spec", "betmgm", "betonline", "bodog", "bookmaker", "draftkings", "ibetias", "kalshi", "pinnacle", "polymarket", "smarkets", "sportsbet_io", "thescore", "titanbet"] | None = None,
        as_of: str | dt.datetime | None = None,
        as_of_basis: Literal["recorded", "observed"] | None = None,
        fields: str | None = None,
        idempotency_key: str | None = None,
    ) -> t.GradeSlipAnswer:
        """Grades a bet slip of up to 8 legs, each from the facts in the log, with a receipt.

        Legs come structured, as text, or both; ids of events are in `list_events`, of players in
        `search_players`. 1 credit; free where no leg can be mapped to a bet.

        Args:
            legs: At most 8, those of `text` counted too. They come first in the answer.
            text: see the reference.
            clues: They limit the legs of `text`, never those of `legs`.
            stake: Of one parlay of all legs.
            price: Of the parlay, in American odds; default: that of its legs together.
            rules: see the reference.
            as_of: The answer of this UTC time (ISO 8601 with Z), not in the future.
            as_of_basis: By when the server learned a fact, or its source observed it. Default:
                "recorded".
            fields: The members of the answer to have, comma-separated; a dot leads into objects and
                lists. All others are left out, but for totals and cursors.
            idempotency_key: Names the call, so that it is repeated without harm, by this client or
                by you.
        """
        answer: t.GradeSlipAnswer = await self._call(operations.GRADE_SLIP, {
            "legs": legs,
            "text": text,
            "clues": clues,
            "stake": stake,
            "price": price,
            "rules": rules,
            "as_of": as_of,
            "as_of_basis": as_of_basis,
            "fields": fields,
        }, idempotency_key)
        return answer

    async def get_grade_receipt(
        self,
        id: str,
        *,
        fields: str | abc.Iterable[str] | None = None,
    ) -> t.GetGradeReceiptAnswer:
        """The receipt of a graded slip: what was asked and answered, and whether corrections have
        superseded it.

        Free.

        Args:
            id: Id of the receipt.
            fields: The members of the answer to have, comma-separated; a dot leads into objects and
                lists. All others are left out, but for totals and cursors.
        """
        answer: t.GetGradeReceiptAnswer = await self._call(operations.GET_GRADE_RECEIPT, {"id": id, "fields": fields})
        return answer

    async def add_bets(
        self,
        *,
        bets: abc.Sequence[t.AddBetsBetsItem],
        idempotency_key: str | None = None,
    ) -> t.AddBetsAnswer:
        """Keeps bets that the account has placed, up to 200 at once: all of them, or none.

        Each is judged as the leg of a slip is; `list_bets` has their grades. Also as `text/csv`
        with the same columns. Free.

        Args:
            bets: At most 200. All are taken, or none.
            idempotency_key: Names the call, so that it is repeated without harm, by this client or
                by you.
        """
        answer: t.AddBetsAnswer = await self._call(operations.ADD_BETS, {"bets": bets}, idempotency_key)
        return answer

    async def list_bets(
        self,
        *,
        after_id: int | None = None,
        from_: str | dt.date | None = None,
        to: str | dt.date | None = None,
        limit: int | None = None,
        fields: str | abc.Iterable[str] | None = None,
    ) -> t.ListBetsAnswer:
        """The account’s own bets, newest first, each with grade, fair closing price, closing value and
        profit.

        They are computed anew each time, so they follow corrections. Free.

        Args:
            after_id: Cursor: only bets with smaller ids.
            from_: Only bets placed on this UTC day or later.
            to: Only bets placed on this UTC day or earlier.
            limit: How many to answer at most. Default: 25.
            fields: The members of the answer to have, comma-separated; a dot leads into objects and
                lists. All others are left out, but for totals and cursors.
        """
        answer: t.ListBetsAnswer = await self._call(operations.LIST_BETS, {
            "after_id": after_id,
            "from": from_,
            "to": to,
            "limit": limit,
            "fields": fields,
        })
        return answer

    async def summarize_bets(
        self,
        *,
        by: Literal["book", "sport", "market", "month"],
        fields: str | abc.Iterable[str] | None = None,
    ) -> t.SummarizeBetsAnswer:
        """Stakes, profit and closing value of the account’s own bets, by book, sport, market or month.

        Free.

        Args:
            by: What the rows are of; `month` is that of `placed_at`, UTC.
            fields: The members of the answer to have, comma-separated; a dot leads into objects and
                lists. All others are left out, but for totals and cursors.
        """
        answer: t.SummarizeBetsAnswer = await self._call(operations.SUMMARIZE_BETS, {"by": by, "fields": fields})
        return answer

    async def delete_bet(
        self,
        id: int,
    ) -> None:
        """Deletes one of the account’s own bets.

        Free.

        Args:
            id: Id of the bet.
        """
        await self._call(operations.DELETE_BET, {"id": id})

    async def create_experiment(
        self,
        *,
        from_: str | dt.datetime,
        to: str | dt.datetime,
        name: str | float | bool | abc.Sequence[Any] | abc.Mapping[str, Any] | None = None,
        policy: str | float | bool | abc.Sequence[Any] | abc.Mapping[str, Any] | None = None,
        cohort: str | float | bool | abc.Sequence[Any] | abc.Mapping[str, Any] | None = None,
        gates: str | float | bool | abc.Sequence[Any] | abc.Mapping[str, Any] | None = None,
        seed: str | float | bool | abc.Sequence[Any] | abc.Mapping[str, Any] | None = None,
        idempotency_key: str | None = None,
    ) -> t.CreateExperimentAnswer:
        """Says beforehand what will be judged, and by which gates: published selections of a cohort
        between two times.

        It can never be changed or deleted; what is not understood is kept, and makes the verdict
        `inconclusive`. Free.

        Args:
            from_: When it begins: not in the past. UTC, ISO 8601.
            to: When it ends and is closed: after `from`, and at most 400 days later.
            name: What it is called: any JSON. Default: None.
            policy: Which bets are made: any JSON. Understood: `selections`, `stake`, `min_edge`.
                Default: None.
            cohort: Any JSON. Understood: `sport`, `league`, `market`, `tier`, each a value or a
                list. Default: None.
            gates: What decides: any JSON. Understood: `min_n` (default 30), `clv_above`,
                `profit_above`, `hit_rate_above`, `drawdown_below`, `standard_errors`. Default:
                None.
            seed: Any JSON. The server draws nothing at random; it keeps the seed. Default: None.
            idempotency_key: Names the call, so that it is repeated without harm, by this client or
                by you.
        """
        answer: t.CreateExperimentAnswer = await self._call(operations.CREATE_EXPERIMENT, {
            "from": from_,
            "to": to,
            "name": name,
            "policy": policy,
            "cohort": cohort,
            "gates": gates,
            "seed": seed,
        }, idempotency_key)
        return answer

    async def list_experiments(
        self,
        *,
        fields: str | abc.Iterable[str] | None = None,
    ) -> t.ListExperimentsAnswer:
        """The experiments of the account, the newest first, with their verdicts.

        Free.

        Args:
            fields: The members of the answer to have, comma-separated; a dot leads into objects and
                lists. All others are left out, but for totals and cursors.
        """
        answer: t.ListExperimentsAnswer = await self._call(operations.LIST_EXPERIMENTS, {"fields": fields})
        return answer

    async def get_experiment(
        self,
        id: str,
        *,
        fields: str | abc.Iterable[str] | None = None,
    ) -> t.Experiment:
        """An experiment as it was posted and, once it is closed, its selections, exclusions and
        verdict.

        Free.

        Args:
            id: Id of the experiment.
            fields: The members of the answer to have, comma-separated; a dot leads into objects and
                lists. All others are left out, but for totals and cursors.
        """
        answer: t.Experiment = await self._call(operations.GET_EXPERIMENT, {"id": id, "fields": fields})
        return answer

    async def end_experiment(
        self,
        id: str,
    ) -> t.Experiment:
        """Ends an experiment early: only selections until now count.

        One that has ended or is closed stays as it is. Free.

        Args:
            id: Id of the experiment.
        """
        answer: t.Experiment = await self._call(operations.END_EXPERIMENT, {"id": id})
        return answer

    async def estimate_cost(
        self,
        *,
        calls: abc.Sequence[t.EstimateCostCallsItem],
        fields: str | None = None,
    ) -> t.EstimateCostAnswer:
        """What calls would cost at least and at most, before they are made.

        Looks nothing up: what is left to spend is in `get_credits`. Free.

        Args:
            calls: The calls, in the order wanted; repeated ones count each time.
            fields: The members of the answer to have, comma-separated; a dot leads into objects and
                lists. All others are left out, but for totals and cursors.
        """
        answer: t.EstimateCostAnswer = await self._call(operations.ESTIMATE_COST, {"calls": calls, "fields": fields})
        return answer

    async def list_estimate_tools(
        self,
        *,
        fields: str | abc.Iterable[str] | None = None,
    ) -> t.ListEstimateToolsAnswer:
        """Names of the tools whose cost can be estimated.

        Free.

        Args:
            fields: The members of the answer to have, comma-separated; a dot leads into objects and
                lists. All others are left out, but for totals and cursors.
        """
        answer: t.ListEstimateToolsAnswer = await self._call(operations.LIST_ESTIMATE_TOOLS, {"fields": fields})
        return answer

    async def create_webhook(
        self,
        *,
        url: str,
        format: Literal["ledgerline", "discord", "slack", "telegram", "ntfy", "email"] | None = None,
        event_types: abc.Sequence[Literal["score", "status", "line_move", "intelligence", "injury", "identity", "event_start", "event_final", "steam", "new_price", "ev", "arbitrage"]] | None = None,
        sport: Literal["nfl", "nba", "mlb", "nhl", "ncaaf", "ncaab", "tennis", "soccer"] | None = None,
        event_id: int | None = None,
        filter: t.CreateWebhookFilter | None = None,
        quiet: t.CreateWebhookQuiet | None = None,
        idempotency_key: str | None = None,
    ) -> t.CreateWebhookAnswer:
        """Subscribes a URL to what happens from now on. Made with a scoped key, it is told of its
        sports only.

        Free.

        Args:
            url: Where messages go: HTTPS; its host must resolve, to public addresses alone.
                `email`: mailto: and the account’s verified address.
            format: `ledgerline` is signed JSON; the others are for people. Default: "ledgerline".
            event_types: Repeated ones count once. Deliveries of `injury` cost 0.5 credits each, the
                others nothing. Default: ["score","status"].
            sport: see the reference.
            event_id: see the reference.
            filter: see the reference.
            quiet: see the reference.
            idempotency_key: Names the call, so that it is repeated without harm, by this client or
                by you.
        """
        answer: t.CreateWebhookAnswer = await self._call(operations.CREATE_WEBHOOK, {
            "url": url,
            "format": format,
            "event_types": event_types,
            "sport": sport,
            "event_id": event_id,
            "filter": filter,
            "quiet": quiet,
        }, idempotency_key)
        return answer

    async def list_webhooks(
        self,
        *,
        fields: str | abc.Iterable[str] | None = None,
    ) -> t.ListWebhooksAnswer:
        """The subscriptions of the account, without their secrets; those that have ended too. A scoped
        key sees those that it could have made itself.

        Free.

        Args:
            fields: The members of the answer to have, comma-separated; a dot leads into objects and
                lists. All others are left out, but for totals and cursors.
        """
        answer: t.ListWebhooksAnswer = await self._call(operations.LIST_WEBHOOKS, {"fields": fields})
        return answer

    async def delete_webhook(
        self,
        id: int,
    ) -> None:
        """Ends a subscription. What it has not been told yet, it never will be.

        Free.

        Args:
            id: Id of the subscription.
        """
        await self._call(operations.DELETE_WEBHOOK, {"id": id})

    async def list_webhook_deliveries(
        self,
        id: int,
        *,
        after_id: int | None = None,
        limit: int | None = None,
        success: bool | None = None,
        given_up: bool | None = None,
        event_type: Literal["score", "status", "line_move", "intelligence", "injury", "identity", "event_start", "event_final", "steam", "new_price", "ev", "arbitrage"] | None = None,
        fields: str | abc.Iterable[str] | None = None,
    ) -> t.ListWebhookDeliveriesAnswer:
        """What was tried for a subscription in the last 30 days, and what came of it: one row for each
        attempt, newest first.

        Free.

        Args:
            id: Id of the subscription.
            after_id: Cursor: only attempts with smaller ids.
            limit: How many to answer at most. Default: 25.
            success: Whether it succeeded.
            given_up: Whether nothing was tried any more.
            event_type: Only those of one type.
            fields: The members of the answer to have, comma-separated; a dot leads into objects and
                lists. All others are left out, but for totals and cursors.
        """
        answer: t.ListWebhookDeliveriesAnswer = await self._call(operations.LIST_WEBHOOK_DELIVERIES, {
            "id": id,
            "after_id": after_id,
            "limit": limit,
            "success": success,
            "given_up": given_up,
            "event_type": event_type,
            "fields": fields,
        })
        return answer

    async def test_webhook(
        self,
        id: int,
        *,
        idempotency_key: str | None = None,
    ) -> t.TestWebhookAnswer:
        """Sends a message of the type `test`, signed and retried like any other.

        Free.

        Args:
            id: Id of the subscription.
            idempotency_key: Names the call, so that it is repeated without harm, by this client or
                by you.
        """
        answer: t.TestWebhookAnswer = await self._call(operations.TEST_WEBHOOK, {"id": id}, idempotency_key)
        return answer

    async def rotate_webhook_secret(
        self,
        id: int,
        *,
        idempotency_key: str | None = None,
    ) -> t.RotateWebhookSecretAnswer:
        """Makes a new secret. For 24 hours messages are signed with it and with the one before.

        Free.

        Args:
            id: Id of the subscription.
            idempotency_key: Names the call, so that it is repeated without harm, by this client or
                by you.
        """
        answer: t.RotateWebhookSecretAnswer = await self._call(operations.ROTATE_WEBHOOK_SECRET, {"id": id}, idempotency_key)
        return answer

    async def replay_webhook(
        self,
        id: int,
        *,
        from_: str | dt.datetime | None = None,
        after_delivery_id: int | None = None,
        idempotency_key: str | None = None,
    ) -> t.ReplayWebhookAnswer:
        """Sends messages of the last 7 days again, with the `webhook-id` and the body that they had.
        Takes `from` or `after_delivery_id`. One replay of a subscription at a time, and 5 in an
        hour.

        Free.

        Args:
            id: Id of the subscription.
            from_: Messages made at this UTC time (ISO 8601 with Z) or later.
            after_delivery_id: Messages made after the one of this attempt.
            idempotency_key: Names the call, so that it is repeated without harm, by this client or
                by you.
        """
        answer: t.ReplayWebhookAnswer = await self._call(operations.REPLAY_WEBHOOK, {
            "id": id,
            "from": from_,
            "after_delivery_id": after_delivery_id,
        }, idempotency_key)
        return answer

    async def list_keys(
        self,
        *,
        fields: str | abc.Iterable[str] | None = None,
    ) -> t.ListKeysAnswer:
        """The API keys of the account whose scopes lie within those of the calling one, without their
        secrets. Revoked ones stay for 24 hours, the newest 100 of them.

        Free.

        Args:
            fields: The members of the answer to have, comma-separated; a dot leads into objects and
                lists. All others are left out, but for totals and cursors.
        """
        answer: t.ListKeysAnswer = await self._call(operations.LIST_KEYS, {"fields": fields})
        return answer

    async def create_key(
        self,
        *,
        name: str,
        scopes: abc.Sequence[Literal["all", "nfl", "nba", "mlb", "nhl", "ncaaf", "ncaab", "tennis", "soccer"]] | None = None,
        max_credits_a_day: int | None = None,
        idempotency_key: str | None = None,
    ) -> t.CreateKeyAnswer:
        """Makes an API key for the account: as many as the plan allows at once, and 10 more in 24
        hours, revoked ones counted.

        Free.

        Args:
            name: For people. Blanks around it are taken away.
            scopes: What the key opens. Left out: what the calling key opens.
            max_credits_a_day: Credits that the key may be charged in any 24 hours, bought ones too;
                it never changes. Left out: no cap of its own.
            idempotency_key: Names the call, so that it is repeated without harm, by this client or
                by you.
        """
        answer: t.CreateKeyAnswer = await self._call(operations.CREATE_KEY, {
            "name": name,
            "scopes": scopes,
            "max_credits_a_day": max_credits_a_day,
        }, idempotency_key)
        return answer

    async def revoke_key(
        self,
        id: int,
    ) -> None:
        """Revokes an API key of the account, the calling one too. Its scopes must lie within those of
        the calling one.

        Free.

        Args:
            id: Id of the key.
        """
        await self._call(operations.REVOKE_KEY, {"id": id})

    async def get_credits(
        self,
        *,
        fields: str | abc.Iterable[str] | None = None,
    ) -> t.GetCreditsAnswer:
        """The account's credits.

        Free.

        Args:
            fields: The members of the answer to have, comma-separated; a dot leads into objects and
                lists. All others are left out, but for totals and cursors.
        """
        answer: t.GetCreditsAnswer = await self._call(operations.GET_CREDITS, {"fields": fields})
        return answer

    async def list_credit_packs(
        self,
        *,
        fields: str | abc.Iterable[str] | None = None,
    ) -> t.ListCreditPacksAnswer:
        """Packs of credits that can be bought once.

        Free.

        Args:
            fields: The members of the answer to have, comma-separated; a dot leads into objects and
                lists. All others are left out, but for totals and cursors.
        """
        answer: t.ListCreditPacksAnswer = await self._call(operations.LIST_CREDIT_PACKS, {"fields": fields})
        return answer

    async def top_up_credits(
        self,
        *,
        pack_id: int,
        idempotency_key: str | None = None,
    ) -> t.TopUpCreditsAnswer:
        """Buys a pack with the payment method on file. Takes a key with the scope `all`.

        Free.

        Args:
            pack_id: Id of the pack.
            idempotency_key: Names the call, so that it is repeated without harm, by this client or
                by you.
        """
        answer: t.TopUpCreditsAnswer = await self._call(operations.TOP_UP_CREDITS, {"pack_id": pack_id}, idempotency_key)
        return answer

    async def get_usage(
        self,
        *,
        days: int | None = None,
        fields: str | abc.Iterable[str] | None = None,
    ) -> t.GetUsageAnswer:
        """What the account has called: by day, by endpoint and by key.

        A key with the scope `all`. Calls of the last seconds may be missing. Free.

        Args:
            days: How many UTC days, up to today. Default: 30.
            fields: The members of the answer to have, comma-separated; a dot leads into objects and
                lists. All others are left out, but for totals and cursors.
        """
        answer: t.GetUsageAnswer = await self._call(operations.GET_USAGE, {"days": days, "fields": fields})
        return answer

    async def list_ledger(
        self,
        *,
        after_id: int | None = None,
        limit: int | None = None,
        fields: str | abc.Iterable[str] | None = None,
    ) -> t.ListLedgerAnswer:
        """What changed the account’s credits, newest first: charges, grants, purchases, refunds.

        A key with the scope `all`. Charges of the last second may be missing. Free.

        Args:
            after_id: Cursor: only lines with smaller ids.
            limit: How many to answer at most. Default: 100.
            fields: The members of the answer to have, comma-separated; a dot leads into objects and
                lists. All others are left out, but for totals and cursors.
        """
        answer: t.ListLedgerAnswer = await self._call(operations.LIST_LEDGER, {
            "after_id": after_id,
            "limit": limit,
            "fields": fields,
        })
        return answer

    async def create_link(
        self,
        *,
        path: str,
        format: str,
        name: str | None = None,
        expires_at: str | dt.datetime | None = None,
        idempotency_key: str | None = None,
    ) -> t.Link:
        """Makes a link to one read, for a spreadsheet or a calendar: who has it reads that, at the
        account’s cost.

        It keeps the scopes that the calling key has now, and goes on after that key. 50 an account.
        Free.

        Args:
            path: What it reads: the path of a GET below `/v1`, with its query.
            format: Form of the answer: `csv`, `ics` or `json`, as the read has it.
            name: For people.
            expires_at: From this time on it opens nothing.
            idempotency_key: Names the call, so that it is repeated without harm, by this client or
                by you.
        """
        answer: t.Link = await self._call(operations.CREATE_LINK, {
            "path": path,
            "format": format,
            "name": name,
            "expires_at": expires_at,
        }, idempotency_key)
        return answer

    async def list_links(
        self,
        *,
        fields: str | abc.Iterable[str] | None = None,
    ) -> t.ListLinksAnswer:
        """The links of the account whose scopes lie within those of the calling key, without their
        addresses.

        Free.

        Args:
            fields: The members of the answer to have, comma-separated; a dot leads into objects and
                lists. All others are left out, but for totals and cursors.
        """
        answer: t.ListLinksAnswer = await self._call(operations.LIST_LINKS, {"fields": fields})
        return answer

    async def delete_link(
        self,
        id: int,
    ) -> None:
        """Removes a link of the account: it opens nothing from here on.

        Free.

        Args:
            id: Id of the link.
        """
        await self._call(operations.DELETE_LINK, {"id": id})

    async def get_my_books(
        self,
        *,
        fields: str | abc.Iterable[str] | None = None,
    ) -> t.GetMyBooksAnswer:
        """The books where the account can bet.

        Scans, the summary of odds and alerts name these alone, unless a call names others by
        `books`. Free.

        Args:
            fields: The members of the answer to have, comma-separated; a dot leads into objects and
                lists. All others are left out, but for totals and cursors.
        """
        answer: t.GetMyBooksAnswer = await self._call(operations.GET_MY_BOOKS, {"fields": fields})
        return answer

    async def put_my_books(
        self,
        *,
        my_books: abc.Sequence[str] | None,
    ) -> t.PutMyBooksAnswer:
        """Replaces the list of books where the account can bet.

        It is in force from the next call on, for every key of the account. Null ends the list.
        Free.

        Args:
            my_books: Slugs of the books where you can bet, each counted once; null: no list.
        """
        answer: t.PutMyBooksAnswer = await self._call(operations.PUT_MY_BOOKS, {"my_books": my_books})
        return answer

    async def start_trial(
        self,
        *,
        client_name: str | None = None,
        anonymous: bool | None = None,
    ) -> t.DeviceRequest | t.TrialKey:
        """Asks for an API key without having one: a person approves it at `verification_uri` (RFC
        8628).

        Show the person `user_code` and `verification_uri`, then poll with `device_code`. 20 an hour
        and address; `anonymous` 2 in 24 hours. Free.

        Args:
            client_name: The name of the program: the person reads it, and the key gets it.
            anonymous: A key of the plan `trial` at once, for 24 hours, where the server allows it.
        """
        answer: t.DeviceRequest | t.TrialKey = await self._call(operations.START_TRIAL, {"client_name": client_name, "anonymous": anonymous})
        return answer

    async def finish_trial(
        self,
        *,
        device_code: str,
    ) -> t.TrialKey:
        """Fetches the API key that a person has approved, once.

        Until then it is 400: `authorization_pending`, `slow_down`, `access_denied` or
        `expired_token`. Free.

        Args:
            device_code: As `POST /api/agent/trial` has given it.
        """
        answer: t.TrialKey = await self._call(operations.FINISH_TRIAL, {"device_code": device_code})
        return answer


class AsyncEach:
    """The items of lists, over all their pages."""

    def __init__(self, run: abc.Callable[[Operation, abc.Mapping[str, object]], abc.AsyncGenerator[Any, None]]) -> None:
        self._run = run

    def list_events(
        self,
        *,
        sport: str | None = None,
        league: str | None = None,
        status: Literal["scheduled", "delayed", "postponed", "inprogress", "suspended", "cancelled", "walkover", "final"] | None = None,
        date: str | dt.date | None = None,
        from_: str | dt.date | None = None,
        to: str | dt.date | None = None,
        season_id: int | None = None,
        team_id: int | None = None,
        after_id: int | None = None,
        limit: int | None = None,
        include_scores: bool | None = None,
        has_recommend: bool | None = None,
        sort: Literal["time", "status"] | None = None,
        fields: str | abc.Iterable[str] | None = None,
    ) -> abc.AsyncGenerator[t.EventListItem, None]:
        """Events by start, filtered by sport, league, status, dates, season or team.

        Start here to find an event’s id. Scores only with `include_scores`, at most 20 such calls a
        minute together with `get_live_score`. 1 credit.

        Args:
            sport: Sport slug; an unknown one gives an empty list.
            league: League slug.
            status: Event status.
            date: A UTC date; not together with `from` or `to`.
            from_: First UTC date.
            to: Last UTC date; at most 90 days behind `from`.
            season_id: Id of a season.
            team_id: Id of a team.
            after_id: Cursor: `next_after_id` of the page before.
            limit: How many to answer at most. Default: 25.
            include_scores: Adds the score and the participants to every event. Default: False.
            has_recommend: true keeps only events with a recommended bet.
            sort: `time`, or `status`: live, delayed or upcoming, final, cancelled or postponed.
                Default: "time".
            fields: The members of the answer to have, comma-separated; a dot leads into objects and
                lists. All others are left out, but for totals and cursors.
        """
        return self._run(operations.LIST_EVENTS, {
            "sport": sport,
            "league": league,
            "status": status,
            "date": date,
            "from": from_,
            "to": to,
            "season_id": season_id,
            "team_id": team_id,
            "after_id": after_id,
            "limit": limit,
            "include_scores": include_scores,
            "has_recommend": has_recommend,
            "sort": sort,
            "fields": fields,
        })

    def query_events(
        self,
        *,
        query: str,
        limit: int | None = None,
        fields: str | None = None,
    ) -> abc.AsyncGenerator[t.EventListItem, None]:
        """Events that a short English text asks for, read by fixed rules; what is not understood is
        told.

        Who knows what to filter by takes `list_events`. 1 credit.

        Args:
            query: What to look for: words for a sport, a league, a status, days, a number, and a
                team or player, in any order.
            limit: How many to answer at most, whatever the text says.
            fields: The members of the answer to have, comma-separated; a dot leads into objects and
                lists. All others are left out, but for totals and cursors.
        """
        return self._run(operations.QUERY_EVENTS, {
            "query": query,
            "limit": limit,
            "fields": fields,
        })

    def list_corrections(
        self,
        *,
        sport: str | None = None,
        league: str | None = None,
        event_id: int | None = None,
        field: Literal["status", "score", "result", "starts_at"] | None = None,
        from_: str | dt.date | None = None,
        to: str | dt.date | None = None,
        after_id: int | None = None,
        limit: int | None = None,
        fields: str | abc.Iterable[str] | None = None,
    ) -> abc.AsyncGenerator[t.Correction, None]:
        """What sources took back: changes of status, score, result or start that no game makes, oldest
        first.

        Look here before you trust a result that was read earlier. 1 credit.

        Args:
            sport: Sport slug; an unknown one gives an empty list.
            league: League slug.
            event_id: Id of an event.
            field: What was corrected.
            from_: First UTC date of `recorded_at`; 30 days before `to` unless told.
            to: Last UTC date of `recorded_at`, at most 90 days behind `from`; today unless told.
            after_id: Cursor: `next_after_id` of the page before.
            limit: How many to answer at most. Default: 25.
            fields: The members of the answer to have, comma-separated; a dot leads into objects and
                lists. All others are left out, but for totals and cursors.
        """
        return self._run(operations.LIST_CORRECTIONS, {
            "sport": sport,
            "league": league,
            "event_id": event_id,
            "field": field,
            "from": from_,
            "to": to,
            "after_id": after_id,
            "limit": limit,
            "fields": fields,
        })

    def list_teams(
        self,
        *,
        sport: str | None = None,
        league: str | None = None,
        conference: str | None = None,
        division: str | None = None,
        country: str | None = None,
        q: str | None = None,
        active: bool | None = None,
        after_id: int | None = None,
        limit: int | None = None,
        fields: str | abc.Iterable[str] | None = None,
    ) -> abc.AsyncGenerator[t.TeamListItem, None]:
        """Teams, in the order of their ids.

        Finds a team’s id by name with `q`. 1 credit.

        Args:
            sport: Sport slug; an unknown one gives an empty list.
            league: League slug.
            conference: Conference.
            division: Division.
            country: ISO country code.
            q: Part of a name, short name, abbreviation or alias.
            active: true or false; both where left out.
            after_id: Cursor: `next_after_id` of the page before.
            limit: How many to answer at most. Default: 25.
            fields: The members of the answer to have, comma-separated; a dot leads into objects and
                lists. All others are left out, but for totals and cursors.
        """
        return self._run(operations.LIST_TEAMS, {
            "sport": sport,
            "league": league,
            "conference": conference,
            "division": division,
            "country": country,
            "q": q,
            "active": active,
            "after_id": after_id,
            "limit": limit,
            "fields": fields,
        })

    def search_players(
        self,
        *,
        sport: str | None = None,
        q: str | None = None,
        country: str | None = None,
        active: bool | None = None,
        ranked: bool | None = None,
        after_id: int | None = None,
        limit: int | None = None,
        fields: str | abc.Iterable[str] | None = None,
    ) -> abc.AsyncGenerator[t.Player, None]:
        """Players, in the order of their ids.

        Finds a player’s id by name with `q`. 1 credit.

        Args:
            sport: Sport slug; an unknown one gives an empty list.
            q: Part of the full name or an alias.
            country: ISO alpha-3 country code.
            active: true: active; false: retired; both where left out.
            ranked: true keeps only tennis players who are ranked now.
            after_id: Cursor: `next_after_id` of the page before.
            limit: How many to answer at most. Default: 25.
            fields: The members of the answer to have, comma-separated; a dot leads into objects and
                lists. All others are left out, but for totals and cursors.
        """
        return self._run(operations.SEARCH_PLAYERS, {
            "sport": sport,
            "q": q,
            "country": country,
            "active": active,
            "ranked": ranked,
            "after_id": after_id,
            "limit": limit,
            "fields": fields,
        })

    def get_player_events(
        self,
        id: int,
        *,
        status: Literal["scheduled", "delayed", "postponed", "inprogress", "suspended", "cancelled", "walkover", "final"] | None = None,
        from_: str | dt.date | None = None,
        to: str | dt.date | None = None,
        after_id: int | None = None,
        limit: int | None = None,
        fields: str | abc.Iterable[str] | None = None,
    ) -> abc.AsyncGenerator[t.PlayerEvent, None]:
        """The events of one player, or of the player’s team, newest first.

        For a team’s events take `list_events` with `team_id`. 1 credit.

        Args:
            id: Id of the player.
            status: Event status.
            from_: First UTC date; 30 days ago unless told.
            to: Last UTC date; in 30 days unless told.
            after_id: Cursor: `next_after_id` of the page before.
            limit: How many to answer at most. Default: 25.
            fields: The members of the answer to have, comma-separated; a dot leads into objects and
                lists. All others are left out, but for totals and cursors.
        """
        return self._run(operations.GET_PLAYER_EVENTS, {
            "id": id,
            "status": status,
            "from": from_,
            "to": to,
            "after_id": after_id,
            "limit": limit,
            "fields": fields,
        })

    def list_bets(
        self,
        *,
        after_id: int | None = None,
        from_: str | dt.date | None = None,
        to: str | dt.date | None = None,
        limit: int | None = None,
        fields: str | abc.Iterable[str] | None = None,
    ) -> abc.AsyncGenerator[t.OwnBet, None]:
        """The account’s own bets, newest first, each with grade, fair closing price, closing value and
        profit.

        They are computed anew each time, so they follow corrections. Free.

        Args:
            after_id: Cursor: only bets with smaller ids.
            from_: Only bets placed on this UTC day or later.
            to: Only bets placed on this UTC day or earlier.
            limit: How many to answer at most. Default: 25.
            fields: The members of the answer to have, comma-separated; a dot leads into objects and
                lists. All others are left out, but for totals and cursors.
        """
        return self._run(operations.LIST_BETS, {
            "after_id": after_id,
            "from": from_,
            "to": to,
            "limit": limit,
            "fields": fields,
        })

    def list_webhook_deliveries(
        self,
        id: int,
        *,
        after_id: int | None = None,
        limit: int | None = None,
        success: bool | None = None,
        given_up: bool | None = None,
        event_type: Literal["score", "status", "line_move", "intelligence", "injury", "identity", "event_start", "event_final", "steam", "new_price", "ev", "arbitrage"] | None = None,
        fields: str | abc.Iterable[str] | None = None,
    ) -> abc.AsyncGenerator[t.WebhookDelivery, None]:
        """What was tried for a subscription in the last 30 days, and what came of it: one row for each
        attempt, newest first.

        Free.

        Args:
            id: Id of the subscription.
            after_id: Cursor: only attempts with smaller ids.
            limit: How many to answer at most. Default: 25.
            success: Whether it succeeded.
            given_up: Whether nothing was tried any more.
            event_type: Only those of one type.
            fields: The members of the answer to have, comma-separated; a dot leads into objects and
                lists. All others are left out, but for totals and cursors.
        """
        return self._run(operations.LIST_WEBHOOK_DELIVERIES, {
            "id": id,
            "after_id": after_id,
            "limit": limit,
            "success": success,
            "given_up": given_up,
            "event_type": event_type,
            "fields": fields,
        })

    def list_ledger(
        self,
        *,
        after_id: int | None = None,
        limit: int | None = None,
        fields: str | abc.Iterable[str] | None = None,
    ) -> abc.AsyncGenerator[t.LedgerLine, None]:
        """What changed the account’s credits, newest first: charges, grants, purchases, refunds.

        A key with the scope `all`. Charges of the last second may be missing. Free.

        Args:
            after_id: Cursor: only lines with smaller ids.
            limit: How many to answer at most. Default: 100.
            fields: The members of the answer to have, comma-separated; a dot leads into objects and
                lists. All others are left out, but for totals and cursors.
        """
        return self._run(operations.LIST_LEDGER, {
            "after_id": after_id,
            "limit": limit,
            "fields": fields,
        })


class AsyncFrames:
    """Answers as data frames. A list has all its pages, unless a limit is given: then it is that page."""

    def __init__(self, run: abc.Callable[[Operation, abc.Mapping[str, object]], abc.Awaitable[pd.DataFrame]]) -> None:
        self._run = run

    async def list_seasons(
        self,
        *,
        sport: str | None = None,
        current_only: bool | None = None,
    ) -> pd.DataFrame:
        """Seasons, the current ones unless told.

        Its ids go into `season_id` of `list_events`. 1 credit.

        Args:
            sport: Sport slug; an unknown one gives an empty list.
            current_only: Only seasons that today lies within. Default: True.

        Returns:
            Columns: id, year, name, phase, start_date, end_date, is_current, sport_slug,
            sport_name, league_slug, league_name, league_abbreviation.
        """
        return await self._run(operations.LIST_SEASONS, {"sport": sport, "current_only": current_only})

    async def get_standings(
        self,
        slug: str,
        *,
        season: int | None = None,
        as_of: str | dt.datetime | None = None,
        as_of_basis: Literal["recorded", "observed"] | None = None,
    ) -> pd.DataFrame:
        """The table of a season, as of any moment.

        By its own tie-breaks. 1 credit.

        Args:
            slug: League slug.
            season: The year in which the season starts; default: the season of the day.
            as_of: The answer of this UTC time (ISO 8601 with Z), not in the future.
            as_of_basis: By when the server learned a fact, or its source observed it. Default:
                "recorded".

        Returns:
            Columns: league, season, group, rank, team_id, team, played, won, drawn, lost, points,
            for, against, difference, pct, games_behind, streak, last_10_played, last_10_won,
            last_10_drawn, last_10_lost, last_10_lost_overtime, last_10_for, last_10_against,
            home_played, home_won, home_drawn, home_lost, home_lost_overtime, home_for,
            home_against, away_played, away_won, away_drawn, away_lost, away_lost_overtime,
            away_for, away_against, lost_overtime.
        """
        return await self._run(operations.GET_STANDINGS, {
            "slug": slug,
            "season": season,
            "as_of": as_of,
            "as_of_basis": as_of_basis,
        })

    async def list_events(
        self,
        *,
        sport: str | None = None,
        league: str | None = None,
        status: Literal["scheduled", "delayed", "postponed", "inprogress", "suspended", "cancelled", "walkover", "final"] | None = None,
        date: str | dt.date | None = None,
        from_: str | dt.date | None = None,
        to: str | dt.date | None = None,
        season_id: int | None = None,
        team_id: int | None = None,
        after_id: int | None = None,
        limit: int | None = None,
        include_scores: bool | None = None,
        has_recommend: bool | None = None,
        sort: Literal["time", "status"] | None = None,
    ) -> pd.DataFrame:
        """Events by start, filtered by sport, league, status, dates, season or team.

        Start here to find an event’s id. Scores only with `include_scores`, at most 20 such calls a
        minute together with `get_live_score`. 1 credit.

        Args:
            sport: Sport slug; an unknown one gives an empty list.
            league: League slug.
            status: Event status.
            date: A UTC date; not together with `from` or `to`.
            from_: First UTC date.
            to: Last UTC date; at most 90 days behind `from`.
            season_id: Id of a season.
            team_id: Id of a team.
            after_id: Cursor: `next_after_id` of the page before.
            limit: How many to answer at most. Default: 25.
            include_scores: Adds the score and the participants to every event. Default: False.
            has_recommend: true keeps only events with a recommended bet.
            sort: `time`, or `status`: live, delayed or upcoming, final, cancelled or postponed.
                Default: "time".

        Returns:
            Columns: id, name, sport, league, season_id, starts_at, scheduled_start_at,
            starts_at_qualifier, inprogress_since, status, result_type, period, period_label, clock,
            round, neutral_site, competition_id, competition_name, competition_surface,
            competition_tier, venue_id, venue_name, venue_city, venue_surface, venue_roof_type,
            venue_timezone, draw_type, broadcast, court, order_of_play, home_participant_id,
            home_score, home_is_winner, home_team_id, home_team_name, home_team_abbreviation,
            home_team_country_code, home_team_image_url, home_period_scores, away_participant_id,
            away_score, away_is_winner, away_team_id, away_team_name, away_team_abbreviation,
            away_team_country_code, away_team_image_url, away_period_scores,
            player_1_participant_id, player_1_score, player_1_game_score, player_1_is_winner,
            player_1_player_id, player_1_player_name, player_1_player_country_code,
            player_1_player_image_url, player_1_period_scores, player_2_participant_id,
            player_2_score, player_2_game_score, player_2_is_winner, player_2_player_id,
            player_2_player_name, player_2_player_country_code, player_2_player_image_url,
            player_2_period_scores.
        """
        return await self._run(operations.LIST_EVENTS, {
            "sport": sport,
            "league": league,
            "status": status,
            "date": date,
            "from": from_,
            "to": to,
            "season_id": season_id,
            "team_id": team_id,
            "after_id": after_id,
            "limit": limit,
            "include_scores": include_scores,
            "has_recommend": has_recommend,
            "sort": sort,
        })

    async def batch_get_events(
        self,
        *,
        event_ids: abc.Sequence[int],
        include_odds: bool | None = None,
        include_intelligence: bool | None = None,
        bookmaker: str | None = None,
        as_of: str | dt.datetime | None = None,
        as_of_basis: Literal["recorded", "observed"] | None = None,
    ) -> pd.DataFrame:
        """Up to 25 events at once, each billed once; unknown ids are free.

        Takes the place of many `get_event`; `not_found` names the unknown ids. The sum of its
        events; an id given twice is billed once, unknown ids are free.

        Args:
            event_ids: Ids of the events, in the order wanted.
            include_odds: Adds the odds. Default: False.
            include_intelligence: Adds the intelligence. Default: False.
            bookmaker: A bookmaker’s slug, `all`, or a comma-separated list. Default: "pinnacle".
            as_of: The answer of this UTC time (ISO 8601 with Z), not in the future.
            as_of_basis: By when the server learned a fact, or its source observed it. Default:
                "recorded".

        Returns:
            Columns: id, name, sport, league, season_id, starts_at, scheduled_start_at,
            starts_at_qualifier, inprogress_since, status, result_type, period, period_label, clock,
            round, neutral_site, competition_id, competition_name, competition_surface,
            competition_tier, venue_id, venue_name, venue_city, venue_surface, venue_roof_type,
            venue_timezone, venue_country, venue_capacity, draw_type, broadcast, court,
            order_of_play, game_number, updated_at, home_participant_id, home_score, home_is_winner,
            home_team_id, home_team_name, home_team_abbreviation, home_team_country_code,
            home_team_image_url, home_period_scores, away_participant_id, away_score,
            away_is_winner, away_team_id, away_team_name, away_team_abbreviation,
            away_team_country_code, away_team_image_url, away_period_scores,
            player_1_participant_id, player_1_score, player_1_game_score, player_1_is_winner,
            player_1_player_id, player_1_player_name, player_1_player_country_code,
            player_1_player_image_url, player_1_period_scores, player_2_participant_id,
            player_2_score, player_2_game_score, player_2_is_winner, player_2_player_id,
            player_2_player_name, player_2_player_country_code, player_2_player_image_url,
            player_2_period_scores, odds, intelligence.
        """
        return await self._run(operations.BATCH_GET_EVENTS, {
            "event_ids": event_ids,
            "include_odds": include_odds,
            "include_intelligence": include_intelligence,
            "bookmaker": bookmaker,
            "as_of": as_of,
            "as_of_basis": as_of_basis,
        })

    async def get_odds(
        self,
        id: int,
        *,
        bookmaker: str | abc.Iterable[str] | None = None,
        include_depth: bool | None = None,
        as_of: str | dt.datetime | None = None,
        as_of_basis: Literal["recorded", "observed"] | None = None,
    ) -> pd.DataFrame:
        """The prices of one bookmaker, several, or all on one event.

        One bookmaker, unless told, is `pinnacle`. How prices moved is in `get_odds_history`. 1
        credit for one bookmaker, 2 for several or all; free while nothing is available.

        Args:
            id: Id of the event.
            bookmaker: A bookmaker’s slug, `all`, or a comma-separated list. Default: "pinnacle".
            include_depth: Also the order books of exchanges: bids, asks, last price, volume, fee.
                Default: False.
            as_of: The answer of this UTC time (ISO 8601 with Z), not in the future.
            as_of_basis: By when the server learned a fact, or its source observed it. Default:
                "recorded".

        Returns:
            Columns: event_id, bookmaker, bookmaker_captured_at, market_key, market_label, outcome,
            price, point, suspect, bids, asks, last, volume, market_fee.
        """
        return await self._run(operations.GET_ODDS, {
            "id": id,
            "bookmaker": bookmaker,
            "include_depth": include_depth,
            "as_of": as_of,
            "as_of_basis": as_of_basis,
        })

    async def get_odds_history(
        self,
        id: int,
        *,
        bookmaker: str | abc.Iterable[str] | None = None,
        market: Literal["h2h", "spreads", "totals", "h2h_3_way"] | None = None,
        limit: int | None = None,
        as_of: str | dt.datetime | None = None,
        as_of_basis: Literal["recorded", "observed"] | None = None,
    ) -> pd.DataFrame:
        """The line movements of one event, newest first.

        For the prices that hold now take `get_odds`. 1 credit for one bookmaker, 2 for several or
        all.

        Args:
            id: Id of the event.
            bookmaker: A bookmaker’s slug, `all`, or a comma-separated list. Default: "pinnacle".
            market: Market; the main lines by default.
            limit: How many to answer at most. Default: 50.
            as_of: The answer of this UTC time (ISO 8601 with Z), not in the future.
            as_of_basis: By when the server learned a fact, or its source observed it. Default:
                "recorded".

        Returns:
            Columns: event_id, bookmaker, market, market_key, outcome, price_from, price_to,
            point_from, point_to, moved_at, suspect.
        """
        return await self._run(operations.GET_ODDS_HISTORY, {
            "id": id,
            "bookmaker": bookmaker,
            "market": market,
            "limit": limit,
            "as_of": as_of,
            "as_of_basis": as_of_basis,
        })

    async def get_futures(
        self,
        slug: str,
        *,
        season: int | None = None,
        market: str | None = None,
        as_of: str | dt.datetime | None = None,
        as_of_basis: Literal["recorded", "observed"] | None = None,
    ) -> pd.DataFrame:
        """All bookmakers’ prices on how a season ends, as of any moment.

        1 credit.

        Args:
            slug: League slug.
            season: The year in which the season starts; default: the season of the day.
            market: One market, such as `winner`; default: all.
            as_of: The answer of this UTC time (ISO 8601 with Z), not in the future.
            as_of_basis: By when the server learned a fact, or its source observed it. Default:
                "recorded".

        Returns:
            Columns: league, season, market, bookmaker, captured_at, team_id, team, player_id,
            player, price.
        """
        return await self._run(operations.GET_FUTURES, {
            "slug": slug,
            "season": season,
            "market": market,
            "as_of": as_of,
            "as_of_basis": as_of_basis,
        })

    async def get_futures_history(
        self,
        slug: str,
        *,
        season: int | None = None,
        market: str | None = None,
        as_of: str | dt.datetime | None = None,
        as_of_basis: Literal["recorded", "observed"] | None = None,
        bookmaker: str | abc.Iterable[str] | None = None,
        limit: int | None = None,
    ) -> pd.DataFrame:
        """The movements of the prices on how a season ends, newest first.

        For the prices that hold now take `get_futures`. 1 credit for one bookmaker, 2 for several
        or all.

        Args:
            slug: League slug.
            season: The year in which the season starts; default: the season of the day.
            market: One market, such as `winner`; default: all.
            as_of: The answer of this UTC time (ISO 8601 with Z), not in the future.
            as_of_basis: By when the server learned a fact, or its source observed it. Default:
                "recorded".
            bookmaker: A bookmaker’s slug, `all`, or a comma-separated list. Default: "pinnacle".
            limit: How many to answer at most. Default: 50.

        Returns:
            Columns: league, season, bookmaker, market, team_id, team, player_id, player,
            price_from, price_to, moved_at.
        """
        return await self._run(operations.GET_FUTURES_HISTORY, {
            "slug": slug,
            "season": season,
            "market": market,
            "as_of": as_of,
            "as_of_basis": as_of_basis,
            "bookmaker": bookmaker,
            "limit": limit,
        })

    async def get_projections(
        self,
        slug: str,
        *,
        season: int | None = None,
        as_of: str | dt.datetime | None = None,
        as_of_basis: Literal["recorded", "observed"] | None = None,
    ) -> pd.DataFrame:
        """How a season may end, by the own forecasts.

        1 credit; free while nothing is available.

        Args:
            slug: League slug.
            season: The year in which the season starts; default: the season of the day.
            as_of: The answer of this UTC time (ISO 8601 with Z), not in the future.
            as_of_basis: By when the server learned a fact, or its source observed it. Default:
                "recorded".

        Returns:
            Columns: league, season, team_id, team, title, playoffs, relegation, expected_points,
            market_title, market_playoffs, market_relegation, promotion, market_promotion.
        """
        return await self._run(operations.GET_PROJECTIONS, {
            "slug": slug,
            "season": season,
            "as_of": as_of,
            "as_of_basis": as_of_basis,
        })

    async def get_odds_summary(
        self,
        id: int,
        *,
        bookmaker: str | abc.Iterable[str] | None = None,
        books: str | abc.Iterable[str] | None = None,
        max_age: float | None = None,
        as_of: str | dt.datetime | None = None,
        as_of_basis: Literal["recorded", "observed"] | None = None,
    ) -> pd.DataFrame:
        """Opening, closing, highest, lowest and present prices of one event, with the fair closing
        line.

        Each movement between them is in `get_odds_history`. 1 credit for one bookmaker, 2 for
        several or all; free while nothing is available.

        Args:
            id: Id of the event.
            bookmaker: A bookmaker’s slug, `all`, or a comma-separated list. Default: "pinnacle".
            books: Where you can bet: slugs, comma-separated; no other book is named. `all`: every
                book. Left out: the list of the account, if it has one.
            max_age: How old a price may be, in seconds; brought within 1 and 4500. Counts under a
                list of books alone, for `current`; 900 when left out.
            as_of: The answer of this UTC time (ISO 8601 with Z), not in the future.
            as_of_basis: By when the server learned a fact, or its source observed it. Default:
                "recorded".

        Returns:
            Columns: event_id, bookmaker, market_key, market_label, outcome, open_price, open_point,
            open_at, close_price, close_point, close_at, high_price, high_point, high_at, low_price,
            low_point, low_at, current_price, current_point, current_at, consensus_line,
            consensus_open, consensus_close, current_suspect.
        """
        return await self._run(operations.GET_ODDS_SUMMARY, {
            "id": id,
            "bookmaker": bookmaker,
            "books": books,
            "max_age": max_age,
            "as_of": as_of,
            "as_of_basis": as_of_basis,
        })

    async def get_period_odds(
        self,
        id: int,
        *,
        include_alts: bool | None = None,
        include_forecast: bool | None = None,
        as_of: str | dt.datetime | None = None,
        as_of_basis: Literal["recorded", "observed"] | None = None,
    ) -> pd.DataFrame:
        """Spreads and totals of the first half, the first five innings or the first set of one event,
        and their results.

        Not for nhl (400). Lines of the whole match are in `get_odds`. 1 credit; free while nothing
        is available.

        Args:
            id: Id of the event.
            include_alts: Adds the rungs beside the main lines. Default: False.
            include_forecast: Adds what the server’s own models, which see no price, expect of each
                line. Default: False.
            as_of: The answer of this UTC time (ISO 8601 with Z), not in the future.
            as_of_basis: By when the server learned a fact, or its source observed it. Default:
                "recorded".

        Returns:
            Columns: event_id, sport, status, period, clock, scope, market, line, home_score,
            away_score, current, pct_of_line, settleable, scope_complete, result, home_result,
            away_result, bookmaker, side, price, probability, forecast_model_version,
            forecast_ahead_home, forecast_ahead_away, forecast_ahead_tie, suspect.
        """
        return await self._run(operations.GET_PERIOD_ODDS, {
            "id": id,
            "include_alts": include_alts,
            "include_forecast": include_forecast,
            "as_of": as_of,
            "as_of_basis": as_of_basis,
        })

    async def get_team_props(
        self,
        id: int,
        *,
        include_alts: bool | None = None,
        as_of: str | dt.datetime | None = None,
        as_of_basis: Literal["recorded", "observed"] | None = None,
    ) -> pd.DataFrame:
        """Totals of each team of one event, with how they stand and their results.

        For nfl, ncaaf, mlb and soccer; 400 for other sports. 1 credit; free while nothing is
        available.

        Args:
            id: Id of the event.
            include_alts: Adds the rungs beside the main lines. Default: False.
            as_of: The answer of this UTC time (ISO 8601 with Z), not in the future.
            as_of_basis: By when the server learned a fact, or its source observed it. Default:
                "recorded".

        Returns:
            Columns: event_id, sport, status, period, clock, team, team_id, team_side, market, line,
            current, pct_of_line, settleable, result, bookmaker, side, price, suspect.
        """
        return await self._run(operations.GET_TEAM_PROPS, {
            "id": id,
            "include_alts": include_alts,
            "as_of": as_of,
            "as_of_basis": as_of_basis,
        })

    async def get_player_props(
        self,
        id: int,
        *,
        market: str | None = None,
        player_id: int | None = None,
        bookmaker: str | abc.Iterable[str] | None = None,
        include_alts: bool | None = None,
        as_of: str | dt.datetime | None = None,
        as_of_basis: Literal["recorded", "observed"] | None = None,
    ) -> pd.DataFrame:
        """Lines on what the players of one event make, with how they stand and their results.

        Not for tennis (400). Ids of players are in `search_players`. 1 credit; free while nothing
        is available.

        Args:
            id: Id of the event.
            market: Only the props of this statistic.
            player_id: Only the props of this player.
            bookmaker: A bookmaker’s slug, `all`, or a comma-separated list. Default: "all".
            include_alts: Adds the rungs beside the main lines. Default: False.
            as_of: The answer of this UTC time (ISO 8601 with Z), not in the future.
            as_of_basis: By when the server learned a fact, or its source observed it. Default:
                "recorded".

        Returns:
            Columns: event_id, sport, status, period, clock, player, player_id, team_id, market,
            line, current, pct_of_line, settleable, result, bookmaker, side, price, suspect.
        """
        return await self._run(operations.GET_PLAYER_PROPS, {
            "id": id,
            "market": market,
            "player_id": player_id,
            "bookmaker": bookmaker,
            "include_alts": include_alts,
            "as_of": as_of,
            "as_of_basis": as_of_basis,
        })

    async def get_splits(
        self,
        id: int,
        *,
        as_of: str | dt.datetime | None = None,
        as_of_basis: Literal["recorded", "observed"] | None = None,
    ) -> pd.DataFrame:
        """How the public bets on one event: shares of bets and of money.

        What the prices themselves are is in `get_odds`. 1 credit; free while nothing is available.

        Args:
            id: Id of the event.
            as_of: The answer of this UTC time (ISO 8601 with Z), not in the future.
            as_of_basis: By when the server learned a fact, or its source observed it. Default:
                "recorded".

        Returns:
            Columns: event_id, captured_at, bookmaker, bookmaker_name, market, side, bets_pct,
            handle_pct, price, line.
        """
        return await self._run(operations.GET_SPLITS, {
            "id": id,
            "as_of": as_of,
            "as_of_basis": as_of_basis,
        })

    async def get_stats(
        self,
        id: int,
        *,
        as_of: str | dt.datetime | None = None,
        as_of_basis: Literal["recorded", "observed"] | None = None,
    ) -> pd.DataFrame:
        """What both sides of one event did before it: form, strength, schedule, rates, head-to-head,
        rest.

        Nothing in it is later than the start of the event, except who plays and the players’ own
        box score. 1 credit; free while nothing is available.

        Args:
            id: Id of the event.
            as_of: The answer of this UTC time (ISO 8601 with Z), not in the future.
            as_of_basis: By when the server learned a fact, or its source observed it. Default:
                "recorded".

        Returns:
            Columns: event_id, league_slug, neutral_site, profile, role, team_id, player_id, name,
            abbreviation, country_code, image_url, rest_days, recent_form_window,
            recent_form_results, recent_form_goals_scored, recent_form_goals_conceded,
            recent_form_scored, recent_form_conceded, recent_form_sets_won, recent_form_sets_lost,
            team_strength_source, team_strength_ppg, team_strength_win_pct,
            team_strength_points_pct, team_strength_games, team_strength_points, team_strength_w,
            team_strength_d, team_strength_l, team_strength_t, team_strength_otl, team_strength_gf,
            team_strength_ga, team_strength_gd, team_strength_scored, team_strength_conceded,
            team_strength_diff, team_strength_rank, team_strength_ranking,
            team_strength_ranking_points, sos_source, sos_window, sos_games, sos_opp_ppg_avg,
            sos_opp_win_pct_avg, sos_opp_points_pct_avg, venue_source, venue_home_ppg,
            venue_home_win_pct, venue_home_points_pct, venue_home_games, venue_away_ppg,
            venue_away_win_pct, venue_away_points_pct, venue_away_games, venue_confederation,
            venue_surface, venue_clay_win_pct, venue_clay_games, venue_grass_win_pct,
            venue_grass_games, venue_hard_win_pct, venue_hard_games, venue_indoor_hard_win_pct,
            venue_indoor_hard_games, rates_l5, rates_season, head_to_head_window,
            head_to_head_meetings, head_to_head_total, lineup_available, lineup_formation,
            lineup_starters, lineup_bench, player_box.
        """
        return await self._run(operations.GET_STATS, {
            "id": id,
            "as_of": as_of,
            "as_of_basis": as_of_basis,
        })

    async def get_injuries(
        self,
        id: int,
        *,
        exclude_status: str | abc.Iterable[str] | None = None,
        as_of: str | dt.datetime | None = None,
        as_of_basis: Literal["recorded", "observed"] | None = None,
    ) -> pd.DataFrame:
        """Who is injured or unavailable for one event, and when that was checked.

        `available` with an empty list: a source has looked, and nobody is out. 1 credit; free while
        nothing is available.

        Args:
            id: Id of the event.
            exclude_status: Comma-separated statuses to leave out, in any case.
            as_of: The answer of this UTC time (ISO 8601 with Z), not in the future.
            as_of_basis: By when the server learned a fact, or its source observed it. Default:
                "recorded".

        Returns:
            Columns: event_id, last_checked_at, confirmed_at, next_check_at, player, player_id,
            team, team_id, status, previous_status, body_part, note, source_url, severity,
            last_changed_at.
        """
        return await self._run(operations.GET_INJURIES, {
            "id": id,
            "exclude_status": exclude_status,
            "as_of": as_of,
            "as_of_basis": as_of_basis,
        })

    async def list_corrections(
        self,
        *,
        sport: str | None = None,
        league: str | None = None,
        event_id: int | None = None,
        field: Literal["status", "score", "result", "starts_at"] | None = None,
        from_: str | dt.date | None = None,
        to: str | dt.date | None = None,
        after_id: int | None = None,
        limit: int | None = None,
    ) -> pd.DataFrame:
        """What sources took back: changes of status, score, result or start that no game makes, oldest
        first.

        Look here before you trust a result that was read earlier. 1 credit.

        Args:
            sport: Sport slug; an unknown one gives an empty list.
            league: League slug.
            event_id: Id of an event.
            field: What was corrected.
            from_: First UTC date of `recorded_at`; 30 days before `to` unless told.
            to: Last UTC date of `recorded_at`, at most 90 days behind `from`; today unless told.
            after_id: Cursor: `next_after_id` of the page before.
            limit: How many to answer at most. Default: 25.

        Returns:
            Columns: id, event_id, sport, league, field, before, after, source, at, recorded_at,
            reason.
        """
        return await self._run(operations.LIST_CORRECTIONS, {
            "sport": sport,
            "league": league,
            "event_id": event_id,
            "field": field,
            "from": from_,
            "to": to,
            "after_id": after_id,
            "limit": limit,
        })

    async def scan_ev(
        self,
        *,
        sport: Literal["nfl", "nba", "mlb", "nhl", "ncaaf", "ncaab", "tennis", "soccer"],
        league: str | None = None,
        market: Literal["h2h", "spreads", "totals", "h2h_3_way"] | None = None,
        min_ev: float | None = None,
        book: str | None = None,
        books: str | abc.Iterable[str] | None = None,
        max_age: float | None = None,
        stake: float | None = None,
        by: Literal["fair", "blend"] | None = None,
        limit: int | None = None,
    ) -> pd.DataFrame:
        """Main-line prices of a sport’s events to come that are better than fair, by expected value.

        Fair is what reference bookmakers’ prices say without their margin. EV beyond 25% is taken
        for a mistake, and left out. 1 credit.

        Args:
            sport: Sport slug.
            league: League slug; an unknown one gives an empty list.
            market: Market; tennis has no totals here, and no `h2h_3_way`, as soccer. Default:
                "h2h".
            min_ev: Least EV in percent; brought within 0 and 25. Default: 0.
            book: A bookmaker’s slug: only what this one offers.
            books: Where you can bet: slugs, comma-separated; no other book is named. `all`: every
                book. Left out: the list of the account, if it has one.
            max_age: How old a price may be, in seconds; brought within 1 and 4500. Left out: 900
                under a list of books, else 4500.
            stake: Stake of the bet, in money of the venue: an exchange counts with what it pays for
                it, fees included. Default: 100.
            by: What prices are judged by: the fair price, or its blend with the forecast. Default:
                "fair".
            limit: How many to answer at most. Default: 50.

        Returns:
            Columns: sport, market, event_id, side, team, bet_type, line, fair_probability, ev_beta,
            ev_book, ev_price, ev_ev_pct, ev_kelly_fraction, ev_quote_age_seconds, ev_n_books,
            ev_size, blend_probability.
        """
        return await self._run(operations.SCAN_EV, {
            "sport": sport,
            "league": league,
            "market": market,
            "min_ev": min_ev,
            "book": book,
            "books": books,
            "max_age": max_age,
            "stake": stake,
            "by": by,
            "limit": limit,
        })

    async def scan_arbitrage(
        self,
        *,
        sport: Literal["nfl", "nba", "mlb", "nhl", "ncaaf", "ncaab", "tennis", "soccer"],
        league: str | None = None,
        market: Literal["h2h", "spreads", "totals", "h2h_3_way"] | None = None,
        kind: Literal["arbitrage", "middle", "all"] | None = None,
        min_profit: float | None = None,
        books: str | abc.Iterable[str] | None = None,
        max_age: float | None = None,
        stake: float | None = None,
        limit: int | None = None,
    ) -> pd.DataFrame:
        """Prices of different bookmakers on a sport’s events to come that earn whatever happens, or in
        the middle.

        1 credit.

        Args:
            sport: Sport slug.
            league: League slug; an unknown one gives an empty list.
            market: Market; the main lines by default.
            kind: What to look for. Default: "arbitrage".
            min_profit: Least profit in percent, brought within 0 and 25. Without it middles that
                lose up to 10% when they miss are shown too.
            books: Where you can bet: slugs, comma-separated; no other book is named. `all`: every
                book. Left out: the list of the account, if it has one.
            max_age: How old a price may be, in seconds; brought within 1 and 4500. Default: 900.
            stake: Stake of all legs together, in money of the venue: an exchange counts with what
                it pays for it, fees included. Default: 100.
            limit: How many to answer at most. Default: 50.

        Returns:
            Columns: sport, event_id, opportunity, opportunity_kind, opportunity_market,
            opportunity_profit_pct, opportunity_middle, side, team, bet_type, book, line, price,
            stake_pct, quote_age_seconds, opportunity_rules_differ, size, opportunity_rules_unknown.
        """
        return await self._run(operations.SCAN_ARBITRAGE, {
            "sport": sport,
            "league": league,
            "market": market,
            "kind": kind,
            "min_profit": min_profit,
            "books": books,
            "max_age": max_age,
            "stake": stake,
            "limit": limit,
        })

    async def list_forecasts(
        self,
        *,
        sport: Literal["nfl", "nba", "mlb", "nhl", "ncaaf", "ncaab", "tennis", "soccer"],
        date: str | dt.date | None = None,
        market: Literal["h2h", "spreads", "totals"] | None = None,
        limit: int | None = None,
    ) -> pd.DataFrame:
        """What the server’s own models, which see no price, expect of the events of a day, the surest
        first.

        Tennis and soccer by market, all other sports by player and statistic. Of a past day as it
        stood at the starts. 1 credit.

        Args:
            sport: Sport slug.
            date: A UTC date; today unless told.
            market: Only this market; of tennis and soccer.
            limit: How many to answer at most. Default: 25.

        Returns:
            Columns: date, event_id, sport, league, player, player_id, bet_type, player_role,
            market, line, side, p_hit, interval, sufficiency, reliability, conviction,
            model_version, selected, books, drivers, research_note.
        """
        return await self._run(operations.LIST_FORECASTS, {
            "sport": sport,
            "date": date,
            "market": market,
            "limit": limit,
        })

    async def get_record(
        self,
        *,
        sport: Literal["nfl", "nba", "mlb", "nhl", "ncaaf", "ncaab", "tennis", "soccer"],
        league: str | None = None,
        market: Literal["h2h", "spreads", "totals"] | None = None,
        by: Literal["season", "month"] | None = None,
        books: str | None = None,
    ) -> pd.DataFrame:
        """What the server’s own forecasts were worth, by league and season, beside the market’s close.

        Free.

        Args:
            sport: Sport slug.
            league: League slug; an unknown one gives an empty list.
            market: Market. Default: "h2h".
            by: `month` adds `months`; a table has them in the place of leagues and seasons.
                Default: "season".
            books: As in the scans. The record names no book and no price on offer, so a list
                changes nothing in it.

        Returns:
            Columns: sport, market, league, season, model_version, n, log_loss, brier, slope,
            intercept, close_n, close_log_loss, close_brier, close_slope, close_intercept,
            calibration, blend_n, blend_log_loss, blend_brier, blend_slope, blend_intercept, month,
            clv, clv_se, hit_rate, hit_rate_se, best_n, best_profit, best_profit_se, best_drawdown,
            follower_n, follower_profit, follower_profit_se, follower_drawdown.
        """
        return await self._run(operations.GET_RECORD, {
            "sport": sport,
            "league": league,
            "market": market,
            "by": by,
            "books": books,
        })

    async def get_market_quality(
        self,
        *,
        league: str,
        market: Literal["h2h", "spreads", "totals"] | None = None,
        days: int | None = None,
    ) -> pd.DataFrame:
        """How good each bookmaker’s market is: best prices, hold, age, who leads, and which source
        differs.

        Counts prices from before the start alone. 1 credit.

        Args:
            league: League slug.
            market: Market. Default: "h2h".
            days: Events that started within so many days before now. Default: 30.

        Returns:
            Columns: league, market, days, bookmaker, n, best_share, hold, age_seconds, stale_share,
            outlier_share, lead_seconds, lead_n, lead_interval, edge_half_life_seconds,
            reaction_injury_seconds, reaction_injury_n, reaction_lineup_seconds, reaction_lineup_n,
            sources.
        """
        return await self._run(operations.GET_MARKET_QUALITY, {
            "league": league,
            "market": market,
            "days": days,
        })

    async def list_changes(
        self,
        *,
        types: str | abc.Iterable[str] | None = None,
        sport: str | abc.Iterable[str] | None = None,
        league: str | abc.Iterable[str] | None = None,
        event_id: int | abc.Iterable[int] | None = None,
        bookmaker: str | abc.Iterable[str] | None = None,
        after: str | None = None,
        limit: int | None = None,
    ) -> pd.DataFrame:
        """What has changed since a cursor, over all events.

        Without `after` it gives the cursor of now alone. Go on with `next_after`. 1 credit; free
        without changes but `identity`, unless more than 500 records were looked through.

        Args:
            types: Of score, status, line_move, intelligence, injury, identity, comma-separated.
            sport: Sport slugs, comma-separated.
            league: League slugs, comma-separated.
            event_id: Of one event, or of several.
            bookmaker: Slugs, comma-separated: line moves of these only; other types come anyhow.
            after: A change’s `id`, or `next_after`; 0: the beginning.
            limit: How many to answer at most. Default: 100.

        Returns:
            Columns: id, type, event_id, sport, league, at, recorded_at, data.
        """
        return await self._run(operations.LIST_CHANGES, {
            "types": types,
            "sport": sport,
            "league": league,
            "event_id": event_id,
            "bookmaker": bookmaker,
            "after": after,
            "limit": limit,
        })

    async def list_teams(
        self,
        *,
        sport: str | None = None,
        league: str | None = None,
        conference: str | None = None,
        division: str | None = None,
        country: str | None = None,
        q: str | None = None,
        active: bool | None = None,
        after_id: int | None = None,
        limit: int | None = None,
    ) -> pd.DataFrame:
        """Teams, in the order of their ids.

        Finds a team’s id by name with `q`. 1 credit.

        Args:
            sport: Sport slug; an unknown one gives an empty list.
            league: League slug.
            conference: Conference.
            division: Division.
            country: ISO country code.
            q: Part of a name, short name, abbreviation or alias.
            active: true or false; both where left out.
            after_id: Cursor: `next_after_id` of the page before.
            limit: How many to answer at most. Default: 25.

        Returns:
            Columns: id, slug, name, abbreviation, image_url, sport, league, conference, division,
            venue_id, venue_name, venue_city, is_active.
        """
        return await self._run(operations.LIST_TEAMS, {
            "sport": sport,
            "league": league,
            "conference": conference,
            "division": division,
            "country": country,
            "q": q,
            "active": active,
            "after_id": after_id,
            "limit": limit,
        })

    async def search_players(
        self,
        *,
        sport: str | None = None,
        q: str | None = None,
        country: str | None = None,
        active: bool | None = None,
        ranked: bool | None = None,
        after_id: int | None = None,
        limit: int | None = None,
    ) -> pd.DataFrame:
        """Players, in the order of their ids.

        Finds a player’s id by name with `q`. 1 credit.

        Args:
            sport: Sport slug; an unknown one gives an empty list.
            q: Part of the full name or an alias.
            country: ISO alpha-3 country code.
            active: true: active; false: retired; both where left out.
            ranked: true keeps only tennis players who are ranked now.
            after_id: Cursor: `next_after_id` of the page before.
            limit: How many to answer at most. Default: 25.

        Returns:
            Columns: id, slug, full_name, first_name, last_name, sport, country_code, birthdate,
            position, handedness, height_cm, weight_kg, tennis_ranking, tennis_ranking_points,
            current_team_id, current_team_name, is_active, retired_at, image_url.
        """
        return await self._run(operations.SEARCH_PLAYERS, {
            "sport": sport,
            "q": q,
            "country": country,
            "active": active,
            "ranked": ranked,
            "after_id": after_id,
            "limit": limit,
        })

    async def get_player_events(
        self,
        id: int,
        *,
        status: Literal["scheduled", "delayed", "postponed", "inprogress", "suspended", "cancelled", "walkover", "final"] | None = None,
        from_: str | dt.date | None = None,
        to: str | dt.date | None = None,
        after_id: int | None = None,
        limit: int | None = None,
    ) -> pd.DataFrame:
        """The events of one player, or of the player’s team, newest first.

        For a team’s events take `list_events` with `team_id`. 1 credit.

        Args:
            id: Id of the player.
            status: Event status.
            from_: First UTC date; 30 days ago unless told.
            to: Last UTC date; in 30 days unless told.
            after_id: Cursor: `next_after_id` of the page before.
            limit: How many to answer at most. Default: 25.

        Returns:
            Columns: player_id, event_id, starts_at, status, sport, competition, venue, venue_city,
            role, result, score, opponent_player_id, opponent_name.
        """
        return await self._run(operations.GET_PLAYER_EVENTS, {
            "id": id,
            "status": status,
            "from": from_,
            "to": to,
            "after_id": after_id,
            "limit": limit,
        })

    async def list_mappings(
        self,
        *,
        source: str | None = None,
        ref: str | None = None,
        id: int | None = None,
        type: Literal["event", "team", "player"] | None = None,
        sport: str | None = None,
    ) -> pd.DataFrame:
        """What each source calls an event, a team or a player: by one source’s id, or by the id here.

        For names take `resolve_team` and `resolve_player`. 1 credit.

        Args:
            source: Who has the ref.
            ref: The source’s own id.
            id: In the place of `source` and `ref`.
            type: Of what; required with `id`, else all.
            sport: Sport slug; an unknown one gives an empty list.

        Returns:
            Columns: mapping_type, mapping_id, mapping_sport, mapping_league, mapping_name, source,
            ref, swapped, recorded_at, mapping_merged_from.
        """
        return await self._run(operations.LIST_MAPPINGS, {
            "source": source,
            "ref": ref,
            "id": id,
            "type": type,
            "sport": sport,
        })

    async def list_bets(
        self,
        *,
        after_id: int | None = None,
        from_: str | dt.date | None = None,
        to: str | dt.date | None = None,
        limit: int | None = None,
    ) -> pd.DataFrame:
        """The account’s own bets, newest first, each with grade, fair closing price, closing value and
        profit.

        They are computed anew each time, so they follow corrections. Free.

        Args:
            after_id: Cursor: only bets with smaller ids.
            from_: Only bets placed on this UTC day or later.
            to: Only bets placed on this UTC day or earlier.
            limit: How many to answer at most. Default: 25.

        Returns:
            Columns: id, event_id, sport, home_team, away_team, starts_at, market_key, side, line,
            player_id, team_id, price, stake, book, placed_at, created_at, grade, message,
            closing_fair_price, clv, profit, scope, decimal.
        """
        return await self._run(operations.LIST_BETS, {
            "after_id": after_id,
            "from": from_,
            "to": to,
            "limit": limit,
        })

    async def summarize_bets(
        self,
        *,
        by: Literal["book", "sport", "market", "month"],
    ) -> pd.DataFrame:
        """Stakes, profit and closing value of the account’s own bets, by book, sport, market or month.

        Free.

        Args:
            by: What the rows are of; `month` is that of `placed_at`, UTC.

        Returns:
            Columns: key, bets, staked, profit, clv.
        """
        return await self._run(operations.SUMMARIZE_BETS, {"by": by})

    async def get_usage(
        self,
        *,
        days: int | None = None,
    ) -> pd.DataFrame:
        """What the account has called: by day, by endpoint and by key.

        A key with the scope `all`. Calls of the last seconds may be missing. Free.

        Args:
            days: How many UTC days, up to today. Default: 30.

        Returns:
            Columns: counted_by, date, endpoint, key_id, calls, errors, credits.
        """
        return await self._run(operations.GET_USAGE, {"days": days})

    async def list_ledger(
        self,
        *,
        after_id: int | None = None,
        limit: int | None = None,
    ) -> pd.DataFrame:
        """What changed the account’s credits, newest first: charges, grants, purchases, refunds.

        A key with the scope `all`. Charges of the last second may be missing. Free.

        Args:
            after_id: Cursor: only lines with smaller ids.
            limit: How many to answer at most. Default: 100.

        Returns:
            Columns: id, at, type, credits, about, request_id, key_id.
        """
        return await self._run(operations.LIST_LEDGER, {"after_id": after_id, "limit": limit})


class AsyncStreams:
    """What happens, as it happens. Connections that end are opened again; each opening costs its credit."""

    def __init__(self, run: abc.Callable[[Operation, abc.Mapping[str, object]], abc.AsyncGenerator[Any, None]]) -> None:
        self._run = run

    def score(
        self,
        id: int,
        *,
        include_probability: bool | None = None,
    ) -> abc.AsyncGenerator[t.ScoreSnapshot, None]:
        """The score of one event as server-sent events: now, and at every change until it is over.

        It begins with the present score, so after a lost connection open it again: no
        `Last-Event-ID` is read, and changes in between are not told. `/v1/stream` goes on where it
        ended. 1 credit.

        Args:
            id: Id of the event.
            include_probability: Adds `win_probability` to each score. Default: False.
        """
        return self._run(operations.STREAM_SCORES, {"id": id, "include_probability": include_probability})

    def changes(
        self,
        *,
        types: str | abc.Iterable[str] | None = None,
        sport: str | abc.Iterable[str] | None = None,
        league: str | abc.Iterable[str] | None = None,
        event_id: int | abc.Iterable[int] | None = None,
        bookmaker: str | abc.Iterable[str] | None = None,
        after: str | None = None,
    ) -> abc.AsyncGenerator[t.Change, None]:
        """Changes of all events as server-sent events, as they are recorded, from any cursor on.

        `Last-Event-ID` goes before `after`. First comes `ready` with the cursor from which it goes
        on, then each change under its type. 1 credit.

        Args:
            types: Of score, status, line_move, intelligence, injury, identity, comma-separated.
            sport: Sport slugs, comma-separated.
            league: League slugs, comma-separated.
            event_id: Of one event, or of several.
            bookmaker: Slugs, comma-separated: line moves of these only; other types come anyhow.
            after: A change’s `id`, or `next_after`; 0: the beginning.
        """
        return self._run(operations.STREAM_CHANGES, {
            "types": types,
            "sport": sport,
            "league": league,
            "event_id": event_id,
            "bookmaker": bookmaker,
            "after": after,
        })
