import { appendFileSync } from 'node:fs'
import { relative } from 'node:path'
import { afterAll, inject, type RunnerTestSuite } from 'vitest'
import { processorSeconds } from './process-facts.ts'
import { costsFile } from './test-costs.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The process that holds the product which all files of a lane walk through; none where each has its own. */
    productProcess: number
  }
}

/**
 * Writes down, where a run asks for it, how much processor time a test file took: of the process it runs in, with loading what it
 * imports; of what that process has started, which is a browser and a Worker of its own; of the product that a lane of walks shares.
 * Not in it: what Vitest does to a file before it is run.
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

// Vitest reads from the text of the function that no fixture is asked for. It is the last to be called: a file's own have ended what
// the file has started, and only of a process that has ended all that it took is known.
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
