import { defineConfig } from 'vitest/config'
import { filesBelow } from './scripts/files-below.ts'
import { moduleCache } from './scripts/module-cache.ts'
import { createOrderedSequencer } from './scripts/test-order.ts'
import { isOfPart, testPart } from './scripts/test-part.ts'

/** Walks that bring up a Worker and a database of their own. */
const apart = [
  ...['answers', 'crawl', 'deployment', 'evicted', 'hostile-files', 'hostile-pages', 'keeping'],
  ...['archive', 'editor-faults', 'large-archive', 'large-table', 'limits', 'neighbours', 'private'],
].map((name) => `scripts/walks/${name}.walk.ts`)

/** What is walked as a whole or not at all, by `npm run test:full`: only to load them takes seconds. */
const onlyFull = ['gallery', 'places'].map((name) => `scripts/walks/${name}.walk.ts`)
const isFull = process.env.PROOF_SIZE === 'full'

const lists = { demo: [] as string[], apart: [] as string[] }
for (const path of filesBelow('.', 'scripts/walks')) {
  if (!path.endsWith('.walk.ts') || !isOfPart(path, process.env[testPart])) continue
  if (onlyFull.includes(path) && !isFull) continue
  lists[apart.includes(path) || onlyFull.includes(path) ? 'apart' : 'demo'].push(path)
}

/**
 * Every page and its files are looked at before others change them, and what one change has made is counted before others
 * change anything: files of a change are made within the minute after it. The demo's own are made while the routes are
 * walked, and waited for in `public`.
 */
const early = ['routes', 'public', 'staff'].map((name) => `/${name}.walk.ts`)

const shared = {
  testTimeout: 120_000,
  hookTimeout: 300_000,
  fileParallelism: false,
  pool: 'forks',
  // One process for all files: each has modules of its own, while packages stay loaded.
  isolate: false,
  setupFiles: ['scripts/forget-modules.ts', 'scripts/count-processor.ts'] as string[],
  // A failure says what it found, not "Array(1)": what a browser complains of is read in a log that holds nothing else.
  chaiConfig: { truncateThreshold: 0 },
} as const

/** Walks through the whole product: the built Worker, a seeded database, a real browser. One at a time. */
export default defineConfig({
  test: {
    ...shared,
    experimental: moduleCache,
    sequence: { sequencer: createOrderedSequencer(['demo', 'apart'], early) },
    projects: [
      {
        test: {
          ...shared,
          name: 'demo',
          include: lists.demo,
          globalSetup: ['scripts/walks/setup.ts'],
        },
      },
      { test: { ...shared, name: 'apart', include: lists.apart } },
    ],
  },
})
