import { sql } from 'kysely'
import type { Cutter } from './cutter.testing.ts'
import type { PlantedBug } from './planted.testing.ts'
import { step } from '../job/step.ts'
import { maintainJobs } from '../job/sweep.ts'
import type { ImporterFixture } from '../job/testing.ts'
import { connect, type Connection } from '#db/connect.ts'
import { asSystem } from '#db/testing.ts'
import type { Context } from '#functions/context.ts'
import type { Random } from '#functions/engine/query/differential/random.testing.ts'

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** The faults that a crew has experienced. */
export interface CrewReport {
  steps: number
  /** Messages lost and duplicated, and leases that expired while they were held. */
  lost: number
  doubled: number
  lapses: number
  /** Unexpected errors. */
  reported: string[]
  /** Whether its runs ended in time. */
  isDone: boolean
}

interface FaultyWorkers {
  bed: ImporterFixture
  random: Random
  cutter: Cutter
  planted?: PlantedBug
  /** Called between two moments; an error that it throws ends everything. */
  meanwhile(): Promise<void>
  /** At the end: releases everyone who is still waiting. */
  release(): void
  importers: string[]
}

const workers = 3
const maxMs = 200_000
/** How far a worker's clock is off, and by how much it jumps. */
const skewMs = 10 * 60_000

/**
 * Runs these importers with several workers, each with its own connection through the cutter and its own clock: messages
 * are lost, duplicated and reordered, cron runs as well, and leases expire at any moment. Resolves when all runs have
 * ended, or after too long, and every worker has stopped.
 */
export async function crew({
  bed,
  random,
  cutter,
  planted,
  meanwhile,
  release,
  importers,
}: FaultyWorkers): Promise<CrewReport> {
  const went: CrewReport = { steps: 0, lost: 0, doubled: 0, lapses: 0, reported: [], isDone: false }
  const url = new URL(bed.world.database.env.DATABASE_URL)
  // A separate host name, by which the driver finds the proxy.
  url.hostname = `cut-${cutter.address.split(':')[1]}.local`
  const env = { DATABASE_URL: url.href, DB_PROXY: cutter.address }
  const messages: number[] = []
  const wake = () => {
    const fate = random.unit()
    if (fate < 0.25) went.lost += 1
    else messages.push(random.below(40))
    if (fate > 0.75) {
      went.doubled += 1
      messages.unshift(random.below(40))
    }
  }
  const connections: Connection[] = []
  const context = (): Context => {
    const real = connect(env, asSystem)
    connections.push(real)
    const { db, transaction, accounts } = planted?.(real) ?? real
    let skew = (random.unit() * 2 - 1) * skewMs
    return bed.system({
      db,
      accounts,
      wake,
      report: (error) => void went.reported.push(String(error)),
      // Sometimes it pauses before it writes, so that others take over its run.
      transaction: async (run) => {
        if (random.chance(0.15)) await pause(random.below(120))
        return transaction(run)
      },
      now: () => {
        if (random.chance(0.001)) skew = (random.unit() * 2 - 1) * skewMs
        return new Date(Date.now() + skew)
      },
    })
  }
  let isOver = false
  const batchRows = 100 + random.below(150)
  const worker = async () => {
    const ctx = context()
    while (!isOver) {
      const wait = messages.shift()
      await pause(wait ?? 5)
      if (wait === undefined) continue
      const did = await step(ctx, bed.work({ batchRows, budgetMs: random.pick([0, 0, 30, 200]) })).catch(
        // Errors of claiming are retried by the queue and by cron.
        () => false,
      )
      if (!did) continue
      went.steps += 1
      wake()
    }
  }
  const cron = async () => {
    const ctx = context()
    while (!isOver) {
      await pause(60)
      if (await maintainJobs(ctx).catch(() => true)) messages.push(0)
    }
  }
  const { db } = bed.system()
  const clock = async () => {
    const startMs = performance.now()
    let [lastState, since, fruitlessTries] = ['', performance.now(), 0]
    for (;;) {
      await pause(40)
      await meanwhile()
      const jobs = await Promise.all(importers.map((id) => bed.job(id)))
      const open = jobs.filter(({ finishedAt }) => finishedAt === null)
      went.isDone = open.length === 0
      if (went.isDone || performance.now() - startMs > maxMs) return
      const now = JSON.stringify(open.map(({ cursor, counts, status }) => [cursor, counts, status]))
      // Longer each time: the product gives up a run that is taken over again and again without progress.
      const isStuck = performance.now() - since > 1000 * 2 ** fruitlessTries
      if (now === lastState && !isStuck) continue
      if (now !== lastState) [lastState, since, fruitlessTries] = [now, performance.now(), 0]
      else fruitlessTries += 1
      // Advances the clock of the database: waiting runs become due, and leases expire, even of live workers.
      await sql`update job set due_at = now() where status = 'waiting'`.execute(db)
      if (!isStuck && !random.chance(0.35)) continue
      since = performance.now()
      const lapsed = await sql`update job set lease_until = now() - interval '1 second'
        where lease_until is not null and status in ('running', 'stopping')`.execute(db)
      went.lapses += Number(lapsed.numAffectedRows ?? 0)
    }
  }
  wake()
  const all = [...Array.from({ length: workers }, worker), cron()]
  try {
    await clock()
  } finally {
    isOver = true
    cutter.mend()
    release()
    await Promise.all(all)
    await Promise.all(connections.map((connection) => connection.end().catch(() => {})))
  }
  return went
}
