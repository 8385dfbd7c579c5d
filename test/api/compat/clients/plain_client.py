"""What theoddsapi can ask of version 4, as it comes from PyPI; its HOST is the only thing that is another. Prints JSON."""

import json
import sys

import requests
from theoddsapi import TheOddsAPI

base, key, sport, date = sys.argv[1:]
TheOddsAPI.HOST = base
client = TheOddsAPI(key)
odds = client.get_odds(sport=sport, regions="us,eu", markets="h2h,spreads", oddsFormat="american")
event = odds[0]["id"]

answers = {
    "sports": client.get_sports(),
    "all_sports": client.get_sports(all="true"),
    "odds": odds,
    "scores": client.get_scores(sport=sport, daysFrom=3),
    "event_odds": client.get_event_odds(sport=sport, eventId=event, regions="us", markets="h2h"),
    "remaining": client.get_requests_remaining(),
    "used": client.get_requests_used(),
}
try:
    client.get_odds(sport=sport, regions="mars")
except requests.exceptions.HTTPError as error:
    answers["refusal"] = error.response.status_code
print(json.dumps(answers))
