import * as v from 'valibot'
import { Archive } from '#functions/engine/import/parse/archive.ts'
import type { Ranges } from '#functions/engine/import/parse/ranges.ts'
import { defaultCaps } from '#functions/engine/import/parse/caps.ts'
import type { Entry } from '#functions/engine/import/parse/directory.ts'
import { UnreadableError } from '#functions/engine/import/row.ts'
import { Sha256 } from '#functions/engine/export/hash.ts'
import { Failure } from '#functions/errors.ts'
import { hex } from '#functions/platform/digest.ts'
import { ArchiveManifest, archiveFormat, archiveVersion } from '#functions/shapes/archive.ts'
import { describeIssue, describeMissing, type Issue } from '#functions/shapes/issue.ts'

const MB = 1024 * 1024

/** Limits for reading an archive. Archives made by the product are far below this compression ratio. */
const caps = { ...defaultCaps, entries: 20_000, ratio: 500 }
/** The largest document in bytes: a page with all of its contents. */
const maxDocument = 24 * MB
/** The longest record, in UTF-16 units. */
const maxLine = defaultCaps.row

const documents = 'types|sources|insights|collections|pages|importers|observers|boundarySets'
/** All valid names of files in an archive. None of them can escape from its directory. */
const names = new RegExp(
  String.raw`^(manifest\.json|place\.json|fields\.json|folders\.json|(${documents})/[\w-]{1,64}\.json|records/[\w-]{1,64}\.ndjson|boundarySets/[\w-]{1,64}\.geojson|translations\.ndjson|media/[0-9a-f-]{36}(\.json)?)$`,
)

export type DocumentFolder =
  | 'types'
  | 'sources'
  | 'insights'
  | 'collections'
  | 'pages'
  | 'importers'
  | 'observers'
  | 'boundarySets'
  | 'media'

/** A Failure `invalid` for something in an archive: `path` begins with a file name. */
export function refusal(path: Issue['path'], message: string): Failure {
  return new Failure('invalid', {
    message: `The archive cannot be imported: ${path.length > 0 ? `${path.join('.')}: ` : ''}${message}`,
    issues: [{ path, message }],
  })
}

/**
 * An opened archive: a zip with exactly the files that its manifest lists, each once. File contents are verified against
 * the manifest: length and checksum. Every error is a Failure `invalid` that names the file.
 */
export class ArchiveFile {
  private constructor(
    private readonly archive: Archive,
    private readonly entries: ReadonlyMap<string, Entry>,
    private readonly fileFacts: ReadonlyMap<string, ArchiveManifest['files'][number]>,
    readonly manifest: ArchiveManifest,
  ) {}

  static async open(ranges: Ranges): Promise<ArchiveFile> {
    const archive = await readable('', () =>
      Archive.open({ name: 'json', bytes: nothing(), options: {}, caps, batchRows: 1, ranges }, null),
    )
    const entries = new Map<string, Entry>()
    for (const entry of archive.entries) {
      if (!names.test(entry.name)) throw refusal([entry.name], 'A file of this name is in no archive.')
      if (entries.has(entry.name)) throw refusal([entry.name], 'There are two files of this name.')
      entries.set(entry.name, entry)
    }
    const first = entries.get('manifest.json')
    if (!first) throw refusal(['manifest.json'], 'Without it this is no archive of an organization.')
    const manifest = readManifest(await readable(first.name, () => archive.readWhole(first, maxDocument)))
    const fileFacts = new Map(manifest.files.map((file) => [file.name, file]))
    if (fileFacts.size !== manifest.files.length)
      throw refusal(['manifest.json', 'files'], 'Names a file twice.')
    for (const [name, { bytes }] of fileFacts) {
      const entry = entries.get(name)
      if (!entry || name === 'manifest.json')
        throw refusal([name], 'The manifest names it, and it is not there.')
      if (entry.size !== bytes) throw refusal([name], 'It has another length than the manifest says.')
    }
    for (const name of entries.keys())
      if (name !== 'manifest.json' && !fileFacts.has(name))
        throw refusal([name], 'The manifest does not name it.')
    return new ArchiveFile(archive, entries, fileFacts, manifest)
  }

  /** The ids that a folder has documents of, in the order of the archive. */
  ids(folder: DocumentFolder): string[] {
    const start = `${folder}/`
    return [...this.entries.keys()]
      .filter((name) => name.startsWith(start) && name.endsWith('.json'))
      .map((name) => name.slice(start.length, -'.json'.length))
  }

  has(name: string): boolean {
    return this.entries.has(name)
  }

  /** The length that a file has by the manifest and the directory, in bytes. */
  size(name: string): number {
    return this.entry(name).size
  }

  /** The names of all files with a prefix. */
  under(start: string): string[] {
    return [...this.entries.keys()].filter((name) => name.startsWith(start))
  }

