import { appendFileSync } from 'node:fs'
import { relative } from 'node:path'
import { afterAll, inject, type RunnerTestSuite } from 'vitest'
import { processorSeconds } from './process-facts.ts'
import { costsFile } from './test-costs.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The process of the product that all files of a lane share; absent where each file starts its own. */
    productProcess: number
  }
}

/**
 * Writes down, when a run asks for it, the processor time of a test file: of its own process, with loading
 * its imports; of the child processes it started, such as a browser and a Worker; and of the product that a
 * lane of walks shares. Vitest's own work on a file before it runs is not included.
 */
const path = process.env[costsFile]
const product = inject('productProcess') as number | undefined

const readTimes = () => {
  const { user, system } = process.cpuUsage()
  const own = (user + system) / 1e6
  return {
    own,
    started: Math.max(0, (processorSeconds(process.pid) ?? own) - own),
    product: (product && processorSeconds(product, process.pid)) || 0,
  }
}
const before = path ? readTimes() : undefined

// Vitest reads the function's source for destructured fixtures; `{}` requests none. Hooks run in reverse
// order, so this is the last: the file's own hooks have ended its child processes, and processor time of
// children is only known after they have ended.
afterAll(({}, suite: Readonly<RunnerTestSuite>) => {
  if (!path || !before) return
  const after = readTimes()
  const file = relative(process.cwd(), suite.file.filepath)
  const seconds = {
    own: after.own - before.own,
    started: after.started - before.started,
    product: after.product - before.product,
  }
  appendFileSync(path, `${JSON.stringify({ file, ...seconds })}\n`)
})
