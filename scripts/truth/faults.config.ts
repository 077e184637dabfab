import { defineConfig } from 'vitest/config'
import { workerModules } from '../worker-modules.ts'
import { faults, withFault } from './faults.ts'

const fault = faults.find(({ is }) => is === process.env.TRUTH_FAULT)
if (!fault) throw new Error('TRUTH_FAULT names a fault of scripts/truth/faults.ts.')

/**
 * Runs the check of generated files on a product with one planted fault: a module is changed as it is loaded.
 */
export default defineConfig({
  plugins: [
    workerModules(),
    {
      name: 'planted-fault',
      enforce: 'pre',
      transform: (code, id) =>
        id.replace(/\?.*$/, '').endsWith(`/${fault.file}`) ? withFault(fault, code) : undefined,
    },
  ],
  test: {
    include: ['scripts/truth/truth.test.ts'],
    hookTimeout: 120_000,
    pool: 'forks',
    // The run is expected to fail, so its output is not shown.
    silent: true,
  },
})