  /** Reads and validates a document; unknown members are rejected. */
  async document<Shape extends v.GenericSchema>(name: string, shape: Shape): Promise<v.InferOutput<Shape>> {
    if (this.size(name) > maxDocument) throw refusal([name], 'It is larger than 24 MB.')
    const chunks: Uint8Array[] = []
    for await (const chunk of this.bytes(name)) chunks.push(chunk)
    return parse(name, decodeText(name, chunks), shape)
  }

  /** The lines of a file of records that are not empty, each with its number from 1. */
  async *lines(name: string): AsyncGenerator<{ line: number; value: unknown; length: number }> {
    const decoder = new TextDecoder('utf-8', { fatal: true })
    let rest = ''
    let line = 0
    const read = (chunk?: Uint8Array) => {
      try {
        return decoder.decode(chunk, { stream: chunk !== undefined })
      } catch {
        throw refusal([name], 'It is not text in UTF-8.')
      }
    }
    for await (const chunk of this.bytes(name)) {
      const parts = (rest + read(chunk)).split('\n')
      rest = parts.pop() ?? ''
      if (rest.length > maxLine) throw refusal([name, line + 1], 'The record is too long.')
      for (const text of parts) {
        line += 1
        if (text !== '') yield { line, value: json([name, line], text), length: text.length }
      }
    }
    rest += read()
    if (rest !== '') yield { line: line + 1, value: json([name, line + 1], rest), length: rest.length }
  }

  /** The bytes of a file. Throws at the end where they do not match the manifest. */
  async *bytes(name: string): AsyncGenerator<Uint8Array> {
    const hash = new Sha256()
    const stream = this.archive.stream(this.entry(name))
    try {
      for (;;) {
        const { value, done } = await readable(name, () => stream.next())
        if (done) break
        hash.update(value)
        yield value
      }
    } finally {
      await stream.return(undefined)
    }
    if (hex(hash.digest()) !== this.fileFacts.get(name)?.sha256)
      throw refusal([name], 'It is another file than the manifest says: its checksum differs.')
  }

  private entry(name: string): Entry {
    const entry = this.entries.get(name)
    if (!entry) throw refusal([name], 'It is missing.')
    return entry
  }
}

/** Runs a function for a part of a document, and adds the path of that part to its issues. */
export async function runWithPath<Result>(
  path: (string | number)[],
  run: () => Promise<Result>,
): Promise<Result> {
  try {
    return await run()
  } catch (error) {
    if (!(error instanceof Failure) || error.issues.length === 0) {
      if (error instanceof Failure && error.kind !== 'broken') throw refusal(path, error.message)
      throw error
    }
    const issues = error.issues.map((issue) => ({ ...issue, path: [...path, ...issue.path] }))
    throw new Failure('invalid', { message: error.message, issues })
  }
}

/** Archives are read by ranges; a whole read is never made. */
async function* nothing(): AsyncGenerator<Uint8Array> {}

/** Runs something that reads; what cannot be read becomes a refusal. */
async function readable<Result>(name: string, read: () => Promise<Result>): Promise<Result> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof UnreadableError) throw refusal(name ? [name] : [], error.message)
    // A directory that points outside of itself.
    if (error instanceof RangeError) throw refusal(name ? [name] : [], 'The archive is damaged.')
    throw error
  }
}

function readManifest(bytes: Uint8Array): ArchiveManifest {
  const name = 'manifest.json'
  const text = decodeText(name, [bytes])
  const { format, version } = parse(name, text, v.looseObject({ format: v.unknown(), version: v.unknown() }))
  if (format !== archiveFormat) throw refusal([name, 'format'], 'This is no archive of an organization.')
  if (version !== archiveVersion)
    throw refusal(
      [name, 'version'],
      `Archives of version ${archiveVersion} are read here; this one is of another.`,
    )
  return parse(name, text, ArchiveManifest)
}

function decodeText(name: string, chunks: Uint8Array[]): string {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  try {
    return chunks.map((chunk) => decoder.decode(chunk, { stream: true })).join('') + decoder.decode()
  } catch {
    throw refusal([name], 'It is not text in UTF-8.')
  }
}

function json(path: Issue['path'], text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    throw refusal(path, 'It is no JSON.')
  }
}

function parse<Shape extends v.GenericSchema>(
  name: string,
  text: string,
  shape: Shape,
): v.InferOutput<Shape> {
  return parseIn([name], json([name], text), shape)
}

/** Validates a part of an archive. Failure `invalid` with paths that begin at `path`. */
export function parseIn<Shape extends v.GenericSchema>(
  where: Issue['path'],
  value: unknown,
  shape: Shape,
): v.InferOutput<Shape> {
  const answer = v.safeParse(shape, value)
  if (answer.success) return answer.output
  const issues = answer.issues.map((issue): Issue => {
    const path = issue.path?.map((part) => part.key as string | number) ?? []
    const isMissing = issue.input === undefined && issue.expected !== 'never'
    return { path: [...where, ...path], message: isMissing ? describeMissing(issue) : describeIssue(issue) }
  })
  const [first] = issues
  throw new Failure('invalid', {
    message: `The archive cannot be imported: ${first?.path.join('.')}: ${first?.message}`,
    issues,
  })
}
