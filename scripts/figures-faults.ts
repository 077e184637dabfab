import { previous } from './faults/previous.ts'
import { killedStarts } from './killed-starts/suite.ts'
import { printEach, proof, walk, type Suite } from './figures-proof.ts'

/** The suites of fault injection, by name. */
const suites: Record<string, Suite> = {
  /** Imports: `--seed 100 --seeds 50`. */
  imports: proof(
    'faults',
    (counts, reporter) => {
      printEach(counts, reporter)
      reporter.least('seeds of faults', counts.seeds ?? 0, 25, 'seeds')
      reporter.most(
        'seeds with other rows or another ledger',
        counts['seeds that went wrong'] ?? Infinity,
        0,
        'seeds',
      )
      reporter.least('seeds that find a missing fence', counts['seeds that found no fence'] ?? 0, 1, 'seeds')
      reporter.least(
        'seeds that find a split transaction',
        counts['seeds that found a split transaction'] ?? 0,
        1,
        'seeds',
      )
    },
    'functions/domain/importer/faults',
    ({ seed = '1', seeds = '30' }) => ({ FAULTS_SEED: seed, FAULTS_SEEDS: seeds }),
  ),
  /** The storage fails for one of three hubs, for ten minutes. */
  hubs: proof(
    'hub-faults',
    (counts, figureReporter) => {
      printEach(counts, figureReporter)
      figureReporter.least('seconds of failing storage', counts['seconds of failing storage'] ?? 0, 600, 's')
      figureReporter.most(
        'until the hub was right after it',
        counts['seconds until a hub was right after it'] ?? Infinity,
        10,
        's',
      )
      figureReporter.most(
        'until a change of another hub was seen meanwhile',
        counts['seconds until a change of another hub was seen'] ?? Infinity,
        5,
        's',
      )
    },
    'functions/jobs/publish/storage-faults.test.ts',
  ),
  /** The database is restarted six times while forty people read and write. */
  database: proof(
    'restart',
    (counts, reporter) => {
      printEach(counts, reporter)
      const figure = (name: string) => counts[name] ?? Infinity
      reporter.least('restarts of the database under load', counts.restarts ?? 0, 6, 'restarts')
      reporter.most(
        'until a question was answered after the start',
        figure('milliseconds until a question was answered after the start') / 1000,
        5,
        's',
      )
      reporter.most(
        'questions that failed though they began after the start',
        figure('questions that failed though they began after the start'),
        0,
        'questions',
      )
      reporter.most('written rows that are missing', figure('written rows that are missing'), 0, 'rows')
    },
    'scripts/faults/restart.test.ts',
  ),
  /**
   * The database is restored from its archive: to the moment before data was deleted, and after its machine
   * was lost.
   */
  restore: proof(
    'restore',
    (counts, reporter) => {
      printEach(counts, reporter)
      const figure = (name: string) => counts[name] ?? Infinity
      reporter.least(
        'records that a bad deployment deleted and that are as they were',
        counts['records that are as they were'] ?? 0,
        counts['records deleted by a bad deployment'] ?? Infinity,
        'records',
      )
      reporter.most(
        'writes lost with a machine and its disk (RPO)',
        figure('seconds of writes that are lost') / 60,
        5,
        'min',
      )
      reporter.most(
        'until it answered again (RTO)',
        Math.max(
          figure('seconds until it answered again'),
          figure('seconds until a lost one answered again'),
        ) / 60,
        30,
        'min',
      )
    },
    'scripts/faults/restore.test.ts',
  ),
  /** Reading the storage fails, or is slow, for one of three hubs, for ten minutes. */
  reads: proof(
    'read-faults',
    (counts, reporter) => {
      printEach(counts, reporter)
      const figure = (name: string) => counts[name] ?? Infinity
      reporter.least('seconds of failing reads', counts['seconds of failing reads'] ?? 0, 600, 's')
      reporter.most(
        'answers of the hub that were neither its last page nor dated',
        figure('of them neither its last page nor dated'),
        0,
        'answers',
      )
      reporter.most(
        'answers of the other hubs that were dated, late or wrong',
        figure('of them dated, late or wrong'),
        0,
        'answers',
      )
      reporter.most(
        'until the hub was right after it',
        figure('seconds until a hub was right after it'),
        10,
        's',
      )
    },
    'functions/edge/hub/storage-read-faults.test.ts',
  ),
  /** A deployment of a build whose files have other names, killed in the middle of making a hub again. */
  deployment: walk(
    'deployment',
    (counts, reporter) => {
      printEach(counts, reporter)
      const brokenCounts = Object.entries(counts).filter(([what]) => what.startsWith('broken, '))
      const sum = brokenCounts.reduce((all, [, count]) => all + count, 0)
      const figure = (name: string) => counts[name] ?? Infinity
      reporter.most(
        'deployment of a build with other asset names: broken pages and files in six crawls',
        brokenCounts.length === 6 ? sum : Infinity,
        0,
        'answers',
      )
      reporter.least(
        'addresses crawled after it',
        counts['addresses, with all made again'] ?? 0,
        500,
        'addresses',
      )
      reporter.most(
        'files that an open tab has not',
        figure('files of the earlier build that an open tab has not'),
        0,
        'files',
      )
      reporter.most(
        'files of the earlier build left after a week',
        figure('of them left after a week'),
        0,
        'files',
      )
    },
    'scripts/walks/deployment.walk.ts',
  ),
  /** Someone writes while the network, the Worker, the session or the server fails: `--seed 7 --runs 40`. */
  editor: walk(
    'editor',
    (counts, reporter) => {
      printEach(counts, reporter)
      reporter.least(
        'runs of the editor under offline, 503, expired, restart',
        counts.runs ?? 0,
        counts.asked ?? Infinity,
        'runs',
      )
      reporter.most('texts lost that were typed a second or more before', counts.lost ?? Infinity, 0, 'texts')
      reporter.most('texts not saved once in the end', counts.wrong ?? Infinity, 0, 'texts')
    },
    'scripts/walks/editor-faults.walk.ts',
    ({ seed = '1', runs = '200' }) => ({ EDITOR_RUNS: runs, EDITOR_SEED: seed }),
  ),
  /** The code before the newest migration, on the schema that this migration makes. */
  previous,
  /** The first start is killed at a random moment, and started again: `--seed 1 --runs 30`. */
  start: killedStarts,
}

/** Runs every suite of faults, or with `--only editor` the one of that name. */
export const faults: Suite = async (reporter, options) => {
  const suitesToRun = options.only === undefined ? Object.values(suites) : [suites[options.only]]
  for (const suite of suitesToRun) {
    if (!suite) throw new Error(`--only takes ${Object.keys(suites).join(', ')}.`)
    await suite(reporter, options)
  }
}
