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
/** What failed, by suite, file and title: repeated at the end, for the end is what is kept of a long log. */
const failures: string[] = []

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

/** What is read here of Vitest's JSON report. */
interface Report {
  numPassedTests: number
  numFailedTests: number
  testResults: {
    name: string
    status: string
    message: string
    assertionResults: { status: string; fullName: string; failureMessages: string[] }[]
  }[]
}

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
    const result = JSON.parse(readFileSync(report, 'utf8')) as Report
    total.passed += result.numPassedTests
    // A file that could not be loaded has no tests that failed; it counts as one.
    total.failed += result.numFailedTests === 0 && status !== 0 ? 1 : result.numFailedTests
    for (const file of result.testResults) {
      if (file.status !== 'failed') continue
      const tests = file.assertionResults.filter((test) => test.status === 'failed')
      const lines = tests.map((test) => `${test.fullName}: ${test.failureMessages[0]?.slice(0, 500)}`)
      for (const line of lines.length > 0 ? lines : [file.message])
        failures.push(`${name}: ${file.name}: ${line}`)
    }
  } catch {
    total.failed += 1
    failures.push(`${name}: no report`)
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
for (const failure of failures) console.log(`\nFailed in ${failure}`)
console.log(`\n${total.passed} passed, ${total.failed} failed`)
process.exit(total.failed === 0 ? 0 : 1)
