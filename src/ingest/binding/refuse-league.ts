import { findLeague } from '../../domain/catalogue/catalogue.ts';
import type { Rejection } from '../../domain/feed/rejection.ts';

/**
 * Why a fact of this league is not taken; undefined: it is a league of this server. One that was taken out of the
 * settings may still be that of an event that was recorded before, or of a message that has waited.
 * @param path the field of the message that names the league, or its event
 */
export const refuseLeague = (league: string | null, path: string): Rejection | undefined =>
  findLeague(league ?? '')
    ? undefined
    : {
        code: 'unknown_league',
        message: `${path}: its league ${league} is not among the leagues of this server`,
        path,
      };
