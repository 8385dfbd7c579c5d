import { actionNetworkProvider } from './action-network/connector.ts';
import { actionNetworkImporter } from './action-network/importer.ts';
import { espnProvider } from './espn/connector.ts';
import { espnImporter } from './espn/importer.ts';
import { footballDataImporter } from './football-data/importer.ts';
import { withArchives } from './importing/archive-importer.ts';
import type { Importer } from './importing/importer.ts';
import { nflverseImporter } from './nflverse/importer.ts';
import { tennisDataImporter } from './tennis-data/importer.ts';
import { theOddsApiProvider } from './the-odds-api/connector.ts';
import { theOddsApiImporter } from './the-odds-api/importer.ts';

/** Who reads an archive asks nothing. */
const NOTHING_ASKED = { regions: [], markets: [], eventMarkets: [], scores: false };

/** Every provider whose files can be imported. */
export const IMPORTERS: readonly Importer[] = [
  withArchives(actionNetworkImporter, actionNetworkProvider),
  withArchives(espnImporter, espnProvider),
  footballDataImporter,
  nflverseImporter,
  tennisDataImporter,
  withArchives(theOddsApiImporter, () => theOddsApiProvider(NOTHING_ASKED)),
];
