// Appends one event at a time to Emmett's SQLite event store, and tells how fast on standard output, as JSON.
//   node emmett.mjs FILE connection|store APPENDS CALLERS DATA
// connection: the store's own append on one connection that stays open. store: the store as its users have it, which
// opens the file for each append and closes it after. Neither takes two appends at once on one connection (the second
// would join the first one's transaction), so the callers take turns.
import {
  appendToStream,
  createEventStoreSchema,
  getSQLiteEventStore,
  sqliteConnection,
} from '@event-driven-io/emmett-sqlite';

const [fileName, mode, appends, callers, data] = process.argv.slice(2);
const connection = sqliteConnection({ fileName });
const pragma = async (name) => Object.values(await connection.querySingle(`PRAGMA ${name}`))[0];
await createEventStoreSchema(connection);
const pragmas = { journal_mode: await pragma('journal_mode'), synchronous: await pragma('synchronous') };
const store = getSQLiteEventStore({ fileName, schema: { autoMigration: 'None' } });
const payload = JSON.parse(data);

const append =
  mode === 'store'
    ? (stream, event) => store.appendToStream(stream, [event])
    : (stream, event) => appendToStream(connection, stream, 'odds', [event]);
let turn = Promise.resolve();
const inTurn = (work) => {
  turn = turn.then(work);
  return turn;
};
const each = Math.floor(Number(appends) / Number(callers));
async function caller(stream) {
  for (let n = 0; n < each; n++) await inTurn(() => append(stream, { type: 'PricesChanged', data: payload }));
}
const begun = performance.now();
await Promise.all(Array.from({ length: Number(callers) }, (_, index) => caller(`odds-${index + 1}`)));
const seconds = (performance.now() - begun) / 1000;
const { count } = await connection.querySingle('SELECT count(*) AS count FROM emt_messages');
connection.close();
console.log(JSON.stringify({ ...pragmas, appends: each * Number(callers), count, seconds }));
