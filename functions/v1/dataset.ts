import { optional, picklist, strictObject, unknown } from 'valibot'
import { endpoint, type Input } from '#functions/api/endpoint.ts'
import type { Context } from '#functions/context.ts'
import * as records from '#functions/domain/dataset/dataset.ts'
import { cluster } from '#functions/domain/dataset/cluster.ts'
import { exportRows } from '#functions/domain/dataset/export.ts'
import { describe } from '#functions/domain/dataset/export-about.ts'
import type { Scope } from '#functions/domain/dataset/open.ts'
import { values } from '#functions/domain/dataset/values.ts'
import { removeRecord, removeRecords, wipe } from '#functions/domain/records/remove.ts'
import { checkRecord, createRecord, createRecords, updateRecord } from '#functions/domain/records/single.ts'
import {
  AnswerPage,
  ClusterRow,
  CreatedDatum,
  DatumList,
  DatumRow,
  FieldEntryList,
  Removed,
  ValuesRow,
} from '#functions/shapes/answer.ts'
import {
  AnalyticsOptions,
  ClusterOptions,
  DatumChanges,
  DatumOptions,
  ExportOptions,
  FieldListOptions,
  FieldsOptions,
  NewDatum,
  RecordIds,
  ValuesOptions,
} from '#functions/shapes/datum.ts'
import { exportFormats, exportMedia, type ExportFormat } from '#functions/shapes/export-format.ts'
import { DataPackage } from '#functions/shapes/data-package.ts'
import { Counted, Deleted, Valid } from '#functions/shapes/returns.ts'

/**
 * For answers that are the same for everyone and revalidated on each use. They report their dependencies (`dependsOn`), and their
 * paths are listed in `functions/edge/answers/subject.ts`, as the edge caches them too.
 */
export const revalidateAlways = 'public, max-age=0, must-revalidate'

/** The parent of the endpoints: a source of a place, a data type of a place, or a source by itself. */
type DatasetKind = 'place.source' | 'place.dataType' | 'source'

/** The query endpoints for records of a source or data type; for a source by itself also those that write. `datum` is the noun below. */
export function dataset(kind: 'place.source' | 'place.dataType'): ReturnType<typeof reading>
export function dataset(kind: 'source'): ReturnType<typeof readingAndWriting>
export function dataset(kind: DatasetKind) {
  return kind === 'source' ? readingAndWriting() : reading(kind)
}

function readingAndWriting() {
  const asking = reading('source')
  return { ...asking, ...writing, datum: { ...writing.datum, ...asking.datum } }
}

function reading(kind: DatasetKind) {
  const scope = ({ params, placeId }: Input): Scope => {
    if (kind === 'place.dataType') return { placeId: params.placeId, dataTypeId: params.dataTypeId }
    return { placeId, sourceId: params.sourceId ?? '' }
  }
  const http = { method: 'get', one: true } as const
  const file = {
    allow: 'source.read',
    http,
    stream: true,
    heavy: true,
    media: exportMedia,
    options: ExportOptions,
  } as const
  return {
    values: endpoint({
      allow: 'source.read',
      cache: revalidateAlways,
      http,
      options: ValuesOptions,
      summary: 'The different values of fields, with their counts',
      returns: ValuesRow,
      run: (ctx, request) => values(ctx, scope(request), request.options),
    }),
    fields: endpoint({
      allow: 'source.read',
      cache: revalidateAlways,
      http,
      options: FieldListOptions,
      summary: 'The fields that questions may use; with `profile=1` what is known of their values',
      returns: FieldEntryList,
      run: (ctx, request) => records.fields(ctx, scope(request), request.options),
    }),
    export: endpoint({
      ...file,
      summary: 'All records as a file',
      run: (ctx, request) => exportRows(ctx, scope(request), request.options),
    }),
    'datapackage.json': endpoint({
      allow: 'source.read',
      http,
      options: FieldsOptions,
      summary: 'What the files of the records hold: a Data Package with a Table Schema',
      returns: DataPackage,
      run: (ctx, request) => describe(ctx, scope(request), request.options),
    }),
    ...buildExportEndpoints((format) =>
      endpoint({
        ...file,
        hidden: true,
        summary: `All records as ${format}`,
        run: (ctx, request) => exportRows(ctx, scope(request), { ...request.options, format }),
      }),
    ),
    analytics: endpoint({
      allow: 'source.read',
      cache: revalidateAlways,
      heavy: true,
      http,
      options: AnalyticsOptions,
      summary: 'The answer to a question',
      returns: AnswerPage,
      run: (ctx, request) => records.analytics(ctx, scope(request), request.options),
    }),
    datum: readingDatum(scope),
  }
}

