import * as v from 'valibot'
import { ColumnReadingsShape } from './importer-columns.ts'
import { MappingShape } from './importer-mapping.ts'
import { parsers, type ParserName } from './parser/index.ts'
import { leftOutKinds } from './parser/parser.ts'
import { FileId } from './file.ts'
import { ImporterSourcesShape } from './importer-source.ts'
import { Job } from './job.ts'
import { Id, Name, Version, listOptions } from './options.ts'
import { Time, TimeOrNull } from './returns.ts'

const parserNames = Object.keys(parsers) as ParserName[]

/** What happens to existing records: append to them, replace those with the same id, or replace all. */
export const importerModes = ['append', 'upsert', 'replace'] as const

const buildIntegerShape = (least: number, most: number) =>
  v.pipe(v.number(), v.integer(), v.minValue(least), v.maxValue(most))

const settings = {
  name: Name,
  enabled: v.optional(v.boolean()),
  sources: ImporterSourcesShape,
  mapping: v.optional(MappingShape),
  /** How columns of the source are read, as proposed by a trial. */
  columns: v.optional(ColumnReadingsShape),
  mode: v.optional(v.picklist(importerModes)),
  /** Cron, in the time zone of the place; null: manual only. */
  schedule: v.optional(v.nullable(v.pipe(v.string(), v.trim(), v.maxLength(100)))),
  /** Of one run. */
  timeoutSeconds: v.optional(buildIntegerShape(1, 86_400)),
  retries: v.optional(buildIntegerShape(0, 10)),
  notifyOnFailure: v.optional(v.boolean()),
}

/** A new importer: sources, mapping, and schedule. */
export const NewImporter = v.strictObject({
  ...settings,
  id: v.optional(Id),
})
export type NewImporter = v.InferOutput<typeof NewImporter>

/** A URL to try before there is a source, as in an importer. */
export const AddressedSample = v.strictObject({ name: v.optional(Name), sources: ImporterSourcesShape })
export type AddressedSample = v.InferOutput<typeof AddressedSample>

/** A file to try before there is a source. `sources` (JSON) has the reading options; its URL is arbitrary, such as `file:sent`. */
export const SentSample = v.strictObject({
  file: v.instance(File, 'Must be a file.'),
  sources: v.pipe(v.string(), v.parseJson(undefined, 'Must be JSON.'), ImporterSourcesShape),
  name: v.optional(Name),
})
export type SentSample = v.InferOutput<typeof SentSample>

/** A file to try that was announced for the place and uploaded, and not confirmed yet; the URL of `sources` is arbitrary. */
export const UploadedSample = v.strictObject({
  fileId: FileId,
  sources: ImporterSourcesShape,
  name: v.optional(Name),
})
export type UploadedSample = v.InferOutput<typeof UploadedSample>

/** A sample to test before the source exists. A file is sent in a form, or announced and uploaded before. */
export const NewSourceTest = v.lazy((value) => {
  if (typeof value !== 'object' || value === null) return AddressedSample
  return 'file' in value ? SentSample : 'fileId' in value ? UploadedSample : AddressedSample
}) as v.GenericSchema<unknown, AddressedSample | SentSample | UploadedSample>
export type NewSourceTest = v.InferOutput<typeof NewSourceTest>

/** A value `{ secret: true }` in `sources` keeps the stored one. */
export const ImporterChanges = v.strictObject({
  ...v.partial(v.object(settings)).entries,
  version: v.optional(Version),
})
export type ImporterChanges = v.InferOutput<typeof ImporterChanges>

/** Importers are visible to members of the place only: they have no visibility setting. */
export const ImporterOptions = v.omit(
  listOptions({
    id: 'text',
    name: 'text',
    enabled: 'boolean',
    mode: 'text',
    nextRunAt: 'date',
    createdAt: 'date',
    updatedAt: 'date',
  }),
  ['maxVisibility', 'visibility'],
)
export type ImporterOptions = v.InferOutput<typeof ImporterOptions>

const Json = v.looseObject({})

/** An importer in responses; secrets in its sources are `{ secret: true }`. */
export const Importer = v.strictObject({
  id: v.string(),
  sourceId: v.string(),
  placeId: v.string(),
  name: v.string(),
  enabled: v.boolean(),
  sources: v.array(Json),
  mapping: Json,
  columns: Json,
  mode: v.picklist(importerModes),
  schedule: v.nullable(v.string()),
  timeoutSeconds: v.number(),
  retries: v.number(),
  notifyOnFailure: v.boolean(),
  /** Consecutive failures of scheduled runs. */
  failures: v.number(),
  nextRunAt: TimeOrNull,
  version: v.number(),
  createdAt: Time,
  updatedAt: Time,
  /** The uploaded files that it reads. */
  files: v.optional(
    v.array(v.strictObject({ id: v.string(), name: v.optional(v.string()), createdAt: v.optional(Time) })),
  ),
  lastJob: v.optional(v.nullable(v.strictObject(v.partial(Job).entries))),
})

