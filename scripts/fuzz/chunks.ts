import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { register } from 'node:module'
import { sourcesHash } from '../stored-figures.ts'
import { fuzz, type Finding, type Run } from '#functions/v1/fuzz/run.testing.ts'

// Pictures are drawn by a WebAssembly module, which is loaded with the first one.
register('./worker-modules-hooks.mjs', import.meta.url)

/**
 * Cases per chunk: each chunk has its own world, so that data destroyed by one does not make the next
 * trivial.
 */
const chunkSize = 500

interface FuzzReport {
  cases: number
  /** The names of the requested endpoints. */
  endpoints: Set<string>
  statuses: Record<string, number>
  findings: Finding[]
}

/**
 * Sends so many generated requests from a seed, in chunks whose results are stored: an interrupted run
 * resumes where it was, as long as the sources are unchanged. `log` gets a line per chunk.
 */
export async function fuzzInChunks(
  seed: number,
  cases: number,
  log: (line: string) => void,
): Promise<FuzzReport> {
  const folder = `.cache/fuzz/${sourcesHash()}/${seed}`
  mkdirSync(folder, { recursive: true })
  const total: FuzzReport = { cases: 0, endpoints: new Set(), statuses: {}, findings: [] }
  for (let chunk = 0; total.cases < cases; chunk += 1) {
    const size = Math.min(chunkSize, cases - total.cases)
    const file = `${folder}/${chunk}-${size}.json`
    const isKept = existsSync(file)
    // Each chunk has its own seed, so that its requests do not depend on the chunks before.
    const run = isKept
      ? (JSON.parse(readFileSync(file, 'utf8')) as Run)
      : await fuzz(seed * 100_000 + chunk, size)
    if (!isKept) writeFileSync(file, JSON.stringify(run))
    add(total, run)
    log(`  ${total.cases} of ${cases} cases, ${total.findings.length} findings${isKept ? ' (kept)' : ''}`)
  }
  return total
}

function add(total: FuzzReport, run: Run) {
  total.cases += run.cases
  for (const name of run.endpoints) total.endpoints.add(name)
  for (const [status, count] of Object.entries(run.statuses))
    total.statuses[status] = (total.statuses[status] ?? 0) + count
  for (const finding of run.findings) {
    const existing = total.findings.find(
      ({ rule, endpoint }) => rule === finding.rule && endpoint === finding.endpoint,
    )
    if (existing) existing.count += finding.count
    else total.findings.push(finding)
  }
}
