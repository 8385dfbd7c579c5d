import { defineConfig } from 'vitest/config';

// A test file's name says what it costs: *.test.ts needs nothing, *.server.test.ts starts real servers,
// *.browser.test.ts needs a browser. A *.property.test.ts tries some of its cases in the project `unit`, and all of
// them in the project `thorough`; see test/cases.ts.
export default defineConfig({
  test: {
    // By default one core is left idle, which of two is a lot: many tests wait for a disk or a socket.
    maxWorkers: '100%',
    projects: [
      {
        test: {
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: ['test/**/*.server.test.ts', 'test/**/*.browser.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          // Each process loads the server once for all of its files, which else takes longer than most of them.
          isolate: false,
        },
      },
      {
        test: {
          name: 'servers',
          include: ['test/**/*.server.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          fileParallelism: false,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          name: 'thorough',
          include: ['test/**/*.property.test.ts'],
          env: { CASES: process.env['CASES'] ?? '1' },
          testTimeout: 60_000,
          hookTimeout: 60_000,
          sequence: { groupOrder: 2 },
        },
      },
      {
        test: {
          name: 'browser',
          include: ['test/**/*.browser.test.ts'],
          testTimeout: 300_000,
          hookTimeout: 180_000,
          fileParallelism: false,
        },
      },
    ],
  },
});
