import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'

/** What was found by checks of before, kept between runs. A checkout without it has everything checked. */
const folder = '.cache/check'
/** What the rules are made of, and what packages mean: where one of these changes, nothing of before holds. */
const rules = ['package-lock.json', 'eslint.config.js', 'tsconfig.json']

const hashOf = (texts: Iterable<string | Buffer>) => {
  const hash = createHash('sha256')
  for (const text of texts) hash.update(text)
  return hash.digest('hex')
}

export interface TypeCheck {
  program: ts.Program
  diagnostics: readonly ts.Diagnostic[]
  /** A hash of all that a file means: its own text and that of every file of the project which it imports, however far. */
  hashOf(path: string): string
}

/**
 * The whole project as the compiler reads it. What it found in files that mean the same as the last time is known from then; what
 * is found now is kept for the next time.
 */
export function checkTypes(root: string): TypeCheck {
  const { config, error } = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile)
  const { fileNames, options, errors } = ts.parseJsonConfigFileContent(config, ts.sys, root)
  const builder = ts.createIncrementalProgram({
    rootNames: fileNames,
    options: { ...options, incremental: true, tsBuildInfoFile: join(root, folder, 'types.tsbuildinfo') },
    configFileParsingDiagnostics: error ? [error] : errors,
  })
  const diagnostics = [
    ...builder.getConfigFileParsingDiagnostics(),
    ...builder.getOptionsDiagnostics(),
    ...builder.getSyntacticDiagnostics(),
    ...builder.getGlobalDiagnostics(),
    ...builder.getSemanticDiagnostics(),
  ]
  builder.emit()
  const own = new Map<string, string>()
  const ownHash = (path: string) => {
    const known = own.get(path)
    if (known !== undefined) return known
    const hash = hashOf([path, builder.getSourceFile(path)?.text ?? readFileSync(path)])
    own.set(path, hash)
    return hash
  }
  return {
    program: builder.getProgram(),
    diagnostics,
    hashOf(path) {
      const full = join(root, path)
      const file = builder.getSourceFile(full)
      if (!file) return ownHash(full)
      // Packages are as the lock says, which is one of the rules.
      const all = builder.getAllDependencies(file).filter((name) => !name.includes('/node_modules/'))
      return hashOf([ownHash(full), ...[...all].sort().map(ownHash)])
    },
  }
}

/** Files in which the linter found nothing, by their path from the root, each with the hash of what it meant then. */
export class CleanFiles {
  private readonly path: string
  private readonly rules: string
  private hashes = new Map<string, string>()

  constructor(root: string) {
    this.path = join(root, folder, 'lint.json')
    this.rules = hashOf(rules.map((file) => readFileSync(join(root, file))))
    try {
      const kept = JSON.parse(readFileSync(this.path, 'utf8')) as {
        rules: string
        hashes: [string, string][]
      }
      if (kept.rules === this.rules) this.hashes = new Map(kept.hashes)
    } catch {
      // There is none, or half of one: then all files are linted.
    }
  }

  has(path: string, hash: string): boolean {
    return this.hashes.get(path) === hash
  }

  /** Keeps the files that were found in order, and no others. */
  write(hashes: Iterable<[path: string, hash: string]>): void {
    this.hashes = new Map(hashes)
    mkdirSync(join(this.path, '..'), { recursive: true })
    writeFileSync(this.path, JSON.stringify({ rules: this.rules, hashes: [...this.hashes] }))
  }
}
