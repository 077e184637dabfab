import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/cloudflare'
import { parserNamed, parserOfName, buildImporterSource } from '#app/components/importer/parser-guess.ts'
import { jsonOrText } from '#app/components/importer/remote-sources.ts'
import { toTrialResult, type TrialResult } from '#app/components/importer/trial.ts'
import { call } from '#functions/api/call.ts'
import { columnsIn } from '#functions/engine/import/profile/index.ts'
import { asFailure } from '#functions/errors.ts'
import { describeErrorBriefly } from '#app/server/failure-words.server.ts'
import type { Mapping } from '#functions/shapes/importer-mapping.ts'
import { v1 } from '#functions/v1/index.ts'
import { handleForm, toErrorResponse, versionIn } from '#app/server/load.server.ts'
import { withClonedRequest } from '#app/server/source-create.server.ts'

interface FileSource {
  url: string
  parser: string
  parserOptions?: { zip?: boolean; file?: string }
}

interface StoredImporter {
  id: string
  name: string
  sources: readonly object[]
  mapping: Mapping
  columns: object
  version: number
}

/** The effects of a replacement file, before it is applied. */
export interface FileChange {
  /** The source with the new file. */
  source: FileSource
  name: string
  /** Why the new file cannot be read; null if it can. */
  error: string | null
  /** Columns that only the previous file has, with the fields mapped to them. */
  missing: { path: string; fields: string[] }[]
  /** Columns that only the new file has. */
  newPaths: string[]
  /** Of the first rows: the number read, and the number that would be rejected. */
  rows: number
  badRows: number
  /** The previous file could be read; otherwise columns are compared with the mapping. */
  isCompared: boolean
}

/** The source of an importer that reads exactly one uploaded file; null for others. */
export function findFileSource({ sources }: Pick<StoredImporter, 'sources'>): FileSource | null {
  const [only, ...others] = sources as FileSource[]
  return only && others.length === 0 && /^file:/i.test(only.url) ? only : null
}

/** The source for another file with the same options; without options for another format. */
function sourceFor(old: FileSource, url: string, parser: string): FileSource {
  return parser === old.parser ? { ...old, url } : { url, parser }
}

/** The effects of the file in the screen's URL (`url`, `parser`, `named`); null without one. */
export async function changeByFile(
  args: LoaderFunctionArgs,
  importer: StoredImporter,
): Promise<FileChange | null> {
  const { searchParams } = new URL(args.request.url)
  const old = findFileSource(importer)
  const url = searchParams.get('url') ?? ''
  if (!old || !/^file:/i.test(url)) return null
  const name = searchParams.get('named') ?? 'the new file'
  const parser = parserNamed(searchParams.get('parser')) ?? parserOfName(name)
  const before = await attempt(args, importer, old)
  const { source, after } = await tryNewFile(args, importer, sourceFor(old, url, parser), old)
  const nothing = { source, name, missing: [], newPaths: [], rows: 0, badRows: 0, isCompared: false }
  if (typeof after === 'string') return { ...nothing, error: after }
  const fieldsByPath = new Map<string, string[]>()
  for (const [field, value] of Object.entries(importer.mapping))
    for (const path of columnsIn(value)) fieldsByPath.set(path, [...(fieldsByPath.get(path) ?? []), field])
  const newFilePaths = new Set(after.paths.map(({ path }) => path))
  const isCompared = typeof before !== 'string' && before.paths.length > 0
  const knownPaths = new Set([
    ...(isCompared ? before.paths.map(({ path }) => path) : []),
    ...fieldsByPath.keys(),
  ])
  return {
    ...{ source, name, isCompared },
    error: after.error ?? null,
    missing: [...knownPaths]
      .filter((path) => !newFilePaths.has(path))
      .map((path) => ({ path, fields: fieldsByPath.get(path) ?? [] })),
    newPaths: [...newFilePaths].filter((path) => !knownPaths.has(path)),
    rows: after.rows.length,
    badRows: after.rows.filter(({ errors }) => errors.length).length,
  }
}

/** Tries the new file, in an archive of other files in their format, with the settings before if that is the same. */
async function tryNewFile(
  args: LoaderFunctionArgs,
  importer: StoredImporter,
  source: FileSource,
  old: FileSource,
): Promise<{ source: FileSource; after: TrialResult | string }> {
  const after = await attempt(args, importer, source)
  const formats = typeof after === 'string' ? [] : (after.archives[0] ?? [])
  const best = formats.find(({ parser }) => parser === old.parser) ?? formats[0]
  const { file: chosenFile } = source.parserOptions ?? {}
  const isThere = chosenFile === undefined || Boolean(best?.files.includes(chosenFile))
  const isSo = best?.parser === source.parser && best.zip === Boolean(source.parserOptions?.zip) && isThere
  if (!best || isSo) return { source, after }
  // The only file of another archive is the one that is meant, whatever its name.
  const { zip: _, file, ...settings } = old.parserOptions ?? {}
  const options = file === undefined || best.count === 1 ? settings : { ...settings, file }
  const next =
    best.parser === old.parser
      ? { ...old, url: source.url, parserOptions: best.zip ? { ...options, zip: true } : settings }
      : buildImporterSource(source.url, best.parser, { zip: best.zip ? 'yes' : '' })
  return { source: next, after: await attempt(args, importer, next) }
}

/** The first rows of a source as the importer would read them; an error message if it fails. */
async function attempt(
  args: LoaderFunctionArgs,
  { id, mapping, columns }: StoredImporter,
  source: FileSource,
): Promise<TrialResult | string> {
  const { sourceId = '' } = args.params
  try {
    const data = { id, name: 'Trial', sources: [source], mapping, columns }
    return toTrialResult(
      await call(v1.source.importer.test, args.context.ctx, { params: { sourceId }, data }),
    )
  } catch (error) {
    const { kind } = asFailure(error)
    if (kind === 'broken' || kind === 'notFound') throw toErrorResponse(error, args)
    return describeErrorBriefly(error)
  }
}

/**
 * Its actions: `upload` takes a file without scripts, `replaceFile` switches the importer to the given file and starts a dry run.
 * Settings and history stay; records change only when that is committed.
 */
export async function replaceFile(args: ActionFunctionArgs) {
  const { sourceId = '', importerId = '' } = args.params
  const at = `/sources/${sourceId}/importers/${importerId}`
  const { importer } = v1.source
  const outcome = await handleForm(withClonedRequest(args), {
    upload: {
      endpoint: v1.source.file.create,
      data: (form) => ({ file: form.get('file') }),
      then: ({ id, name }: { id: string; name: string }) =>
        `${at}?${new URLSearchParams({ url: `file:${id}`, parser: parserOfName(name), named: name }).toString()}`,
    },
    replaceFile: {
      endpoint: importer.updateById,
      data: (form) => ({ sources: [jsonOrText(String(form.get('readSource')))], version: versionIn(form) }),
    },
  })
  if (!outcome.ok) return outcome
  return handleForm(withClonedRequest(args), {
    replaceFile: {
      endpoint: importer.run,
      options: { dryRun: true },
      data: () => undefined,
      then: ({ id }: { id: string }) => `${at}/${id}`,
    },
  })
}
