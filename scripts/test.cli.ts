import { spawn } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { build } from './build.ts'
import { findHeadless } from './chromium.ts'
import { CommandError } from './local.ts'
import { openMemoryFolder } from './memory-folder.ts'
import { testPart, type TestPart } from './test-part.ts'
import {
  CostCounter,
  costliestFiles,
  costsFile,
  filesTable,
  sumSeconds,
  type FileCost,
} from './test-costs.ts'
import { readTestReport } from './test-report.ts'

/**
 * Runs the tests: the whole Worker with a real browser, in parallel and with lower priority the checks and
 * those units that do not depend on time; when all but one walk have ended, the other units. With
 * `TEST_POSTGRES_URL` units and walks use a real Postgres. With `extended` those tests that `extended-tests.ts`
 * lists instead, otherwise with the name of a suite only that. Ends with "N passed, N failed".
 */
const total = { passed: 0, failed: 0 }
/** Failures by suite, file and title: repeated at the end, which is what remains of a long log. */
const failures: string[] = []
/** The number of most expensive files to list. */
const shownFiles = 24
const costlyFiles: FileCost[] = []

const env = { ...process.env }
const memory = openMemoryFolder()
if (memory) {
  env.TMPDIR = memory.path
  process.on('exit', memory.close)
  // A process killed by a signal emits no "exit".
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1))
}

interface Options {
  more?: Record<string, string>
  /** Runs in parallel to others: its lines are prefixed by its name. */
  isBeside?: boolean
  /** Does not depend on time: runs with lower priority. */
  isPatient?: boolean
}

/** Runs a command of the project's own tools; returns its status. */
function run(
  name: string,
  tool: string,
  args: string[],
  { more, isBeside, isPatient }: Options,
): Promise<number> {
  const startMs = performance.now()
  return new Promise((resolve) => {
    const child = spawn(join('node_modules/.bin', tool), args, {
      stdio: isBeside ? ['ignore', 'pipe', 'pipe'] : 'inherit',
      env: { ...env, ...more },
    })
    if (isPatient && child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL)
    for (const stream of [child.stdout, child.stderr])
      if (stream) createInterface(stream).on('line', (line) => console.log(line && `[${name}] ${line}`))
    child.on('error', () => resolve(1))
    child.on('exit', () => costs.ended(name, startMs))
    child.on('close', (status) => resolve(status ?? 1))
  })
}

async function vitest(name: string, args: string[], options: Options = {}) {
  const path = `.cache/test-${name.replaceAll(' ', '-')}`
  const report = `${path}.json`
  const filesCosts = `${path}.costs`
  mkdirSync('.cache', { recursive: true })
  for (const old of [report, filesCosts]) rmSync(old, { force: true })
  console.log(`\n── ${name}`)
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const more = { ...options.more, [costsFile]: filesCosts }
  const status = await run(name, 'vitest', ['--run', ...args, ...reporters], { ...options, more })
  costlyFiles.push(...costliestFiles(filesCosts, shownFiles))
  try {
    const result = readTestReport(report)
    total.passed += result.passed
    // A file that could not be loaded has no failed tests; it counts as one.
    total.failed += result.failed === 0 && status !== 0 ? 1 : result.failed
    for (const { file, lines } of result.failures)
      for (const line of lines) failures.push(`${name}: ${file}: ${line}`)
    if (result.failures.length === 0 && status !== 0)
      failures.push(`${name}: an error outside of all tests, which stands above as unhandled`)
  } catch {
    total.failed += 1
    failures.push(`${name}: no report`)
  }
}

async function check(isBeside: boolean) {
  console.log('── checks')
  const status = await run('checks', 'tsx', ['scripts/check.cli.ts'], { isBeside, isPatient: isBeside })
  if (status === 0) total.passed += 1
  else {
    total.failed += 1
    failures.push('checks: what is wrong stands above')
  }
}

/** Records the failure of something that could not even start. */
function fail(name: string, error: unknown) {
  console.error(error instanceof CommandError ? error.message : error)
  total.failed += 1
  failures.push(`${name}: ${error instanceof Error ? error.message : String(error)}`)
}

const [only] = process.argv.slice(2)
const isAll = !only
/** Those that `npm test` leaves to `npm run test:full`. */
const isExtended = only === 'extended'
const part = (usual: TestPart) => ({ [testPart]: isExtended ? 'extended' : usual })
const postgres = env.TEST_POSTGRES_URL
delete env.TEST_POSTGRES_URL
/** The server's address for suites that do not use the embedded database; empty without a server. */
const postgresEnv: Record<string, string> = postgres ? { TEST_POSTGRES_URL: postgres } : {}

const costs = new CostCounter(postgres)
const runStartMs = performance.now()

/** Resolves when the files shared by lanes exist: a lane that started earlier would make its own. */
const preparation =
  only === 'check' ? Promise.resolve(0) : run('what lanes share', 'tsx', ['scripts/prepare-tests.cli.ts'], {})

const hasWalks = isAll || isExtended || only === 'walks'
const buildWalkArguments = (project: string) => ['--config', 'vitest.walks.config.ts', '--project', project]
/** Resolves to true when there is a build to walk through. */
const building = !hasWalks
  ? Promise.resolve(false)
  : (async () => {
      env.CHROMIUM = findHeadless()
      if (await build(console.log)) costs.ended('the build', runStartMs)
      await preparation
      return true
    })().catch((error: unknown) => {
      fail('the Worker and the browser', error)
      return false
    })

async function walk() {
  // The nightly walks are on the embedded database, as a first start is.
  const more = { ...(isExtended ? {} : postgresEnv), ...part('usual') }
  if (await building) await vitest('the Worker and the browser', buildWalkArguments('demo'), { more })
}

async function walkApart() {
  if (await building)
    await vitest('Workers of their own', buildWalkArguments('apart'), {
      more: { ...postgresEnv, ...part('usual') },
      isBeside: true,
    })
}

const unitsOn = postgres ? 'the database on Postgres' : 'the embedded database'

/**
 * A walk mostly waits for a page: the processor time that two walks leave of two cores is used for what does
 * not depend on time.
 */
async function runBeside() {
  if (isAll || only === 'check') await check(isAll)
  if (!isAll) return
  await preparation
  const more = { ...postgresEnv, ...part('beside') }
  await vitest('units beside the walks', ['--maxWorkers=2'], { more, isBeside: true, isPatient: true })
}

/**
 * What depends on time waits until only one walk remains, which leaves more than one core. Waiting for the last
 * walk as well would leave that core idle for minutes.
 */
async function runAfter() {
  await Promise.all([walkApart(), runBeside()])
  const more = { ...postgresEnv, ...part('after') }
  if (isAll || isExtended) await vitest(`units and ${unitsOn}`, [], { more, isBeside: true })
}

await Promise.all([walk(), runAfter()])
await preparation
if (only === 'unit') await vitest('units and the embedded database', [])
if (postgres && only === 'postgres') await vitest(`units and ${unitsOn}`, [], { more: postgresEnv })
if (!postgres)
  console.log(
    '\nNot run without TEST_POSTGRES_URL: the database suites on Postgres, with time-outs and parallel transactions.',
  )
costlyFiles.sort((a, b) => sumSeconds(b) - sumSeconds(a))
console.log(`\n${filesTable(costlyFiles.slice(0, shownFiles)).join('\n')}`)
console.log(`\n${costs.table().join('\n')}`)
for (const failure of failures) console.log(`\nFailed in ${failure}`)
console.log(`\n${total.passed} passed, ${total.failed} failed`)
process.exit(total.failed === 0 ? 0 : 1)
