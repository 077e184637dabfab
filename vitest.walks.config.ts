import { defineConfig } from 'vitest/config'

/** Walks through the whole product: the built Worker, a seeded database, a real browser. One at a time. */
export default defineConfig({
  test: {
    include: ['scripts/walks/**/*.walk.ts'],
    globalSetup: ['scripts/walks/setup.ts'],
    testTimeout: 120_000,
    hookTimeout: 300_000,
    fileParallelism: false,
    pool: 'forks',
  },
})
