import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/cloudflare'
import { parserNamed, parserOfName } from '#app/components/importer/parser-guess.ts'
import { jsonOrText } from '#app/components/importer/remote-sources.ts'
import { triedOf, type TrialResult } from '#app/components/importer/tried.ts'
import { call } from '#functions/api/call.ts'
import { columnsIn } from '#functions/engine/import/profile/index.ts'
import { asFailure } from '#functions/errors.ts'
import { firstSentence } from '#app/server/failure-words.server.ts'
import type { Mapping } from '#functions/shapes/importerMapping.ts'
import { v1 } from '#functions/v1/index.ts'
import { act, responseOf, versionIn } from '#app/server/load.server.ts'
import { again } from '#app/server/source-create.server.ts'

interface FileSource {
  url: string
  parser: string
  parserOptions?: object
}

interface StoredImporter {
  id: string
  name: string
  sources: readonly object[]
  mapping: Mapping
  columns: object
  version: number
}

/** What a file would change that is to be read in place of the one before; nothing of it is kept yet. */
export interface FileChange {
  /** The source as it would be read. */
  source: FileSource
  name: string
  /** Why the new file cannot be read; null: it can. */
  error: string | null
  /** Columns that the file before has and this one not, with the fields that are made of them. */
  missing: { path: string; fields: string[] }[]
  /** Columns that only the new one has. */
  newPaths: string[]
  /** Of the first rows: how many were read, and how many would be refused. */
  rows: number
  badRows: number
  /** The file before is there and was read: else columns are compared with what fields are made of. */
  isCompared: boolean
}

/** The source of an importer that reads one uploaded file and nothing else; null for others. */
export function fileSourceOf({ sources }: Pick<StoredImporter, 'sources'>): FileSource | null {
  const [only, ...others] = sources as FileSource[]
  return only && others.length === 0 && /^file:/i.test(only.url) ? only : null
}

/** The source that reads another file in the same way; of another format, as that is read without options. */
function sourceFor(old: FileSource, url: string, parser: string): FileSource {
  return parser === old.parser ? { ...old, url } : { url, parser }
}

/** What the file that the address of the screen names (`url`, `parser`, `named`) would change; null where it names none. */
export async function changeByFile(
  args: LoaderFunctionArgs,
  importer: StoredImporter,
): Promise<FileChange | null> {
  const { searchParams } = new URL(args.request.url)
  const old = fileSourceOf(importer)
  const url = searchParams.get('url') ?? ''
  if (!old || !/^file:/i.test(url)) return null
  const name = searchParams.get('named') ?? 'the new file'
  const source = sourceFor(old, url, parserNamed(searchParams.get('parser')) ?? parserOfName(name))
  const [before, after] = [await attempt(args, importer, old), await attempt(args, importer, source)]
  const nothing = { source, name, missing: [], newPaths: [], rows: 0, badRows: 0, isCompared: false }
  if (typeof after === 'string') return { ...nothing, error: after }
  const fieldsOf = new Map<string, string[]>()
  for (const [field, value] of Object.entries(importer.mapping))
    for (const path of columnsIn(value)) fieldsOf.set(path, [...(fieldsOf.get(path) ?? []), field])
  const seen = new Set(after.paths.map(({ path }) => path))
  const isCompared = typeof before !== 'string' && before.paths.length > 0
  const known = new Set([...(isCompared ? before.paths.map(({ path }) => path) : []), ...fieldsOf.keys()])
  return {
    ...{ source, name, isCompared },
    error: after.error ?? null,
    missing: [...known]
      .filter((path) => !seen.has(path))
      .map((path) => ({ path, fields: fieldsOf.get(path) ?? [] })),
    newPaths: [...seen].filter((path) => !known.has(path)),
    rows: after.rows.length,
    badRows: after.rows.filter(({ errors }) => errors.length).length,
  }
}

/** The first rows of a source as the importer would read it; a sentence where they cannot be had. */
async function attempt(
  args: LoaderFunctionArgs,
  { id, mapping, columns }: StoredImporter,
  source: FileSource,
): Promise<TrialResult | string> {
  const { sourceId = '' } = args.params
  try {
    const data = { id, name: 'Trial', sources: [source], mapping, columns }
    return triedOf(await call(v1.source.importer.test, args.context.ctx, { params: { sourceId }, data }))
  } catch (error) {
    const { kind } = asFailure(error)
    if (kind === 'broken' || kind === 'notFound') throw responseOf(error, args)
    return firstSentence(error)
  }
}

/**
 * The acts of that: `upload` takes a file without scripts, `replaceFile` has the importer read the file that the form names and looks at all
 * of its rows. What the importer is and has done stays; records change only when that look is brought in.
 */
export async function replaceFile(args: ActionFunctionArgs) {
  const { sourceId = '', importerId = '' } = args.params
  const at = `/sources/${sourceId}/importers/${importerId}`
  const { importer } = v1.source
  const outcome = await act(again(args), {
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
  return act(again(args), {
    replaceFile: {
      endpoint: importer.run,
      options: { dryRun: true },
      data: () => undefined,
      then: ({ id }: { id: string }) => `${at}/${id}`,
    },
  })
}
