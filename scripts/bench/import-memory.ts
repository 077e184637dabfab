import { importInProcess } from './import-process.ts'
import { importInWorker } from './import-worker.ts'
import type { Stage } from './import-world.ts'
import { makeReportLine, median, type Line } from './measure.ts'
import type { Scale } from './scale.ts'

const most = { rows: 1_000_000, megabytes: 1000 }
/**
 * Characters of notes per row: with them a row has about two kilobytes, as rows with texts have. Without them
 * it has 85 bytes.
 */
const notes = 2000
/** Ten per second: a tenth of a run of less than some twenty seconds is too short to be meaningful. */
const minSamples = 200

/**
 * Measures the memory of imports: of up to a million rows, and of up to a gigabyte (as many megabytes as
 * thousand records). Each in a process with a bundled program and a bounded heap, and in the built Worker,
 * whose isolate is what the platform limits. Reports the peak, and whether the end needs as much as the
 * beginning.
 */
export async function benchImportMemory({ rows: rowCount, server }: Scale): Promise<Line[]> {
  const rows = Math.min(rowCount, most.rows)
  const megabytes = Math.min(rowCount / 1000, most.megabytes)
  const large = Math.round((megabytes * 1_000_000) / (notes + 85))
  const files = [
    { file: `${rows.toLocaleString('en')} rows of CSV`, rows, notes: 0 },
    { file: `${Math.round(megabytes).toLocaleString('en')} MB of CSV`, rows: large, notes },
  ]
  const lines: Line[] = []
  for (const each of files) {
    const startMs = performance.now()
    const samples = await importInProcess(server.owner, each.rows, each.notes)
    const rss = pickMegabytes(samples, (sample) => sample.rss)
    const inUse = pickMegabytes(samples, (sample) => sample.held)
    lines.push(
      buildMaximumLine(each, 'the process', rss, secondsSince(startMs)),
      buildMaximumLine(each, 'objects and buffers of the process', inUse, ''),
      ...buildGrowthLines(each, 'the process', rss, median),
      ...buildStageGrowthLines(each, 'the process', rss, median),
    )
  }
  for (const each of files) {
    const startMs = performance.now()
    const samples = await importInWorker(server.owner, each.rows, each.notes)
    const isolate = pickMegabytes(samples, (sample) => sample.isolate)
    const processMegabytes = Math.round(computeMaximum(samples.map((sample) => sample.process ?? 0)))
    const beside = processMegabytes ? `; workerd with its fifteen other isolates ${processMegabytes} MB` : ''
    lines.push(
      buildMaximumLine(each, 'the Worker’s isolate', isolate, `${secondsSince(startMs)}${beside}`),
      // Heap size fluctuates with garbage, and a commit makes more garbage than reading: only the peaks are
      // meaningful.
      ...buildStageGrowthLines(each, 'the Worker’s isolate at most', isolate, computeMaximum),
    )
  }
  return lines
}

interface File {
  file: string
  rows: number
}

interface MemorySample {
  stage: Stage
  megabytes: number
}

/** Picks one figure of each sample. */
const pickMegabytes = <S extends { stage: Stage }>(
  samples: S[],
  megabytes: (sample: S) => number,
): MemorySample[] => samples.map((sample) => ({ stage: sample.stage, megabytes: megabytes(sample) }))

const computeMaximum = (numbers: number[]) => numbers.reduce((most, each) => Math.max(most, each), 0)
const secondsSince = (startMs: number) => `${Math.round((performance.now() - startMs) / 1000)} s`
const common = ({ rows }: File) => ({ area: 'import-memory', rows, unit: 'MB' as const })

function buildMaximumLine(file: File, who: string, samples: MemorySample[], note: string): Line {
  const ours = computeMaximum(samples.map(({ megabytes }) => megabytes))
  const limit = { peer: 'what an isolate may hold', theirs: 128, most: 1 }
  return makeReportLine({ ...common(file), ...limit, work: `${file.file}: ${who} at most`, ours, note })
}

type Figure = (megabytes: number[]) => number

/**
 * Compares the last tenth of the time with the first tenth after the first row: before it the process is
 * still starting.
 */
function buildGrowthLines(file: File, who: string, samples: MemorySample[], figure: Figure): Line[] {
  const some = samples.filter(({ stage }) => stage !== 'fetch')
  return rising(file, `${who} in the last tenth`, some, 'the first tenth from the first row on', figure)
}

/** As `buildGrowthLines`, stage by stage: each needs memory of its own, which must not grow with the rows. */
function buildStageGrowthLines(file: File, who: string, samples: MemorySample[], figure: Figure): Line[] {
  return (['read', 'commit'] as const).flatMap((stage) => {
    const some = samples.filter((sample) => sample.stage === stage)
    return rising(file, `${who} in the last tenth of the ${stage}`, some, 'its first tenth', figure)
  })
}

function rising(file: File, work: string, samples: MemorySample[], peer: string, figure: Figure): Line[] {
  if (samples.length < minSamples) return []
  const all = samples.map(({ megabytes }) => megabytes)
  const tenth = Math.ceil(all.length / 10)
  const [theirs, ours] = [figure(all.slice(0, tenth)), figure(all.slice(-tenth))]
  return [makeReportLine({ ...common(file), work: `${file.file}: ${work}`, ours, peer, theirs, most: 1.1 })]
}
