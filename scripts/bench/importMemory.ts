import { importInProcess } from './importProcess.ts'
import { importInWorker } from './importWorker.ts'
import type { Stage } from './importWorld.ts'
import { line, median, type Line } from './measure.ts'
import type { Scale } from './scale.ts'

const most = { rows: 1_000_000, megabytes: 1000 }
/** Characters of notes in a row: it then has about two kilobytes, as rows with texts have. Without them it has 85. */
const notes = 2000
/** A stage that took less than some seconds says nothing of its end. */
const leastSamples = 50

/**
 * What an import holds: of a million rows at most, and of a gigabyte (as many megabytes as there are thousand records). In a process
 * that has one program and a bounded heap, and in the built Worker, whose isolate is what the platform's limit is of. The
 * most of it, and whether it is at the end what it was at the beginning.
 */
export async function benchImportMemory({ rows: asked, server }: Scale): Promise<Line[]> {
  const rows = Math.min(asked, most.rows)
  const megabytes = Math.min(asked / 1000, most.megabytes)
  const large = Math.round((megabytes * 1_000_000) / (notes + 85))
  const files = [
    { file: `${rows.toLocaleString('en')} rows of CSV`, rows, notes: 0 },
    { file: `${Math.round(megabytes).toLocaleString('en')} MB of CSV`, rows: large, notes },
  ]
  const lines: Line[] = []
  for (const each of files) {
    const began = performance.now()
    const samples = await importInProcess(server.owner, each.rows, each.notes)
    const rss = samples.map((sample) => ({ stage: sample.stage, megabytes: sample.rss }))
    const inUse = samples.map((sample) => ({ stage: sample.stage, megabytes: sample.held }))
    lines.push(
      atMost(each, 'the process', rss, secondsSince(began)),
      atMost(each, 'objects and buffers of the process', inUse, ''),
      atEnd(each, 'the process', rss, 1.1),
      ...atEnds(each, 'the process', rss),
    )
  }
  for (const each of files) {
    const began = performance.now()
    const samples = await importInWorker(server.owner, each.rows, each.notes)
    const isolate = samples.map((sample) => ({ stage: sample.stage, megabytes: sample.isolate }))
    const whole = Math.round(mostOf(samples.map((sample) => sample.process ?? 0)))
    const beside = whole ? `; workerd with its fifteen other isolates ${whole} MB` : ''
    lines.push(
      atMost(each, 'the Worker’s isolate', isolate, `${secondsSince(began)}${beside}`),
      // Most of it is garbage, of which a commit makes more than a reading does.
      atEnd(each, 'the Worker’s isolate', isolate, undefined),
      ...atEnds(each, 'the Worker’s isolate', isolate),
    )
  }
  return lines
}

interface File {
  file: string
  rows: number
}

interface Held {
  stage: Stage
  megabytes: number
}

const mostOf = (numbers: number[]) => numbers.reduce((most, each) => Math.max(most, each), 0)
const secondsSince = (began: number) => `${Math.round((performance.now() - began) / 1000)} s`
const common = ({ rows }: File) => ({ area: 'import-memory', rows, unit: 'MB' as const })

function atMost(file: File, who: string, samples: Held[], note: string): Line {
  const ours = mostOf(samples.map(({ megabytes }) => megabytes))
  const limit = { peer: 'what an isolate may hold', theirs: 128, most: 1 }
  return line({ ...common(file), ...limit, work: `${file.file}: ${who} at most`, ours, note })
}

/** The last tenth of the time against the first from the first row on: before it the process has just started. */
function atEnd(file: File, who: string, samples: Held[], most: number | undefined): Line {
  const [theirs, ours] = endsOf(samples.filter(({ stage }) => stage !== 'fetch'))
  const begin = { peer: 'the first tenth from the first row on', theirs, most }
  return line({ ...common(file), ...begin, work: `${file.file}: ${who} in the last tenth`, ours })
}

/** As `atEnd`, stage by stage: each has things of its own to hold, but no more of them with more rows. */
function atEnds(file: File, who: string, samples: Held[]): Line[] {
  return (['read', 'commit'] as const).flatMap((stage) => {
    const some = samples.filter((sample) => sample.stage === stage)
    if (some.length < leastSamples) return []
    const [theirs, ours] = endsOf(some)
    const begin = { peer: 'its first tenth', theirs, most: 1.1 }
    return [
      line({
        ...common(file),
        ...begin,
        work: `${file.file}: ${who} in the last tenth of the ${stage}`,
        ours,
      }),
    ]
  })
}

/** The medians of the first tenth and of the last. */
function endsOf(samples: Held[]): [first: number, last: number] {
  const all = samples.map(({ megabytes }) => megabytes)
  const tenth = Math.ceil(all.length / 10)
  return [median(all.slice(0, tenth)), median(all.slice(-tenth))]
}
