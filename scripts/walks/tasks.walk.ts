import { afterAll, describe, expect, test } from 'vitest'
import { isFull, keepFigures } from '#functions/v1/testing/figures.testing.ts'
import { allEngines, openEngine } from './engines/index.ts'
import type { Engine } from './engines/engine.ts'
import { perform } from './tasks/perform.ts'
import { tasks } from './tasks/tasks.ts'

/** Clicks of each task, by engine and whether scripts run; what is not in it was not done. */
const clicks = new Map<string, Map<string, number>>()
const figures: Record<string, number> = {}

afterAll(() => {
  figures['tasks that take more clicks than a peer'] = tasks.filter(
    ({ task, peer }) => peer && Math.max(0, ...(clicks.get(task)?.values() ?? [])) > peer.clicks,
  ).length
  console.log(table())
  keepFigures('tasks', figures)
})

/** Everything in all engines; in `npm test` in Chromium alone, without scripts where nothing needs them. */
const engines = isFull ? allEngines : allEngines.slice(0, 1)

describe.each(engines)('in $name', (walker) => {
  test.each(isFull ? [true, false] : [false])(
    'what four people come for is done, with scripts: %s',
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

/** A line a task: clicks here and by the shortest way known of another house. */
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
