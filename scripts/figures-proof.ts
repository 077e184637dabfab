import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { build } from './build.ts'
import { findChromium } from './chromium.ts'

/** Reports that a figure must be at most, or at least, a bound. */
export interface FigureReporter {
  most(figure: string, measured: number, bound: number, unit: string): void
  least(figure: string, measured: number, bound: number, unit: string): void
  log(line: string): void
}

export type Suite = (reporter: FigureReporter, options: Record<string, string>) => Promise<void>

/**
 * Runs a test that `npm test` runs smaller, in its full size, and reads its counts. `toEnvironment` maps the
 * options to the environment of the test.
 */
export function proof(
  name: string,
  report: (counts: Record<string, number>, figureReporter: FigureReporter) => void,
  file = `functions/v1/${name}.test.ts`,
  toEnvironment: (options: Record<string, string>) => Record<string, string> = () => ({}),
  config = 'vitest.config.ts',
): Suite {
  return async (reporter, options) => {
    const figures = `.cache/proofs/${name}.json`
    rmSync(figures, { force: true })
    const { status } = spawnSync('npx', ['--no-install', 'vitest', 'run', '--config', config, file], {
      stdio: 'inherit',
      env: { ...process.env, PROOF_SIZE: 'full', ...toEnvironment(options) },
    })
    reporter.most(`${name}: runs that failed`, status === 0 ? 0 : 1, 0, 'runs')
    // A skipped test counts nothing and proves nothing.
    const isSkipped = !existsSync(figures)
    reporter.most(`${name}: runs that were skipped (is TEST_POSTGRES_URL set?)`, isSkipped ? 1 : 0, 0, 'runs')
    if (isSkipped) return
    report(JSON.parse(readFileSync(figures, 'utf8')) as Record<string, number>, reporter)
  }
}

/** Runs a proof that walks through the built product in a real browser. */
export function walk(
  name: string,
  report: (counts: Record<string, number>, reporter: FigureReporter) => void,
  file: string,
  toEnvironment: (options: Record<string, string>) => Record<string, string> = () => ({}),
): Suite {
  return async (reporter, options) => {
    await build(reporter.log)
    const withBrowser = (environment: Record<string, string>) => ({
      CHROMIUM: findChromium(),
      ...toEnvironment(environment),
    })
    await proof(name, report, file, withBrowser, 'vitest.walks.config.ts')(reporter, options)
  }
}

/** Prints each figure that a proof has counted. */
export function printEach(counts: Record<string, number>, reporter: FigureReporter): void {
  for (const [what, count] of Object.entries(counts)) reporter.log(`  ${what}: ${count}`)
}
