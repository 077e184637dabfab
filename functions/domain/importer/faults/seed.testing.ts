import { crew, type CrewReport } from './crew.testing.ts'
import { openCutter } from './cutter.testing.ts'
import { truthFile, type TruthFile } from './file.testing.ts'
import type { PlantedBug } from './planted.testing.ts'
import { remote } from './remote.testing.ts'
import { outcome } from '../job/ledger.testing.ts'
import { hashRows, type ImporterFixture, type Tree } from '../job/testing.ts'
import { sweepJobs } from '../job/sweep.ts'
import { stop } from '../run.ts'
import { ingest, type Mode } from '#functions/domain/records/ingest.ts'
import { Random } from '#functions/engine/query/differential/random.testing.ts'

/** The result of a seed: `wrong` is empty when everything is as the oracle says. */
export interface Result extends CrewReport {
  seed: number
  wrong: string[]
  cuts: number
  /** Cuts before a COMMIT reached the database, and between it and its response. */
  before: number
  after: number
  rows: number
  refused: number
  stopped: number
}

/** A run that waits, with the truth of it. */
interface Subject {
  id: string
  mode: Mode
  file: TruthFile
  there: Tree[]
  version: number
  /** Ends all hanging requests. */
  release(): void
  /** Hashes of the initial and the expected state. */
  old: string
  right: Awaited<ReturnType<typeof computeExpectedResult>>
}

/**
 * Executes two concurrent runs under the faults of a seed, each with `count` rows, and returns deviations from the
 * oracle. `planted`: a deliberate bug, which has to be found.
 */
export async function runSeed(
  bed: ImporterFixture,
  seed: number,
  count: number,
  planted?: PlantedBug,
): Promise<Result> {
  const random = new Random(seed)
  const wrong: string[] = []
  const subjects: Subject[] = []
  for (let i = 0; i < 2; i += 1) subjects.push(await prepare(bed, random, count, { name: `${seed}-${i}` }))
  const importers = subjects.map(({ id }) => id)
  for (const id of importers) await bed.start(id)
  const cutter = await openCutter(bed.world.database.env.DB_PROXY ?? '', random, 30)
  const stopAt = random.chance(0.25) ? 1 + random.below(12) : 0
  let moment = 0
  const meanwhile = async () => {
    moment += 1
    if (moment === stopAt) await stopped(bed, importers[1] ?? '')
    if (moment % 3 !== 0) return
    // Readers see the initial state or the complete result.
    for (const { id, old, right } of subjects) {
      const { hash } = await bed.readStored(id)
      if (hash !== old && hash !== right.hash) wrong.push(`${id}: something in between was to be seen`)
    }
  }
  const release = () => subjects.forEach((subject) => subject.release())
  let went
  try {
    went = await crew({ bed, random, cutter, planted, meanwhile, release, importers })
  } finally {
    await cutter.close()
  }
  if (!went.isDone) wrong.push('it does not end')
  await sweepJobs(bed.system())
  for (const subject of subjects) wrong.push(...(await listDeviations(bed, subject, stopAt > 0)))
  if ((await bed.staged()) > 0) wrong.push('staged rows are left over')
  const jobs = await Promise.all(importers.map((id) => bed.job(id)))
  return {
    seed,
    wrong: [...new Set(wrong)],
    ...went,
    cuts: cutter.cuts.all,
    before: cutter.cuts.before,
    after: cutter.cuts.after,
    rows: subjects.reduce((sum, { file }) => sum + file.read, 0),
    refused: subjects.reduce((sum, { file }) => sum + file.rejectedRows.length, 0),
    stopped: jobs.filter(({ status }) => status === 'stopped').length,
  }
}

/** An importer of a generated file into a source that may already have records; `isCalm`: from a server without faults. */
export async function prepare(
  bed: ImporterFixture,
  random: Random,
  count: number,
  { name, isCalm = false }: { name: string; isCalm?: boolean },
): Promise<Subject> {
  const mode = random.pick(['append', 'upsert', 'replace'] as const)
  const file = truthFile(random, count)
  const origin = `https://f${name}.example.org`
  const server = remote(random, file.text, isCalm)
  await bed.net.serve(origin, server.handle)
  const sources = JSON.stringify([{ url: `${origin}/trees.csv`, parser: 'csv' }])
  const id = await bed.importer({ sources, mode, retries: 10 })
  // Some records exist already: equal, different, and missing in the file.
  const there = random.chance(0.3)
    ? []
    : Array.from({ length: count / 2 }, (_, i): Tree => ({ id: `t${i * 3}`, species: 'oak', height: i % 9 }))
  if (there.length) await ingest(bed.system(), id, there)
  const { hash: old, version } = await bed.readStored(id)
  return {
    id,
    mode,
    file,
    there,
    version,
    release: server.release,
    old,
    right: await computeExpectedResult(mode, there, file),
  }
}

