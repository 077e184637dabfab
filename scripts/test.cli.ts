import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { build } from './build.ts'
import { findChromium } from './chromium.ts'
import { Stop } from './local.ts'

/**
 * Runs every test: checks, units and database, then the whole Worker and a real browser. With `TEST_POSTGRES_URL`
 * what touches the database runs there too. Ends with "N passed, N failed".
 */
const total = { passed: 0, failed: 0 }

/** Minutes each, and the same on either database. Where there are two, on Postgres only. */
const once = [
  'functions/v1/matrix.test.ts',
  'functions/v1/canaries.test.ts',
  'functions/domain/importers/corpus/corpus.test.ts',
  'functions/domain/importers/faults/seeds.test.ts',
  'functions/domain/importers/faults/planted.test.ts',
  'functions/domain/importers/portals.test.ts',
]

const env = { ...process.env }

function vitest(name: string, args: string[], more: Record<string, string> = {}, which: string[] = []) {
  const report = `.cache/test-${name.replaceAll(' ', '-')}.json`
  mkdirSync('.cache', { recursive: true })
  rmSync(report, { force: true })
  console.log(`\n── ${name}`)
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const { status } = spawnSync('npx', ['--no-install', 'vitest', ...which, '--run', ...args, ...reporters], {
    stdio: 'inherit',
    env: { ...env, ...more },
  })
  try {
    const result = JSON.parse(readFileSync(report, 'utf8')) as Record<string, number>
    total.passed += result.numPassedTests ?? 0
    // A file that could not be loaded has no tests that failed; it counts as one.
    const failed = result.numFailedTests ?? 0
    total.failed += failed === 0 && status !== 0 ? 1 : failed
  } catch {
    total.failed += 1
  }
}

try {
  const [only] = process.argv.slice(2)
  if (!only || only === 'check') {
    console.log('── checks')
    const { status } = spawnSync('npx', ['--no-install', 'tsx', 'scripts/check.cli.ts'], { stdio: 'inherit' })
    if (status === 0) total.passed += 1
    else total.failed += 1
  }
  const postgres = env.TEST_POSTGRES_URL
  delete env.TEST_POSTGRES_URL
  const isTwice = !only && postgres !== undefined
  if (!only || only === 'unit')
    vitest('units and the embedded database', isTwice ? once.flatMap((file) => ['--exclude', file]) : [])
  if (postgres && (!only || only === 'postgres')) {
    // What opens no database gives the same there as it did above.
    vitest('the database on Postgres', [], { TEST_POSTGRES_URL: postgres }, ['related', 'db/testing.ts'])
  } else if (!postgres) {
    console.log(
      '\nNot run without TEST_POSTGRES_URL: the database suites on Postgres, with time-outs and parallel transactions.',
    )
  }
  if (!only || only === 'walks') {
    env.CHROMIUM = findChromium()
    await build(console.log)
    vitest('the Worker and the browser', ['--config', 'vitest.walks.config.ts'])
  }
} catch (error) {
  console.error(error instanceof Stop ? error.message : error)
  total.failed += 1
}
console.log(`\n${total.passed} passed, ${total.failed} failed`)
process.exit(total.failed === 0 ? 0 : 1)