/** The current job, if there ever was one; `stopping`: whether it was running. */
export const Stopped = v.strictObject({ stopping: v.boolean(), job: v.optional(Job) })

export const Started = Job
/** The first rows after mapping. `errors` of a row prevent its import; `error` says why there are not more rows. */
export const Tried = v.strictObject({
  rows: v.array(
    v.strictObject({
      input: v.unknown(),
      output: v.unknown(),
      errors: v.array(Json),
      /** Place names without a unique position: the row is imported without it. */
      noPlaces: v.array(
        v.strictObject({
          field: v.string(),
          kind: v.picklist(['ambiguous', 'unknown']),
          message: v.string(),
        }),
      ),
    }),
  ),
  selectors: v.array(v.string()),
  /**
   * For JSON: the lists of objects, the longest uniform one first, with count and first keys; not `isWhole`: in its beginning. For a
   * workbook: its sheets, preceded by the tables of a sheet with several; the most likely one first.
   */
  lists: v.array(
    v.strictObject({
      selector: v.string(),
      rows: v.number(),
      keys: v.array(v.string()),
      isWhole: v.boolean(),
      isHidden: v.optional(v.boolean()),
    }),
  ),
  /**
   * Per source with a selectable header, else null: its first rows as cells, first and last row of the detected header (null:
   * unknown), and whether that is the default. `leftOut`: rows that seem not to be records, with their first text.
   */
  grids: v.array(
    v.nullable(
      v.strictObject({
        rows: v.array(v.strictObject({ line: v.number(), cells: v.array(v.string()) })),
        head: v.nullable(v.tuple([v.number(), v.number()])),
        isFirst: v.boolean(),
        leftOut: v.array(
          v.strictObject({
            line: v.number(),
            kind: v.picklist(leftOutKinds),
            label: v.string(),
            cells: v.array(v.string()),
          }),
        ),
      }),
    ),
  ),
  /**
   * Per source: the formats in which a zip archive can be read, best first, each with the number of its files and the names
   * of the first hundred, of which `file` chooses one; null if it is none. `zip`: its files are within the archive.
   */
  archives: v.array(
    v.nullable(
      v.array(
        v.strictObject({
          ...{ parser: v.picklist(parserNames), zip: v.boolean() },
          ...{ count: v.number(), files: v.array(v.string()) },
        }),
      ),
    ),
  ),
  paths: v.array(Json),
  schemaGuess: Json,
  /** Decisions made while reading: encoding, delimiter. */
  notices: v.array(v.strictObject({ level: v.picklist(['info', 'warn']), message: v.string() })),
  error: v.optional(v.string()),
})

/** Templates for importers. `fill`: the placeholders to replace. */
export const ImporterTemplates = v.array(
  v.strictObject({
    id: v.string(),
    name: v.string(),
    notes: v.string(),
    parser: v.picklist(parserNames),
    importer: v.strictObject({
      name: v.string(),
      mode: v.picklist(importerModes),
      schedule: v.nullable(v.string()),
      sources: v.array(Json),
      mapping: Json,
    }),
    fill: v.array(
      v.strictObject({
        path: v.array(v.union([v.string(), v.number()])),
        label: v.string(),
        notes: v.string(),
      }),
    ),
  }),
)
export type ImporterTemplates = v.InferOutput<typeof ImporterTemplates>

const option = { name: v.string(), notes: v.string() }

/** The supported formats and transforms, and unsupported ones with the reason. */
export const ImporterMeta = v.strictObject({
  parsers: v.array(
    v.strictObject({
      ...{ name: v.string(), label: v.string(), notes: v.string() },
      /** Whether its rows are GeoJSON features. */
      features: v.boolean(),
      /** The largest file in bytes; null: it is read piece by piece. An upload may have 100 MB, an address 2 GB. */
      mostBytes: v.nullable(v.number()),
      selectors: v.boolean(),
      options: v.array(
        v.strictObject({
          ...option,
          type: v.string(),
          required: v.boolean(),
          values: v.optional(v.array(v.string())),
        }),
      ),
    }),
  ),
  transforms: v.array(
    v.strictObject({
      ...option,
      arguments: v.array(
        v.strictObject({ name: v.string(), types: v.array(v.string()), required: v.boolean() }),
      ),
      /** The minimum number of arguments; with `repeats` the last may be repeated. */
      atLeast: v.number(),
      repeats: v.boolean(),
    }),
  ),
  modes: v.array(v.string()),
  autoFormats: v.array(v.string()),
  source: v.array(v.strictObject(option)),
  pagination: v.array(v.strictObject(option)),
  limits: v.record(v.string(), v.number()),
  unsupported: v.array(v.strictObject({ name: v.string(), reason: v.string() })),
})
export type ImporterMeta = v.InferOutput<typeof ImporterMeta>