async function computeExpectedResult(mode: Mode, there: Tree[], { read, good, rejectedRows }: TruthFile) {
  const { counts, rows } = outcome(mode, there, { read, good, refused: rejectedRows.map(({ id }) => id) })
  return { counts, hash: await hashRows(rows) }
}

const stopped = (bed: ImporterFixture, id: string) =>
  stop(bed.world.as('content_admin'), {
    params: { sourceId: id, importerId: id },
    options: {},
    data: undefined,
    placeId: 'oakton',
  })

/** Deviations of an ended run from the oracle. */
export async function listDeviations(
  bed: ImporterFixture,
  subject: Subject,
  mayStop = false,
): Promise<string[]> {
  const { id, right, old, version, file } = subject
  const job = await bed.job(id)
  const now = await bed.readStored(id)
  const wrong: string[] = []
  const addDeviation = (what: string) => wrong.push(`${id} (${subject.mode}): ${what}`)
  if (job.status === 'stopped' && mayStop) {
    if (now.hash !== old || now.version !== version)
      addDeviation('stopped, and yet something of it is stored')
    return wrong
  }
  if (job.status !== 'succeeded') addDeviation(`${job.status}: ${job.error}`)
  if (now.hash !== right.hash) addDeviation('other rows than the oracle says')
  if (JSON.stringify(sortEntries(job.counts)) !== JSON.stringify(sortEntries(right.counts)))
    addDeviation(`counts ${JSON.stringify(job.counts)}, not ${JSON.stringify(right.counts)}`)
  const isSame = right.hash === old
  if (now.version !== version + (isSame ? 0 : 1)) addDeviation(`version ${now.version} after ${version}`)
  wrong.push(...(await ledgerFaults(bed, job.id, file)).map((what) => `${id}: ${what}`))
  return wrong
}

/** In a batch the rows rejected by the parser come first: the ledger is sorted by row when it is read. */
const sortByRow = <Each extends { row: unknown }>(list: Each[]) =>
  [...list].sort((a, b) => Number(a.row) - Number(b.row))

const sortEntries = (counts: object) => Object.entries(counts).sort(([a], [b]) => (a < b ? -1 : 1))

/** The ledger names each refused row once, by row, line, field and reason: in the database, the log and the bucket. */
async function ledgerFaults(
  bed: ImporterFixture,
  jobId: string,
  { rejectedRows }: TruthFile,
): Promise<string[]> {
  const { db, files } = bed.system()
  const rejects = sortByRow(
    await db.selectFrom('importReject').selectAll().where('jobId', '=', jobId).execute(),
  )
  const wrong: string[] = []
  const rejectKeys = rejects.map(({ row, line, field }) => `${row}/${line}/${field}`).join()
  const right = rejectedRows.map(({ row, line, field }) => `${row}/${line}/${field}`).join()
  if (rejectKeys !== right) wrong.push(`refused ${rejectKeys}, not ${right}`)
  else
    rejects.forEach(({ message }, i) => {
      if (!rejectedRows[i]?.says.test(message))
        wrong.push(`row ${rejectedRows[i]?.row} is refused because "${message}"`)
    })
  const pieces = await files.list({ prefix: `imports/${jobId}/rejects/` })
  const texts = await Promise.all(pieces.objects.map(async ({ key }) => (await files.get(key))?.text() ?? ''))
  const lines = texts.join('').split('\n').filter(Boolean)
  const numbers = (list: { row: unknown }[]) =>
    sortByRow(list)
      .map(({ row }) => row)
      .join()
  const rows = numbers(lines.map((line) => JSON.parse(line) as { row: number }))
  if (rows !== numbers(rejectedRows)) wrong.push(`the bucket has refused rows ${rows}`)
  const logged = await db
    .selectFrom('jobLog')
    .select('row')
    .where('jobId', '=', jobId)
    .where('row', 'is not', null)
    .execute()
  if (numbers(logged) !== numbers(rejectedRows)) wrong.push(`the log has refused rows ${numbers(logged)}`)
  const pages = await files.list({ prefix: `imports/${jobId}/pages/` })
  if (pages.objects.length) wrong.push('pages are left over')
  return wrong
}
