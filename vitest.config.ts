import { defineConfig } from 'vitest/config'
import { inOrder } from './scripts/test-order.ts'
import { workerModules } from './scripts/worker-modules.ts'

/** What takes longest starts first: begun last, it would have one core work and the other wait. */
const longest = [
  'functions/v1/matrix.test.ts',
  'functions/v1/canaries.test.ts',
  'functions/v1/statements.test.ts',
  'functions/domain/identity/accounts.test.ts',
  'functions/domain/records/stats.test.ts',
  'functions/v1/examples/examples.test.ts',
  'functions/domain/importer/job/faults.test.ts',
  'functions/domain/dataType/schemaChange/attacks.test.ts',
  'functions/v1/fuzz.test.ts',
  'functions/engine/query/differential/differential.test.ts',
  'scripts/truth/truth.test.ts',
  'scripts/tiles.test.ts',
]

/**
 * Rooms that hold nothing which one test file could leave behind for the next. Their files share a process and its modules, which
 * halves what they cost (2,200 tests: 47 s of CPU apart, 25 s together).
 */
const sharing = [
  'app/{client,components,islands,styles,theme}/**/*.test.{ts,tsx}',
  'app/routes/*/{builder,dashboard,records,schema,story}/**/*.test.{ts,tsx}',
  'functions/{engine,platform,shapes}/**/*.test.ts',
]

const test = {
  testTimeout: 60_000,
  hookTimeout: 120_000,
  pool: 'forks',
  maxWorkers: 2,
} as const

/** Unit tests need no service; database and Worker tests start their own (see db/testing.ts). */
export default defineConfig({
  test: {
    ...test,
    sequence: { sequencer: inOrder(longest) },
    projects: [
      { plugins: [workerModules()], test: { ...test, name: 'shared', isolate: false, include: sharing } },
      {
        plugins: [workerModules()],
        test: {
          ...test,
          name: 'alone',
          include: ['{app,functions,db,scripts}/**/*.test.{ts,tsx}'],
          exclude: sharing,
        },
      },
    ],
  },
})
