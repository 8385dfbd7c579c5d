import { openSqliteLog } from '../../../src/event-log/sqlite/sqlite-log.ts';

// Appends to the log in the file of its first argument, and prints `stream revision position` of each append that
// returned, until it is killed. Started by sqlite-log.test.ts.
const log = openSqliteLog({ file: process.argv[2]! });

async function appendForEver(stream: string): Promise<never> {
  for (;;) {
    const event = { type: 'ScoreChanged', version: 1, data: { stream }, meta: { partition: stream } };
    const { revision, position } = await log.append(stream, [event, event], 'any');
    process.stdout.write(`${stream} ${revision} ${position}\n`);
  }
}
await Promise.all(Array.from({ length: 16 }, (_, i) => appendForEver(`score-${i}`)));
