import { spawnSync } from 'node:child_process'
import { relative } from 'node:path'
import { ESLint } from 'eslint'
import ts from 'typescript'
import { filesBelow } from './files-below.ts'
import { findBreaches } from './house/layers.ts'
import { readModules } from './house/modules.ts'
import { findBrokenPaths } from './house/named-paths.ts'
import { findUnusedExports } from './house/unused-exports.ts'
import { checkTypes, CleanFiles, type TypeCheck } from './known-checks.ts'
import { secretsInHistory } from './supply/history.ts'
import { lockfileFaults, readLockfile, staleInstallScripts } from './supply/lockfile.ts'
import { secretsBelow } from './supply/secrets.ts'

const modules = readModules()

// Everything that can be said of the code without running it. Each check prints what is wrong and where.
const checks: Record<string, () => boolean | Promise<boolean>> = {
  'the rule between layers': () => {
    const found = findBreaches(modules)
    for (const { file, imports, why } of found) console.error(`${file} imports ${imports}: ${why}`)
    return found.length === 0
  },
  'packages that are locked': () => {
    const { lock, manifest } = readLockfile()
    return saysNone([...lockfileFaults(lock, manifest), ...staleInstallScripts(lock)])
  },
  'no secret in a file': () => saysNone(secretsBelow()),
  'no secret in what files were before': () => saysNone(secretsInHistory()),
  'exports that nobody imports': () =>
    saysNone(
      findUnusedExports(modules)
        .filter(({ usedBy }) => usedBy === 'nobody')
        .map(({ path, line, name }) => `${path}:${line} exports ${name}, which nobody uses`),
    ),
  'files that texts name': () => saysNone(findBrokenPaths().map((broken) => `${broken} does not exist`)),
  types: () => {
    const { diagnostics } = types()
    if (diagnostics.length > 0) console.error(ts.formatDiagnosticsWithColorAndContext(diagnostics, host))
    return diagnostics.length === 0
  },
  lint,
  format: () => run('prettier', '--check', ...prettierMemory, '--log-level', 'warn', '.'),
}

const host: ts.FormatDiagnosticsHost = {
  getCanonicalFileName: (name) => name,
  getCurrentDirectory: () => process.cwd(),
  getNewLine: () => '\n',
}

/** What prettier found in order is known by its content. */
const prettierMemory = [
  '--cache',
  '--cache-strategy',
  'content',
  '--cache-location',
  '.cache/check/format.json',
]

/** Read once, for the compiler's own rules and for those of the linter, which both ask for types. */
let read: TypeCheck | undefined
const types = () => (read ??= checkTypes(process.cwd()))

/** Lints what does not mean what it did when it was in order: rules ask for types, which come from what a file imports. */
async function lint(): Promise<boolean> {
  const { program, hashOf } = types()
  const parserOptions = { projectService: false, programs: [program] }
  const eslint = new ESLint({
    overrideConfig: { files: ['**/*.{ts,tsx}'], languageOptions: { parserOptions } },
  })
  const clean = new CleanFiles(process.cwd())
  const hashes = new Map<string, string>()
  for (const path of filesBelow('.'))
    if (/\.(?:tsx?|[cm]?js)$/.test(path) && !(await eslint.isPathIgnored(path)))
      hashes.set(path, hashOf(path))
  const due = [...hashes].filter(([path, hash]) => !clean.has(path, hash)).map(([path]) => path)
  const found = due.length > 0 ? await eslint.lintFiles(due) : []
  const formatter = await eslint.loadFormatter('stylish')
  const text = await formatter.format(found)
  if (text) console.error(text)
  const faulty = found.filter(({ errorCount, warningCount }) => errorCount + warningCount > 0)
  for (const { filePath } of faulty) hashes.delete(relative(process.cwd(), filePath))
  clean.write(hashes)
  return faulty.length === 0
}

function saysNone(found: string[]): boolean {
  for (const line of found) console.error(line)
  return found.length === 0
}

function run(command: string, ...args: string[]): boolean {
  return spawnSync('npx', ['--no-install', command, ...args], { stdio: 'inherit' }).status === 0
}

let failed = 0
for (const [name, check] of Object.entries(checks)) {
  const isFine = await check()
  console.log(`${isFine ? '✓' : '✗'} ${name}`)
  if (!isFine) failed += 1
}
process.exit(failed)
