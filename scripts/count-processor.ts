import { appendFileSync } from 'node:fs'
import { relative } from 'node:path'
import { afterAll, type RunnerTestSuite } from 'vitest'
import { costsFile } from './test-costs.ts'

/**
 * Writes down, where a run asks for it, how much processor time a test file took of the process it runs in, with loading what it
 * imports. Not in it: a browser, a server, and what Vitest does to a file before it is run.
 */
const path = process.env[costsFile]
const before = process.cpuUsage()

// Vitest reads from the text of the function that no fixture is asked for.
afterAll(({}, suite: Readonly<RunnerTestSuite>) => {
  if (!path) return
  const { user, system } = process.cpuUsage(before)
  const file = relative(process.cwd(), suite.file.filepath)
  appendFileSync(path, `${JSON.stringify({ file, processor: (user + system) / 1e6 })}\n`)
})
