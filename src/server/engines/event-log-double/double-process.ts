import { parseArgs } from 'node:util';
import { DOUBLE_KINDS } from './double-kind.ts';
import { startDouble } from './double-server.ts';

// Arguments: `--folder FOLDER --port PORT [--kind 22.10|24.6]`. Ends with SIGTERM. EVENT_LOG_DOUBLE_CONTROL names the file with which tests
// cause failures; see `double-control.ts`.
const text = { type: 'string' } as const;
const { folder, port, kind } = parseArgs({ options: { folder: text, port: text, kind: text } }).values;
if (folder === undefined || port === undefined) {
  console.error('--folder and --port are needed');
  process.exit(2);
}
const known = DOUBLE_KINDS.find((name) => name === kind);
if (kind !== undefined && known === undefined) {
  console.error(`--kind is one of ${DOUBLE_KINDS.join(', ')}`);
  process.exit(2);
}
const double = await startDouble({
  folder,
  port: Number(port),
  kind: known,
  control: process.env['EVENT_LOG_DOUBLE_CONTROL'],
});
console.log(`a double of EventStoreDB's protocol listens on port ${double.port}`);
process.once('SIGTERM', () => {
  double.close();
  process.exit(0);
});
