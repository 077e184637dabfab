import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { connect } from '#db/connect.ts'
import { asSystem } from '#db/testing.ts'
import { lockFolder } from './data-lock.ts'
import { checkPort, openDatabase } from './local.ts'
import { readStartTime } from './process-facts.ts'
import { findDemo, writeDemo } from './seed/demo.ts'
import { isSeeding } from './seed/seeding.ts'
import { folderStore } from './tile-store.ts'
import { readStored } from './tiles.ts'

// These tests cover the steps that write `.data`; `npm run test:full -- faults --only start` kills the whole
// product at random moments.
const whole = mkdtempSync(join(tmpdir(), 'commonplace-kill-'))
afterAll(() => rmSync(whole, { recursive: true, force: true }))

/** Runs the source of a module in a process of its own. */
function run(text: string): ChildProcess & { said: Promise<string> } {
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', text], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const output = new Promise<string>((resolve) =>
    createInterface({ input: child.stdout })
      .once('line', resolve)
      .once('close', () => resolve('')),
  )
  return Object.assign(child, { said: output })
}

const waitForExit = (child: ChildProcess) => new Promise((resolve) => child.once('exit', resolve))

test.each([
  ['while the database is unpacked', 'db.partial', 0],
  ['as it is there', 'db', 0],
])('after a kill %s the next start finds a complete one', async (_when, appears, waitMs) => {
  const folder = join(whole, appears)
  const child = run(`
    const { openDatabase } = await import('./scripts/local.ts')
    await openDatabase(${JSON.stringify(folder)}, '')`)
  const exit = waitForExit(child)
  const until = performance.now() + 60_000
  while (!existsSync(join(folder, appears)) && performance.now() < until) await delay(5)
  await delay(waitMs)
  child.kill('SIGKILL')
  await exit
  expect(existsSync(join(folder, appears))).toBe(true)
  expect(isSeeding(folder, 'embedded')).toBe(true)
  const { env, close } = await openDatabase(folder, '')
  const { db, end } = connect(env, asSystem)
  expect(await db.selectFrom('place').select('id').execute()).toEqual([])
  await end()
  await close()
})

test('recreates a database that a first start left broken, and keeps one with a demo', async () => {
  const folder = join(whole, 'broken')
  mkdirSync(join(folder, 'db'), { recursive: true })
  writeFileSync(join(folder, 'db/PG_VERSION'), '17\n')
  await expect(openDatabase(folder, '')).rejects.toThrow(/could not be opened/)
  expect(existsSync(join(folder, 'lock'))).toBe(false)
  writeFileSync(join(folder, 'seeding.json'), JSON.stringify({ database: 'embedded' }))
  const { close } = await openDatabase(folder, '')
  await close()
})

test('treats half-written files as missing', async () => {
  const file = join(whole, 'demo.json')
  writeDemo(file, { accounts: [], places: [] })
  expect(findDemo(file)).toEqual({ accounts: [], places: [] })
  writeFileSync(file, '{"accounts": [')
  expect(findDemo(file)).toBeNull()
  const tiles = folderStore(join(whole, 'tiles'))
  await tiles.put('manifest.json', new TextEncoder().encode('{"sets": ['), 'application/json')
  // Rebuilding without a manifest is tested in `tiles.test.ts`.
  expect(await readStored(tiles)).toBeNull()
  await tiles.put('manifest.json', new TextEncoder().encode('{"sets": []}'), 'application/json')
  expect(await readStored(tiles)).toEqual({ sets: [] })
})

test('takes over the lock of a killed process, even when its pid was reused', () => {
  const folder = join(whole, 'lock')
  mkdirSync(folder)
  const other = process.ppid
  writeFileSync(join(folder, 'lock'), JSON.stringify({ pid: other, began: 'another time' }))
  lockFolder(folder, 'here')()
  writeFileSync(join(folder, 'lock'), JSON.stringify({ pid: other, began: readStartTime(other) }))
  expect(() => lockFolder(folder, 'here')).toThrow(`already running on here (process ${other}).`)
  writeFileSync(join(folder, 'lock'), '')
  lockFolder(folder, 'here')()
})

test('names the process that uses a port and what to do', async () => {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  await expect(checkPort(port)).rejects.toThrow(
    new RegExp(
      `Port ${port} is in use by process ${process.pid} \\(.*\\). Stop it \\(kill ${process.pid}\\), or .*PORT=${port + 1}`,
    ),
  )
  server.close()
})

test.each(['SIGKILL', 'SIGTERM'] as const)('child processes end with their parent, by %s', async (signal) => {
  const child = run(`
    const { endChildrenWithUs } = await import('./scripts/children.ts')
    const { spawn } = await import('node:child_process')
    endChildrenWithUs()
    const { pid } = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' })
    setTimeout(() => console.log(pid), 300)
    setInterval(() => {}, 1000)`)
  const pid = Number(await child.said)
  expect(readStartTime(pid)).not.toBeNull()
  const exit = waitForExit(child)
  child.kill(signal)
  await exit
  const until = performance.now() + 10_000
  while (readStartTime(pid) !== null && performance.now() < until) await delay(20)
  expect(readStartTime(pid)).toBeNull()
})
