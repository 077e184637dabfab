import { importInWorker, type WorkerSample } from './import-worker.ts'
import { openServer } from './server.ts'
import { build } from '../build.ts'
import type { FigureReporter } from '../figures-proof.ts'

/** Characters of notes per row, as in `import-memory.ts`: with them a row has about two kilobytes. */
const notes = 2000
const bytesOfRow = notes + 85

/**
 * Measures the memory of the Worker's isolate during the import of a large file (`--megabytes 1000`), which
 * is limited. Also prints by how much the process of workerd grows, sampled every 50 ms from before the file
 * is opened until the run has ended.
 */
export async function importLimit(
  reporter: FigureReporter,
  { megabytes = '1000' }: Record<string, string>,
): Promise<void> {
  await build(reporter.log)
  const server = await openServer(reporter.log)
  const rows = Math.round((Number(megabytes) * 1_000_000) / bytesOfRow)
  const processes: number[] = []
  let samples: WorkerSample[]
  const startMs = performance.now()
  try {
    samples = await importInWorker(server.owner, rows, notes, (heldMegabytes) =>
      processes.push(heldMegabytes),
    )
  } finally {
    await server.close()
  }
  const seconds = (performance.now() - startMs) / 1000
  const [base = NaN] = processes
  const most = Math.max(...processes)
  const file = `${Number(megabytes).toLocaleString('en')} MB of CSV`
  reporter.log(`  ${rows} rows in ${Math.round(seconds)} s, the file's upload included`)
  reporter.log(
    `  workerd: ${Math.round(base)} MB before it, ${Math.round(most)} at most, ${processes.length} looks`,
  )
  reporter.least('looks at the memory of workerd', processes.length, seconds * 8, 'looks')
  const isolate = Math.max(...samples.map((sample) => sample.isolate))
  reporter.most(`${file} brought in: the isolate of the Worker at most`, isolate, 128, 'MB')
}
