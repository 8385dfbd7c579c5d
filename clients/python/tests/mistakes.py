"""Calls that are wrong. The type checker refuses each of them: without an error, its remark is one too."""

from __future__ import annotations

from ledgerline import AsyncLedgerline, Ledgerline


def sync(ll: Ledgerline) -> None:
    ll.get_event()  # type: ignore[call-arg]
    ll.list_events(sports="nba")  # type: ignore[call-arg]
    ll.list_events(status="finished")  # type: ignore[arg-type]
    ll.list_events("nba")  # type: ignore[call-arg]
    ll.get_health(verbose=True)  # type: ignore[call-arg]
    ll.each.get_event(1)  # type: ignore[attr-defined]
    ll.get_team(1)["nickname"]  # type: ignore[typeddict-item]
    ll.get_event(1, idempotency_key="once")  # type: ignore[call-arg]
    for event in ll.each.list_events():
        event["starts"]  # type: ignore[typeddict-item]


async def asynchronous(ll: AsyncLedgerline) -> None:
    (await ll.get_team(1))["nickname"]  # type: ignore[typeddict-item]
    for _ in ll.each.list_events():  # type: ignore[attr-defined]
        pass
