import { defineConfig } from 'vitest/config'
import { workerModules } from './scripts/worker-modules.ts'

/** Unit tests need no service; database and Worker tests start their own (see db/testing.ts). */
export default defineConfig({
  plugins: [workerModules()],
  test: {
    include: ['{app,functions,db,scripts}/**/*.test.{ts,tsx}'],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    pool: 'forks',
    maxWorkers: 2,
  },
})
