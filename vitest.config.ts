import { readFileSync } from 'node:fs'
import { defineConfig } from 'vitest/config'
import { filesBelow } from './scripts/files-below.ts'
import { moduleCache } from './scripts/module-cache.ts'
import { statefulModules } from './scripts/stateful-modules.ts'
import { createOrderedSequencer } from './scripts/test-order.ts'
import { isOfPart, testPart } from './scripts/test-part.ts'
import { workerModules } from './scripts/worker-modules.ts'

/** What takes or waits longest starts first: begun last, it would have one core work and the other wait. */
const longest = [
  'functions/jobs/third-parties.test.ts',
  'functions/edge/answers/answer-from-cache.test.ts',
  'db/slow-connect.test.ts',
  'functions/edge/tiles/records.test.ts',
  'functions/v1/matrix.test.ts',
  'functions/v1/canaries.test.ts',
  'functions/v1/statements.test.ts',
  'functions/domain/records/stats.test.ts',
  'functions/domain/data-type/delete.test.ts',
  'functions/v1/examples/examples.test.ts',
  'functions/domain/importer/job/faults.test.ts',
  'functions/domain/data-type/schema-change/attacks.test.ts',
  'functions/v1/fuzz.test.ts',
  'functions/engine/query/differential/differential.test.ts',
  'scripts/killed-start.test.ts',
  'scripts/faults/restore.test.ts',
  'scripts/truth/truth.test.ts',
  'scripts/tiles.test.ts',
  'db/postgres.test.ts',
  'db/embedded/embedded.test.ts',
  'db/migrate.test.ts',
]

/**
 * Rooms that remember nothing between two requests. Their test files share a process and its modules, since loading the
 * product anew for each takes more than most of them do; each has a database of its own all the same.
 */
const sharing =
  /^(?:app\/(?:client|components|islands|styles|theme|routes\/[^/]+\/(?:builder|dashboard|records|schema|story))|functions\/(?:api|domain|engine|platform|shapes|v1))\//
/** What such a file may not ask for: rooms that remember; uses counted in memory. */
const statefulImports = new RegExp(`['"]#${statefulModules}|\\bflushUse\\b`)

/** Other files share a process as well, but each has modules of its own; one that replaces modules has the process alone. */
const replacing = /\bvi\.mock\(/

const lists = { shared: [] as string[], anew: [] as string[], alone: [] as string[] }
for (const path of filesBelow('.')) {
  if (!/^(?:app|functions|db|scripts)\/.*\.test\.tsx?$/.test(path)) continue
  if (!isOfPart(path, process.env[testPart])) continue
  const text = readFileSync(path, 'utf8')
  if (replacing.test(text)) lists.alone.push(path)
  else if (sharing.test(path) && !statefulImports.test(text)) lists.shared.push(path)
  else lists.anew.push(path)
}
const { shared, anew, alone } = lists

const test = {
  testTimeout: 60_000,
  hookTimeout: 120_000,
  pool: 'forks',
  setupFiles: ['scripts/count-processor.ts', 'scripts/cheap-passwords.ts'] as string[],
  // Its module is made ready once in each registry of modules, so it must be forgotten with them.
  server: { deps: { inline: ['@resvg/resvg-wasm'] as string[] } },
} as const

/** The addresses of a hub page's script and styles, and no styles read, where nothing was built: `vite.config.ts` has those of a build. */
const hubModules: Record<string, string> = {
  'virtual:hub-assets': "export const hubAssets = { style: '/hub/hub.css', script: '/hub/hub.js', icon: '' }",
  'virtual:hub-css': 'export const hubStyles = null, laterNames = null',
}
const hubAssets = {
  name: 'hub-assets',
  resolveId: (source: string) => (Object.hasOwn(hubModules, source) ? `\0${source}` : undefined),
  load: (id: string) => (id.startsWith('\0') ? hubModules[id.slice(1)] : undefined),
}

/** Unit tests need no service; database and Worker tests start their own (see db/testing.ts). */
export default defineConfig({
  test: {
    ...test,
    experimental: moduleCache,
    // `anew` has the files that wait: first, while the walks use the processor time that they leave.
    sequence: { sequencer: createOrderedSequencer(['anew', 'shared', 'alone'], longest) },
    // A file waits for Postgres as well: a third one has what two leave of two cores.
    maxWorkers: 3,
    projects: [
      {
        plugins: [workerModules(), hubAssets],
        test: { ...test, name: 'shared', isolate: false, include: shared },
      },
      {
        plugins: [workerModules(), hubAssets],
        test: {
          ...test,
          name: 'anew',
          isolate: false,
          setupFiles: ['scripts/forget-modules.ts', ...test.setupFiles],
          include: anew,
        },
      },
      { plugins: [workerModules(), hubAssets], test: { ...test, name: 'alone', include: alone } },
    ],
  },
})
