"""Everything that the-odds-api-sdk can ask, as it comes from PyPI; told where to ask by its own parameter. Prints JSON."""

import dataclasses
import json
import sys

from the_odds_api_sdk import OddsAPIClient
from the_odds_api_sdk.exceptions import OddsAPIError

base, key, sport, date = sys.argv[1:]
client = OddsAPIClient(api_key=key, base_url=base + "/v4/")
events = client.get_events(sport)
event = events[0].id
books = {"regions": ["us", "eu"], "markets": ["h2h", "spreads"]}

answers = {
    "sports": client.get_sports(),
    "all_sports": client.get_sports(all_sports=True),
    "events": events,
    "odds": client.get_odds(sport, **books, odds_format="american"),
    "odds_unix": client.get_odds(sport, **books, date_format="unix"),
    "event_odds": client.get_event_odds(sport, event, regions=["us"], markets=["h2h"]),
    "participants": client.get_participants(sport),
    "scores": client.get_scores(sport, days_from=3),
    "historical_odds": client.get_historical_odds(sport, date, **books),
    "historical_events": client.get_historical_events(sport, date),
    "historical_event_odds": client.get_historical_event_odds(sport, event, date, regions=["us"], markets=["h2h"]),
}


def refusal(call):
    try:
        call()
    except OddsAPIError as error:
        return type(error).__name__
    return None


answers["refusals"] = [
    refusal(lambda: client.get_odds("curling", regions=["us"])),
    refusal(lambda: client.get_odds(sport, regions=["mars"])),
    refusal(lambda: OddsAPIClient(api_key="wrong", base_url=base + "/v4/").get_sports()),
]
print(json.dumps(answers, default=lambda one: dataclasses.asdict(one) if dataclasses.is_dataclass(one) else str(one)))
