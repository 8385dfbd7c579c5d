import { defineConfig } from 'vitest/config';
import { CLUSTER_FILES, LEFT_OUT } from './test/support/cluster/cluster-files.ts';

// A test file's name says what it costs: *.test.ts needs nothing, *.long.test.ts takes more than a second or two,
// *.server.test.ts starts real servers, *.browser.test.ts needs a browser. A *.property.test.ts tries some of its cases
// in the project `unit`, unless it is long, and all of them in the project `thorough`; see test/support/cases.ts.

const WHOLE_CLUSTERS = [
  'test/system/chaos/*.server.test.ts',
  'test/server/cluster/{commands-in-cluster,moving-a-folder,staleness-and-metrics}.server.test.ts',
];

/** Hard work of this server's own processes alone, beside which others may run. */
const TRIALS = ['test/system/{kill,real-data,updates}/*.server.test.ts'];

/** They wait for leases, timeouts and servers that are away, and leave their core idle meanwhile: others may run beside them. */
const WAITING = [
  'test/server/standby/*.server.test.ts',
  'test/server/backup/backup-{copy,s3-trouble}.server.test.ts',
  'test/messaging/**/*.server.test.ts',
  'test/accounts/credits/redis/redis-{processes,faults}.server.test.ts',
  'test/event-log/eventstore/eventstore-log-failures.server.test.ts',
];

/** With CONFIG, tests run as in a process that begins with the leagues of that file. */
const LEAGUES = ['src/server/composition/install-leagues.ts'];

/** What becomes so in the end may take a while on a machine that does other work too. */
const PATIENT = { poll: { timeout: 20_000 } };

export default defineConfig({
  test: {
    // By default one core is left idle, which of two is a lot: many tests wait for a disk or a socket.
    maxWorkers: '100%',
    // What one run has compiled the next one need not, which takes half a minute of each.
    experimental: { fsModuleCache: true },
    projects: [
      {
        test: {
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: ['test/**/*.{server,browser,long,long.property}.test.ts'],
          setupFiles: LEAGUES,
          testTimeout: 60_000,
          expect: PATIENT,
          hookTimeout: 60_000,
          // Each process loads the server once for all of its files, which else takes longer than most of them.
          isolate: false,
        },
      },
      {
        test: {
          name: 'long',
          include: ['test/**/*.long.test.ts'],
          setupFiles: LEAGUES,
          testTimeout: 60_000,
          expect: PATIENT,
          hookTimeout: 60_000,
          isolate: false,
          sequence: { groupOrder: 5 },
        },
      },
      {
        test: {
          name: 'servers',
          include: ['test/**/*.server.test.ts'],
          exclude: [...WHOLE_CLUSTERS, ...TRIALS, ...WAITING],
          testTimeout: 120_000,
          expect: PATIENT,
          hookTimeout: 120_000,
          fileParallelism: false,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          name: 'trials',
          include: TRIALS,
          testTimeout: 120_000,
          expect: PATIENT,
          hookTimeout: 120_000,
          fileParallelism: false,
          sequence: { groupOrder: 6 },
        },
      },
      {
        test: {
          name: 'waiting',
          include: WAITING,
          testTimeout: 120_000,
          expect: PATIENT,
          hookTimeout: 120_000,
          fileParallelism: false,
          sequence: { groupOrder: 7 },
        },
      },
      {
        test: {
          name: 'thorough',
          include: ['test/**/*.property.test.ts'],
          env: { CASES: process.env['CASES'] ?? '1' },
          testTimeout: 60_000,
          expect: PATIENT,
          hookTimeout: 60_000,
          isolate: false,
          sequence: { groupOrder: 2 },
        },
      },
      {
        // Some twenty processes at once: nothing else runs beside them.
        test: {
          name: 'whole-clusters',
          include: WHOLE_CLUSTERS,
          testTimeout: 300_000,
          expect: PATIENT,
          hookTimeout: 300_000,
          fileParallelism: false,
          sequence: { groupOrder: 4 },
        },
      },
      {
        test: {
          name: 'cluster',
          include: [...CLUSTER_FILES],
          exclude: [...LEFT_OUT.keys()],
          env: { PROFILE: 'cluster' },
          globalSetup: ['test/support/cluster/engines-of-run.ts'],
          testTimeout: 300_000,
          expect: PATIENT,
          hookTimeout: 300_000,
          isolate: false,
          // They wait for the engines most of the time.
          maxWorkers: 5,
          sequence: { groupOrder: 3 },
        },
      },
      {
        test: {
          name: 'browser',
          include: ['test/**/*.browser.test.ts'],
          testTimeout: 300_000,
          expect: PATIENT,
          hookTimeout: 180_000,
          fileParallelism: false,
        },
      },
    ],
  },
});
