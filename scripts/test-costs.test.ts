import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openMemoryFolder } from './memory-folder.ts'
import { processorSeconds } from './process-facts.ts'
import { CostCounter, costliestFiles, costsFile, filesTable } from './test-costs.ts'
import { testPart } from './test-part.ts'

const isLinux = process.platform === 'linux'
/**
 * Source code that runs until it has used so many milliseconds of processor time, however busy the machine
 * is.
 */
const working = (ms: number) =>
  `for (let used = process.cpuUsage(); used.user + used.system < ${ms} * 1000; used = process.cpuUsage());`

/** Reads the processor seconds of a line of the table. */
const parseSeconds = (table: string[], lane: string) =>
  Number(
    table
      .find((line) => line.startsWith(lane))
      ?.trim()
      .split(/\s+/)
      .at(-1),
  )

test.skipIf(!isLinux)('counts for a lane the time of all its processes, and of no other lane', async () => {
  const costs = new CostCounter(undefined)
  const nested = `require('node:child_process').spawnSync(process.execPath, ['-e', ${JSON.stringify(working(400))}])`
  for (const [lane, code] of [
    ['heavy', `${working(200)} ${nested}`],
    ['light', ''],
  ] as const) {
    const child = spawn(process.execPath, ['-e', code])
    const startMs = performance.now()
    child.on('exit', () => costs.ended(lane, startMs))
    await once(child, 'exit')
  }
  const table = costs.table()
  expect(table.map((line) => line.split(/\s/)[0])).toContain('all')
  const [heavy = 0, light = 0] = costs.lanes.map(({ processor }) => processor ?? 0)
  expect(heavy).toBeGreaterThan(0.55)
  expect(light).toBeLessThan(heavy - 0.3)
  expect(parseSeconds(table, 'heavy')).toBe(Math.round(heavy))
})

test('gives no time for a process that does not exist', () => {
  const { pid } = spawnSync(process.execPath, ['-e', ''])
  expect(processorSeconds(pid)).toBeNull()
})

test('test files write their cost when a run asks for it, and the most expensive is listed first', () => {
  const folder = mkdtempSync(join(tmpdir(), 'commonplace-costs-'))
  const path = join(folder, 'costs')
  expect(costliestFiles(path, 3)).toEqual([])
  const cost = (file: string, own: number, started: number, product: number) => ({
    ...{ file, own, started, product },
  })
  const files = [cost('a', 1, 0, 0), cost('b', 0.5, 2, 0.5), cost('c', 1, 0, 1)]
  writeFileSync(path, files.map((file) => `${JSON.stringify(file)}\n`).join(''))
  expect(costliestFiles(path, 2)).toEqual([files[1], files[2]])
  expect(filesTable([cost('b', 0.5, 2, 0.5)])[1]).toMatch(/^ +3\.0 +0\.5 +2\.0 +0\.5 {2}b$/)
  const args = ['--no-install', 'vitest', '--run', 'functions/platform/redact.test.ts']
  spawnSync('npx', args, { env: { ...process.env, [testPart]: '', [costsFile]: join(folder, 'run') } })
  const [own] = costliestFiles(join(folder, 'run'), 2)
  expect(own?.file).toBe('functions/platform/redact.test.ts')
  expect(own?.own).toBeGreaterThan(0)
  expect(own?.product).toBe(0)
  rmSync(folder, { recursive: true })
})

test.skipIf(!existsSync('/dev/shm'))(
  'removes the memory folders of killed runs, and keeps those of running ones',
  () => {
    const { pid } = spawnSync(process.execPath, ['-e', ''])
    const [left, running] = [
      `/dev/shm/commonplace-tests-${pid}`,
      `/dev/shm/commonplace-tests-${process.ppid}`,
    ]
    const wasThere = existsSync(running)
    for (const folder of [left, running]) mkdirSync(folder, { recursive: true })
    const folder = openMemoryFolder()
    expect([existsSync(left), existsSync(running)]).toEqual([false, true])
    if (folder) {
      expect(statSync(folder.path).mode & 0o777).toBe(0o711)
      folder.close()
      expect(existsSync(folder.path)).toBe(false)
    }
    if (!wasThere) rmSync(running, { recursive: true })
  },
)