/** The endpoints for single records. */
function readingDatum(scope: (input: Input) => Scope) {
  return {
    cluster: endpoint({
      allow: 'source.read',
      cache: revalidateAlways,
      http: { method: 'get' },
      options: ClusterOptions,
      summary: 'Records on a map, near ones together',
      returns: ClusterRow,
      run: (ctx, request) => cluster(ctx, scope(request), request.options),
    }),
    find: endpoint({
      allow: 'source.read',
      cache: revalidateAlways,
      options: DatumOptions,
      returns: DatumList,
      run: (ctx, request) => records.find(ctx, scope(request), request.options),
    }),
    findById: endpoint({
      allow: 'source.read',
      cache: revalidateAlways,
      returns: DatumRow,
      run: (ctx, request) => records.findById(ctx, scope(request), request.params.datumId ?? ''),
    }),
  }
}

/** `export.csv` and so on, for programs that detect the format by the extension. */
function buildExportEndpoints<E>(make: (format: ExportFormat) => E) {
  const endpoints = exportFormats.map((format) => [`export.${format}`, make(format)])
  return Object.fromEntries(endpoints) as Record<`export.${ExportFormat}`, E>
}

const getSourceId = ({ params }: Input) => params.sourceId ?? ''

/** `wipe` is about the source itself, the rest about its records. */
const writing = {
  wipe: endpoint({
    allow: 'source.wipe',
    stepUp: true,
    http: { method: 'post', one: true },
    summary: 'Remove all records of a source',
    returns: Counted,
    async run(ctx, request) {
      const result = await wipe(ctx, getSourceId(request))
      return result && { count: result.count }
    },
  }),
  datum: {
    validate: endpoint({
      allow: 'datum.create',
      options: strictObject({ partial: optional(picklist(['true', 'false'])) }),
      data: unknown(),
      like: NewDatum,
      returns: Valid,
      summary: 'Check a record, and store nothing',
      async run(ctx, request) {
        await checkRecord(ctx, getSourceId(request), request.data, {
          partial: request.options.partial === 'true',
        })
        return { valid: true as const }
      },
    }),
    deleteMany: endpoint({
      allow: 'datum.delete',
      data: RecordIds,
      returns: Removed,
      summary: 'Remove several records; says which there were not',
      run: (ctx, request) => removeRecords(ctx, getSourceId(request), request.data.ids),
    }),
    create: endpoint({
      allow: 'datum.create',
      data: NewDatum,
      returns: CreatedDatum,
      statuses: [200],
      summary:
        'Add a record (201) or replace the one with its id (200); a list of them is answered one by one (200)',
      run: create,
    }),
    updateById: endpoint({
      allow: 'datum.update',
      data: DatumChanges,
      returns: DatumRow,
      run: (ctx, request) =>
        updateRecord(ctx, getSourceId(request), request.params.datumId ?? '', request.data),
    }),
    deleteById: endpoint({
      allow: 'datum.delete',
      returns: Deleted,
      async run(ctx, request) {
        const id = request.params.datumId ?? ''
        const result = await removeRecord(ctx, getSourceId(request), id)
        return result && { id }
      },
    }),
  },
}

/** Creates one record or a batch. 201 only for a single new record. */
async function create(ctx: Context, request: Input<unknown, NewDatum>) {
  const { data } = request
  if (Array.isArray(data)) {
    ctx.responded.status = 200
    return createRecords(ctx, getSourceId(request), data)
  }
  const { isNew, datum } = await createRecord(ctx, getSourceId(request), data)
  if (!isNew) ctx.responded.status = 200
  return datum
}
