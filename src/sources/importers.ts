import { actionNetworkImporter } from './action-network/importer.ts';
import { actionNetworkProvider } from './action-network/provider.ts';
import { withArchiveImport } from './archive-importer.ts';
import { espnImporter } from './espn/importer.ts';
import { espnProvider } from './espn/provider.ts';
import { footballDataImporter } from './football-data/importer.ts';
import type { Importer } from './importing/importer.ts';
import { kalshiImporter } from './kalshi/importer.ts';
import { kalshiProvider } from './kalshi/provider.ts';
import { MLB } from './mlb/source.ts';
import { nflverseImporter } from './nflverse/importer.ts';
import { NHL } from './nhl/source.ts';
import { polymarketImporter } from './polymarket/importer.ts';
import { polymarketProvider } from './polymarket/provider.ts';
import { createGamesImporter, createGamesProvider } from './provider-base/games-source.ts';
import { tennisDataImporter } from './tennis-data/importer.ts';
import { theOddsApiImporter } from './the-odds-api/importer.ts';
import { theOddsApiProvider } from './the-odds-api/provider.ts';

/** Reading an archive needs no requests. */
const NO_REQUESTS = { regions: [], markets: [], eventMarkets: [], scores: false };

/** All providers whose files can be imported. */
export const IMPORTERS: readonly Importer[] = [
  withArchiveImport(actionNetworkImporter, actionNetworkProvider),
  withArchiveImport(espnImporter, espnProvider),
  footballDataImporter,
  withArchiveImport(kalshiImporter, () => kalshiProvider()),
  withArchiveImport(createGamesImporter(MLB), () => createGamesProvider(MLB)),
  nflverseImporter,
  withArchiveImport(createGamesImporter(NHL), () => createGamesProvider(NHL)),
  withArchiveImport(polymarketImporter, () => polymarketProvider()),
  tennisDataImporter,
  withArchiveImport(theOddsApiImporter, () => theOddsApiProvider(NO_REQUESTS)),
];
