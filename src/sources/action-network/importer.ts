import { Readable } from 'node:stream';
import { createImportNotes } from '../importing/import-notes.ts';
import { type Importer, UnknownFileShape } from '../importing/importer.ts';
import { peekBeginning } from '../importing/peek-beginning.ts';
import { openCsv } from '../parsing/csv.ts';
import { asRecord, asRecords, readJson, unwrapEnvelope } from '../parsing/json-values.ts';
import { GAME_LINE_COLUMNS, gameLines } from './game-lines.ts';
import { gameMessages } from './scoreboard.ts';

const EXPECTED = 'a scoreboard of Action Network (web/v2) as JSON, or NFL game lines made of them as CSV';
const PROPS =
  'game lines; files of player props name neither the sides of their games nor the players in full, so that nothing ' +
  'could be said of them without guessing';

/** Scoreboards with their odds and splits, and CSV files of NFL game lines. */
export const actionNetworkImporter: Importer = {
  name: 'action-network',
  summary: 'scoreboards of Action Network with odds and splits (JSON), and NFL game lines made of them (CSV)',
  needsStarts: true,
  async *translate(file, options) {
    // Standard input has no file name, so look at the content: a scoreboard is a JSON object.
    const { beginning, bytes } = await peekBeginning(file.open());
    const open = () => Readable.from(bytes, { objectMode: false });
    if (!/^\s*[{[]/.test(beginning)) {
      // A file without even a header is no CSV, whatever error the parser reports.
      const csv = await openCsv(open()).catch(() => {
        throw new UnknownFileShape(file.name, EXPECTED);
      });
      if (csv.has('bet_type') && csv.has('action_network_player_id')) throw new UnknownFileShape(file.name, PROPS);
      if (!GAME_LINE_COLUMNS.every((column) => csv.has(column))) throw new UnknownFileShape(file.name, EXPECTED);
      yield* gameLines(csv, options);
      return;
    }
    const { body } = unwrapEnvelope(await readJson({ name: file.name, open }, EXPECTED));
    const games = asRecord(body)['games'];
    if (!Array.isArray(games)) throw new UnknownFileShape(file.name, EXPECTED);
    const notes = createImportNotes();
    for (const game of asRecords(games)) {
      for (const message of gameMessages(game, options.at, notes)) yield { message };
      yield* notes.drain();
    }
  },
};
