"""All checks of a run. Each takes what is known of it and returns its complaints."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from tests.faults import (
    check_clocks,
    check_money,
    check_moves,
    check_secrets,
    check_site,
    check_viewers,
)
from tests.faults.evidence import Evidence

CHECKS: Final[tuple[Callable[[Evidence], list[str]], ...]] = (
    check_moves.acknowledged_moves_stand,
    check_moves.records_hold_what_was_played,
    check_moves.records_replay_and_verify,
    check_viewers.logs_have_no_holes,
    check_viewers.events_come_once_and_in_order,
    check_viewers.viewers_see_their_own_seat,
    check_viewers.nothing_odd_happened,
    check_viewers.play_goes_on_without_postgres,
    check_money.matches_end_and_are_kept_once,
    check_money.handshakes_that_came_to_nothing_are_kept,
    check_money.stakes_are_settled_once,
    check_money.balances_follow_from_the_results,
    check_clocks.fast_players_never_lose_on_time,
    check_clocks.site_time_stands_still_in_outages,
    check_clocks.only_time_used_is_charged,
    check_secrets.no_secret_is_told_early,
    check_secrets.no_hidden_tile_is_shown,
    check_secrets.no_log_tells_anything,
    check_site.nobody_plays_twice,
    check_site.other_seats_are_freed,
    check_site.processes_complain_of_nothing_else,
    check_site.processes_take_no_more,
    check_site.nothing_is_left_behind,
)
