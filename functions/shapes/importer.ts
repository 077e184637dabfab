import * as v from 'valibot'
import { ColumnReadingsShape } from './importerColumns.ts'
import { MappingShape } from './importerMapping.ts'
import { parsers, type ParserName } from './parser/index.ts'
import { leftOutKinds } from './parser/parser.ts'
import { ImporterSourcesShape } from './importerSource.ts'
import { Job } from './job.ts'
import { Id, Name, Version, listOptions } from './options.ts'
import { Time, TimeOrNull } from './returns.ts'

/** What becomes of records that are there already: more are added, those of the same id replaced, or all replaced. */
export const importerModes = ['append', 'upsert', 'replace'] as const

const whole = (least: number, most: number) =>
  v.pipe(v.number(), v.integer(), v.minValue(least), v.maxValue(most))

const settings = {
  name: Name,
  enabled: v.optional(v.boolean()),
  sources: ImporterSourcesShape,
  mapping: v.optional(MappingShape),
  /** How columns of the source are read, as trying it proposes. */
  columns: v.optional(ColumnReadingsShape),
  mode: v.optional(v.picklist(importerModes)),
  /** Cron, in the time of the place; null: by hand only. */
  schedule: v.optional(v.nullable(v.pipe(v.string(), v.trim(), v.maxLength(100)))),
  /** Of one run. */
  timeoutSeconds: v.optional(whole(1, 86_400)),
  retries: v.optional(whole(0, 10)),
  notifyOnFailure: v.optional(v.boolean()),
}

/** A new importer: where rows come from, what becomes of them, and when. */
export const NewImporter = v.strictObject({
  ...settings,
  id: v.optional(Id),
})
export type NewImporter = v.InferOutput<typeof NewImporter>

/** An address to be tried before there is a source, as an importer says it. */
export const AddressedSample = v.strictObject({ name: v.optional(Name), sources: ImporterSourcesShape })
export type AddressedSample = v.InferOutput<typeof AddressedSample>

/** A file to be tried before there is a source. `sources` as JSON says how it is read; its address is any, such as `file:sent`. */
export const SentSample = v.strictObject({
  file: v.instance(File, 'Must be a file.'),
  sources: v.pipe(v.string(), v.parseJson(undefined, 'Must be JSON.'), ImporterSourcesShape),
  name: v.optional(Name),
})
export type SentSample = v.InferOutput<typeof SentSample>

/** What is tried before there is a source. A file comes as a form. */
export const NewSourceTest = v.lazy((value) =>
  typeof value === 'object' && value !== null && 'file' in value ? SentSample : AddressedSample,
) as v.GenericSchema<unknown, AddressedSample | SentSample>
export type NewSourceTest = v.InferOutput<typeof NewSourceTest>

/** A value `{ secret: true }` in `sources` keeps what is stored. */
export const ImporterChanges = v.strictObject({
  ...v.partial(v.object(settings)).entries,
  version: v.optional(Version),
})
export type ImporterChanges = v.InferOutput<typeof ImporterChanges>

/** Importers are for the people of a place: they have no visibility of their own. */
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

/** An importer as it is answered; what is secret in its sources stands as `{ secret: true }`. */
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
  /** Scheduled runs that failed in a row. */
  failures: v.number(),
  nextRunAt: TimeOrNull,
  version: v.number(),
  createdAt: Time,
  updatedAt: Time,
  lastJob: v.optional(v.nullable(v.strictObject(v.partial(Job).entries))),
})

/** The job as it is now, if there ever was one; `stopping`: whether there was something to stop. */
export const Stopped = v.strictObject({ stopping: v.boolean(), job: v.optional(Job) })

export const Started = Job
/** What the first rows become. `errors` of a row keep it out; `error` says why there are not more rows. */
export const Tried = v.strictObject({
  rows: v.array(
    v.strictObject({
      input: v.unknown(),
      output: v.unknown(),
      errors: v.array(Json),
      /** Names of places for which there is no one point: the row comes in without it. */
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
   * Of JSON: where objects are, the longest list of like ones first, with how many and their first keys; not `isWhole`: in its
   * beginning. Of a workbook: its sheets, and before a sheet with several tables these, where the rows most likely are first.
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
   * Of each source whose header can be chosen, else null: its first rows as they stand there, the first and the last row of what
   * seems to be the header (null: nobody can tell), and whether that is the first row, which is read where nothing is said. `leftOut`:
   * rows that seem to be no records, with what stands first in them.
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
  paths: v.array(Json),
  schemaGuess: Json,
  /** What was decided while reading: an encoding, a delimiter. */
  notices: v.array(v.strictObject({ level: v.picklist(['info', 'warn']), message: v.string() })),
  error: v.optional(v.string()),
})

const parserNames = Object.keys(parsers) as ParserName[]

/** Starting points for importers. `fill`: what has to be put in place of the example. */
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

/** Everything an importer can be made of, and what it cannot, with the reason. */
export const ImporterMeta = v.strictObject({
  parsers: v.array(
    v.strictObject({
      ...{ name: v.string(), label: v.string(), notes: v.string() },
      /** Whether its rows are features. */
      features: v.boolean(),
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
      /** The fewest arguments; with `repeats` the last may come again. */
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
