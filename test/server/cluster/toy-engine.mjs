// An engine for the tests of the supervisor: it tells how often it was started in its folder.
import { appendFileSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';

const [port, file] = process.argv.slice(2);
appendFileSync(file, 'started\n');
createServer((_, response) => response.end(readFileSync(file))).listen(Number(port), '127.0.0.1');
