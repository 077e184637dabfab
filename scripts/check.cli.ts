import { spawnSync } from 'node:child_process'
import { ESLint } from 'eslint'
import ts from 'typescript'
import { findBreaches } from './house/layers.ts'
import { readModules } from './house/modules.ts'
import { findBrokenPaths } from './house/named-paths.ts'
import { findUnusedExports } from './house/unused-exports.ts'
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
    const found = ts.getPreEmitDiagnostics(program())
    if (found.length > 0) console.error(ts.formatDiagnosticsWithColorAndContext(found, host))
    return found.length === 0
  },
  lint: async () => {
    const parserOptions = { projectService: false, programs: [program()] }
    const eslint = new ESLint({
      overrideConfig: { files: ['**/*.{ts,tsx}'], languageOptions: { parserOptions } },
    })
    const found = await eslint.lintFiles('.')
    const formatter = await eslint.loadFormatter('stylish')
    const text = await formatter.format(found)
    if (text) console.error(text)
    return found.every(({ errorCount, warningCount }) => errorCount + warningCount === 0)
  },
  format: () => run('prettier', '--check', '--log-level', 'warn', '.'),
}

const host: ts.FormatDiagnosticsHost = {
  getCanonicalFileName: (name) => name,
  getCurrentDirectory: () => process.cwd(),
  getNewLine: () => '\n',
}

/** The whole project as the compiler reads it: once for its own rules and those of the linter, which both ask for types. */
let read: ts.Program | undefined
function program(): ts.Program {
  if (read) return read
  const { config, error } = ts.readConfigFile('tsconfig.json', ts.sys.readFile)
  const { fileNames, options, errors } = ts.parseJsonConfigFileContent(config, ts.sys, process.cwd())
  return (read = ts.createProgram({
    rootNames: fileNames,
    options,
    configFileParsingDiagnostics: error ? [error] : errors,
  }))
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
