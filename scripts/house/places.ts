import { spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
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

/** What the compiler reads, besides the packages. */
const compiledPaths = ['app', 'functions', 'db', 'scripts', 'package.json', 'tsconfig.json']

/**
 * Adds one item of each kind to a copy of the project, and returns the files that fail to compile with it. Takes half a
 * minute for the project and less for each addition. Throws when the project itself does not compile, or an
 * addition no longer fits.
 */
export function findPlaces(selection: readonly Addition[] = additions): Places[] {
  const copy = mkdtempSync(join(tmpdir(), 'commonplace-places-'))
  try {
    for (const path of compiledPaths) cpSync(join(root, path), join(copy, path), { recursive: true })
    symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
    const [own] = findFailingFiles(copy)
    if (own) throw new Error(`The project itself does not compile: ${own.path} ${own.message}`)
    return selection.map((addition) => {
      const texts = textsWith(addition)
      for (const [path, text] of texts) writeIn(copy, path, text)
      const demandedFiles = findFailingFiles(copy)
      for (const path of texts.keys())
        if (existsSync(join(root, path))) cpSync(join(root, path), join(copy, path))
        else rmSync(join(copy, path))
      return { what: addition.what, readme: addition.readme, startFiles: [...texts.keys()], demandedFiles }
    })
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}

function writeIn(folder: string, path: string, text: string) {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}

/** Returns the files of a folder that fail to compile, once each with their first error, by path. */
function findFailingFiles(folder: string): Places['demandedFiles'] {
  const compiler = join(root, 'node_modules/typescript7/bin/tsc')
  const options = ['--noEmit', '--pretty', 'false', '--incremental', '--tsBuildInfoFile', 'places.json']
  const { stdout, status } = spawnSync(process.execPath, [compiler, ...options], {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 100_000_000,
  })
  const faults = new Map<string, string>()
  for (const [, path = '', message = ''] of stdout.matchAll(/^(\S[^(\n]*)\(\d+,\d+\): error TS\d+: (.*)$/gm))
    if (!faults.has(path)) faults.set(path, message)
  if (status !== 0 && faults.size === 0) throw new Error(`The compiler failed: ${stdout}`)
  return [...faults]
    .map(([path, message]) => ({ path, message }))
    .sort((a, b) => a.path.localeCompare(b.path))
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
