import { type SeasonDocument, seasons } from '../../../projections/sports-events/seasons.ts';
import { findLeague, seasonId } from '../../domain/catalogue/catalogue.ts';
import { timeOf } from '../../domain/observations/observation.ts';
import { hexSeasonId } from '../../domain/primitives/hex-ids.ts';
import { compareByCodePoint } from '../../domain/primitives/text-order.ts';
import { parseDate } from '../../domain/primitives/time.ts';
import type { OperationContext } from '../calls/operation/operation.ts';
import { offeredOutcomes, readSeasonOutrights } from '../operations/odds/season-outrights.ts';
import { readDocument } from '../operations/shared/read-documents.ts';
import { oddsApiBookmakerOf } from './bookmaker-keys.ts';
import { OUTRIGHTS } from './market-keys.ts';
import { seasonsOf, WINNER } from './outright-seasons.ts';
import type { PathQuery } from './path-query.ts';
import { renderTime } from './render-odds-api-events.ts';
import { isChosen, priceIn } from './render-odds-api-odds.ts';
import type { OddsApiSport } from './sport-keys.ts';

/**
 * Who wins a season, as an event without sides. It commences when the season ends, by what schedules say; null where
 * none does.
 */
export async function oddsOfSeasons(
  sport: OddsApiSport,
  { parameters, moment }: PathQuery,
  context: OperationContext,
): Promise<unknown[]> {
  if (!parameters.markets.has(OUTRIGHTS)) return [];
  const { books: choice, dateFormat, oddsFormat } = parameters;
  const league = findLeague(sport.league)!;
  const shown: unknown[] = [];
  for (const season of seasonsOf(sport, moment.at)) {
    const wanted = { league, season, market: WINNER, asOf: moment.asOf };
    const entryOf = (slug: string) => oddsApiBookmakerOf(slug, context.bookmakers);
    const { books, namesOf } = await readSeasonOutrights(
      wanted,
      (slug) => isChosen(choice, slug, entryOf(slug)),
      context,
    );
    const bookmakers = books
      .map((book) => {
        const { key, title } = entryOf(book.bookmaker);
        const outcomes = offeredOutcomes(book).map((one) => {
          const { team, player } = namesOf(one);
          return { name: team ?? player!, price: priceIn(oddsFormat, one.price) };
        });
        const last_update = renderTime(timeOf(book.capturedAt), dateFormat);
        return { key, title, last_update, markets: [{ key: OUTRIGHTS, last_update, outcomes }] };
      })
      .filter(({ markets }) => markets[0]!.outcomes.length > 0)
      .sort((a, b) => compareByCodePoint(a.key, b.key));
    if (bookmakers.length === 0) continue;
    const id = seasonId(league, season);
    const end = (await readDocument<SeasonDocument>(context, seasons, String(id), moment.asOf))?.given.end_date;
    shown.push({
      id: hexSeasonId(id),
      sport_key: sport.key,
      sport_title: sport.title,
      commence_time: end === undefined ? null : renderTime(parseDate(end)!, dateFormat),
      home_team: null,
      away_team: null,
      bookmakers,
    });
  }
  return shown;
}
