import { afterAll, describe, expect, test } from 'vitest'
import { isFullRun, writeMeasurements } from '#functions/v1/testing/figures.testing.ts'
import { allEngines, openEngine } from './engines/index.ts'
import type { Engine } from './engines/engine.ts'
import { perform } from './tasks/perform.ts'
import { tasks } from './tasks/tasks.ts'

/** Clicks per task, by engine and scripts on or off; missing entries were not done. */
const clicks = new Map<string, Map<string, number>>()
const figures: Record<string, number> = {}

afterAll(() => {
  figures['tasks that take more clicks than a peer'] = tasks.filter(
    ({ task, peer }) => peer && Math.max(0, ...(clicks.get(task)?.values() ?? [])) > peer.clicks,
  ).length
  console.log(table())
  writeMeasurements('tasks', figures)
})

/**
 * All engines, with and without scripts; `npm test` does the tasks only in Chromium without scripts.
 */
const engines = isFullRun ? allEngines : allEngines.slice(0, 1)

describe.each(engines)('in $name', (walker) => {
  test.each(isFullRun ? [true, false] : [false])(
    'four people do their tasks, with scripts: %s',
    async (hasScripts) => {
      const engine: Engine | null = openEngine(walker)
      if (!engine) return
      const failures: string[] = []
      try {
        for (const task of tasks) {
          const key = `${walker.name}${hasScripts ? '' : ', no scripts'}`
          try {
            const { clicks: count } = await perform(engine, task, hasScripts)
            const row = clicks.get(task.task) ?? new Map<string, number>()
            clicks.set(task.task, row.set(key, count))
            figures['tasks done'] = (figures['tasks done'] ?? 0) + 1
          } catch (error) {
            failures.push(`${key}: ${task.person} ${task.task}: ${String(error)}`)
          }
        }
      } finally {
        await engine.close()
      }
      figures['tasks that could not be done'] =
        (figures['tasks that could not be done'] ?? 0) + failures.length
      expect(failures).toEqual([])
    },
    600_000,
  )
})

/** One line per task: the clicks here, and by the shortest known way in another product. */
function table(): string {
  const lines = tasks.map(({ person, task, peer }) => {
    const ours = [...(clicks.get(task) ?? [])]
    const counts = [...new Set(ours.map(([, count]) => count))]
    const clicksText =
      counts.length < 2 ? String(counts[0] ?? '–') : ours.map((pair) => pair.join(' ')).join(', ')
    const theirs = peer ? `${peer.clicks} | ${peer.house}: ${peer.way} (${peer.source})` : '– | none is known'
    return `| ${person} ${task} | ${clicksText} | ${theirs} |`
  })
  return ['| Task | Clicks | A peer | Its way |', '| --- | --- | --- | --- |', ...lines].join('\n')
}
