import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Suite } from '../figures-proof.ts'
import { readTestReport } from '../test-report.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const migrations = 'db/migrations'

/**
 * The tests of the previous code that run on the new schema: every endpoint once, records in and out, runs of
 * importers, questions.
 */
const proofs = [
  'functions/v1/examples',
  'functions/domain/records/ingest.test.ts',
  'functions/domain/importer/job/job.test.ts',
  'functions/engine/query/examples.test.ts',
]

const git = (...args: string[]) => {
  const { status, stdout, stderr } = spawnSync('git', args, { cwd: root, encoding: 'utf8' })
  if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`)
  return stdout.trim()
}

/** The file name of the newest committed migration. */
function getNewestMigration(): string {
  const files = readdirSync(join(root, migrations)).filter((name) => /^\d{4}_\w+\.ts$/.test(name))
  const committedFiles = files
    .sort()
    .filter((name) => git('log', '--format=%h', '-1', '--', `${migrations}/${name}`))
  const last = committedFiles.at(-1)
  if (!last) throw new Error('No migration has landed.')
  return last
}

/**
 * Runs the code of the commit before the newest migration on the schema that this migration makes: as during
 * a deployment, and after a rollback. That code's own tests run in a separate folder with the current
 * migrations in place of theirs. Needs the history of the repository.
 */
export const previous: Suite = async (reporter) => {
  const name = getNewestMigration()
  const addingCommit = git('log', '--diff-filter=A', '--format=%H', '-1', '--', `${migrations}/${name}`)
  const folder = mkdtempSync(join(tmpdir(), 'commonplace-previous-'))
  const tree = join(folder, 'tree')
  git('worktree', 'add', '--detach', tree, `${addingCommit}^`)
  try {
    reporter.log(`  the code of ${git('show', '-s', '--format=%h %s', `${addingCommit}^`)}`)
    reporter.log(`  on the schema of ${name}`)
    if (existsSync(join(tree, migrations, name))) throw new Error('That code has the migration already.')
    symlinkSync(join(root, 'node_modules'), join(tree, 'node_modules'))
    rmSync(join(tree, migrations), { recursive: true })
    for (const path of [migrations, 'db/row-security.ts'])
      cpSync(join(root, path), join(tree, path), { recursive: true })
    const report = join(folder, 'report.json')
    const { status: exitStatus } = spawnSync(
      'npx',
      ['--no-install', 'vitest', 'run', ...proofs, '--reporter=json', `--outputFile=${report}`],
      { cwd: tree, stdio: ['ignore', 'ignore', 'inherit'], env: process.env },
    )
    const { passed, failures } = readTestReport(report)
    for (const { file, lines } of failures)
      for (const line of lines) reporter.log(`  ${file.slice(tree.length + 1)}: ${line.slice(0, 300)}`)
    reporter.least('tests of the code before on the schema of now', passed, 500, 'tests')
    reporter.most('files of them with a failure', failures.length, 0, 'files')
    reporter.most('runs of them that failed', exitStatus === 0 ? 0 : 1, 0, 'runs')
  } finally {
    git('worktree', 'remove', '--force', tree)
    rmSync(folder, { recursive: true, force: true })
  }
}
