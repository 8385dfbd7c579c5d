import { parseArgs } from 'node:util';
import { startDouble } from './double-server.ts';

// Arguments: `--folder FOLDER --port PORT`. Ends with SIGTERM. EVENT_LOG_DOUBLE_CONTROL names the file with which tests
// cause failures; see `double-control.ts`.
const { folder, port } = parseArgs({ options: { folder: { type: 'string' }, port: { type: 'string' } } }).values;
if (folder === undefined || port === undefined) {
  console.error('--folder and --port are needed');
  process.exit(2);
}
const double = await startDouble({ folder, port: Number(port), control: process.env['EVENT_LOG_DOUBLE_CONTROL'] });
console.log(`a double of EventStoreDB's protocol listens on port ${double.port}`);
process.once('SIGTERM', () => {
  double.close();
  process.exit(0);
});
