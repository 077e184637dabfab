import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Suite } from '../figures-proof.ts'
import { findFreePort } from '../local.ts'
import { listenerOn } from '../process-facts.ts'
import { countDemoContents, startIn } from './started.ts'

/** Every so many runs the build is repeated as well, so that kills hit it too. */
const runsABuild = 6
/** How long a child process may outlive its parent, in milliseconds. */
const longestAfterlifeMs = 5_000

/** A deterministic generator of pseudo-random numbers below 1. */
function chance(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

/**
 * Kills first starts at a random moment, node alone or the whole process tree, each in an empty folder; the
 * next start must succeed by itself with the whole demo. `--seed 1 --runs 30`; `--first 7` begins with the
 * seventh run.
 */
export const killedStarts: Suite = async (reporter, options) => {
  const seed = Number(options.seed ?? 1)
  const runs = Number(options.runs ?? 30)
  const random = chance(seed)
  const backupFolder = mkdtempSync(join(tmpdir(), 'commonplace-killed-'))
  const port = await findFreePort()
  const reference = startIn(join(backupFolder, 'reference'), port)
  if (!(await reference.ready)) throw new Error(reference.lines.join('\n'))
  const expected = await countDemoContents(join(backupFolder, 'reference'), port)
  const seconds = reference.steps.at(-1)?.at ?? 0
  const length = seconds + 30
  await reference.stop()
  rmSync(join(backupFolder, 'reference'), { recursive: true, force: true })
  reporter.log(
    `  a first start: ${reference.steps.map(({ name, at }) => `${name} at ${at.toFixed(1)} s`).join(', ')}`,
  )
  let wholeCount = 0
  let outlived = 0
  let requestCount = 0
  for (let run = 1; run <= runs; run += 1) {
    const [moment, target] = [random() * length, random() < 0.5 ? ('node' as const) : ('tree' as const)]
    if (run < Number(options.first ?? 1)) continue
    requestCount += 1
    const folder = join(backupFolder, String(run))
    if (run % runsABuild === 0) rmSync('build/.sources', { force: true })
    const first = startIn(folder, port)
    // On a faster machine it may already be ready, and is killed while it serves.
    await delay(moment * 1000)
    first.kill(target)
    await first.ended
    const step = first.steps.at(-1)?.name ?? 'before the first step'
    await delay(longestAfterlifeMs)
    const listener = listenerOn(port)
    if (listener) {
      outlived += 1
      reporter.log(`  run ${run}: process ${listener.pid} (${listener.command}) outlived it`)
      process.kill(listener.pid, 'SIGKILL')
      await delay(1000)
    }
    const next = startIn(folder, port)
    const isUp = await next.ready
    const counts = isUp ? await countDemoContents(folder, port) : {}
    const wrong = Object.entries(expected).filter(([what, count]) => counts[what] !== count)
    if (isUp && wrong.length === 0) wholeCount += 1
    const outcome = isUp
      ? wrong.map(([what, count]) => `${what}: ${counts[what]} instead of ${count}`).join('; ') || 'all there'
      : next.lines.slice(-15).join('\n')
    reporter.log(
      `  run ${run}: ${target} killed after ${moment.toFixed(1)} s (${step}); the next start: ${outcome}`,
    )
    await next.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  rmSync(backupFolder, { recursive: true, force: true })
  reporter.least(
    'first starts killed, seed and runs as asked',
    requestCount,
    runs - Number(options.first ?? 1) + 1,
    'starts',
  )
  reporter.least('starts after a kill that came up with all of the demo', wholeCount, requestCount, 'starts')
  reporter.most('processes that outlived the start that was killed', outlived, 0, 'processes')
}
