import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { printEach, proof, type FigureReporter } from '../figures-proof.ts'
import { findFreePort } from '../local.ts'
import { start } from '../start.ts'
import { checkDemo } from './demo.ts'
import { faults } from './faults.ts'
import { storeFalseStatements } from './run.ts'

/**
 * Checks the promises about figures: they match the source files, in generated worlds and on the demo's hubs,
 * and each rule detects the fault planted for it. Option `part` selects `worlds`, `faults` or `demo`; `seed`
 * and `figures` set which worlds, and how many of their figures.
 */
export async function truthSuite(reporter: FigureReporter, options: Record<string, string>): Promise<void> {
  const { part } = options
  if (part === undefined || part === 'worlds') await worlds(reporter, options)
  if (part === undefined || part === 'faults') plantFaults(reporter, options)
  if (part === undefined || part === 'demo') await demo(reporter)
}

/** The number of figures that is enough for each fault to show. */
const figuresOfFault = 600

/** Runs the product with one planted fault after the other: each must be detected by its rule. */
function plantFaults(figureReporter: FigureReporter, { seed = '1', fault }: Record<string, string>): void {
  const countsFile = '.cache/proofs/truth.json'
  for (const { is, expectedRules, figures = figuresOfFault } of faults.filter(
    (each) => fault === undefined || each.is.includes(fault),
  )) {
    rmSync(countsFile, { force: true })
    const environment = {
      TRUTH_FAULT: is,
      TRUTH_SEED: seed,
      TRUTH_FIGURES: String(figures),
      TRUTH_LIARS: '0',
    }
    spawnSync('npx', ['--no-install', 'vitest', 'run', '--config', 'scripts/truth/faults.config.ts'], {
      stdio: 'ignore',
      env: { ...process.env, ...environment },
    })
    const counts = existsSync(countsFile)
      ? (JSON.parse(readFileSync(countsFile, 'utf8')) as Record<string, number>)
      : {}
    const times = expectedRules.reduce((sum, rule) => sum + (counts[`broken: ${rule}`] ?? 0), 0)
    figureReporter.least(`planted: ${is}; found by ${expectedRules.join(', ')}`, times, 1, 'times')
  }
}

const worlds = proof(
  'truth',
  (counts, reporter) => {
    printEach(counts, reporter)
    const questionCount = counts['figures asked for'] ?? Infinity
    reporter.least(
      'figures of generated files, each in every language of hubs',
      counts.figures ?? 0,
      questionCount,
      'figures',
    )
    reporter.most('of them untrue', counts['untrue figures and sentences'] ?? Infinity, 0, 'untruths')
    reporter.least('lies that were told about them', counts.lies ?? 0, 1000, 'lies')
    reporter.most('lies that were believed', counts['lies that were believed'] ?? Infinity, 0, 'lies')
  },
  'scripts/truth/truth.test.ts',
  ({ seed = '1', figures = '10000' }) => ({ TRUTH_SEED: seed, TRUTH_FIGURES: figures }),
)

async function demo(reporter: FigureReporter): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'commonplace-'))
  const port = await findFreePort()
  const running = await start({ port, folder: join(folder, 'data'), log: reporter.log })
  try {
    const hubs = running.demo.places.filter(({ isHub }) => isHub)
    const result = await checkDemo(
      port,
      hubs.map(({ id, host }) => ({ placeId: id, host })),
      reporter.log,
    )
    const { differences, unknown, ...counts } = result
    printEach(counts, reporter)
    for (const each of unknown) reporter.log(`  not compared: ${each}`)
    for (const each of differences) reporter.log(`  ${each}`)
    storeFalseStatements('demo', differences)
    reporter.least('pages of the demo’s hubs', counts.pages, 80, 'pages')
    reporter.least('figures on them', counts.figures, 100, 'figures')
    reporter.most(
      'differences between these pages and the source files',
      differences.length,
      0,
      'differences',
    )
  } finally {
    await running.close()
    rmSync(folder, { recursive: true, force: true })
  }
}
