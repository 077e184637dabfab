import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { additions, type Addition } from './additions.ts'

/** The files that adding one item of a kind touches, according to the compiler. */
interface Places {
  what: string
  readme: string
  /** The files in which the addition begins. */
  startFiles: string[]
  /** The files that then fail to compile, with the first error of each. */
  demandedFiles: { path: string; message: string }[]
}

const root = fileURLToPath(new URL('../..', import.meta.url))

/**
 * Adds one item of each kind to a virtual copy of the project, and returns the files that fail to compile
 * with it. Takes minutes the first time: results of the compiler are cached in `.cache`. Throws when the
 * project itself does not compile, or an addition no longer fits.
 */
export function findPlaces(selection: readonly Addition[] = additions): Places[] {
  const { options, fileNames } = readConfig()
  const compile = (files: ReadonlyMap<string, string>, before?: Builder): Builder => {
    const host = hostOf(options, files)
    const names = [...new Set([...fileNames, ...[...files.keys()].map((path) => join(root, path))])]
    return ts.createEmitAndSemanticDiagnosticsBuilderProgram(names, options, host, before)
  }
  const before = compile(new Map(), ts.readBuilderProgram(options, hostOf(options, new Map())))
  const own = faultsOf(before)
  if (own.length) throw new Error(`The project itself does not compile: ${own[0]?.path} ${own[0]?.message}`)
  before.emit()
  return selection.map((addition) => ({
    what: addition.what,
    readme: addition.readme,
    startFiles: [...new Set([...addition.edits, ...addition.files].map(({ path }) => path))],
    demandedFiles: faultsOf(compile(textsWith(addition), before)),
  }))
}

type Builder = ts.EmitAndSemanticDiagnosticsBuilderProgram

function readConfig(): ts.ParsedCommandLine {
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), (path) => ts.sys.readFile(path)) as {
    config: unknown
  }
  const more = { incremental: true, tsBuildInfoFile: join(root, '.cache/places.json') }
  return ts.parseJsonConfigFileContent(config, ts.sys, root, more)
}

/** A compiler host that reads the project from disk, except for the given files. */
function hostOf(options: ts.CompilerOptions, files: ReadonlyMap<string, string>): ts.CompilerHost {
  const host = ts.createIncrementalCompilerHost(options)
  const { readFile, fileExists, directoryExists } = host
  const folders = new Set([...files.keys()].map((path) => dirname(path)))
  host.readFile = (path) => files.get(relative(root, path)) ?? readFile(path)
  host.fileExists = (path) => files.has(relative(root, path)) || fileExists(path)
  host.directoryExists = (path) => folders.has(relative(root, path)) || (directoryExists?.(path) ?? true)
  return host
}

/** Returns the texts of the files that an addition changes or creates, by path. */
export function textsWith({ what, edits, files }: Addition): Map<string, string> {
  const texts = new Map<string, string>()
  for (const { path, after, insertion } of edits) {
    const text = texts.get(path) ?? readFileSync(join(root, path), 'utf8')
    if (text.split(after).length !== 2)
      throw new Error(`${what}: ${path} has no longer one "${after}". Mend scripts/house/additions.ts.`)
    texts.set(
      path,
      text.replace(after, () => after + insertion),
    )
  }
  for (const { path, text } of files) {
    if (existsSync(join(root, path))) throw new Error(`${what}: there is a ${path} already.`)
    texts.set(path, text)
  }
  return texts
}

/** Returns the files that fail to compile, once each, by path. */
function faultsOf(program: Builder): Places['demandedFiles'] {
  const faults = new Map<string, string>()
  for (const { file, messageText } of [
    ...program.getSyntacticDiagnostics(),
    ...program.getSemanticDiagnostics(),
  ]) {
    const path = file ? relative(root, file.fileName) : ''
    if (!faults.has(path))
      faults.set(path, ts.flattenDiagnosticMessageText(messageText, '\n').split('\n')[0] ?? '')
  }
  return [...faults]
    .map(([path, message]) => ({ path, message }))
    .sort((a, b) => a.path.localeCompare(b.path))
}
