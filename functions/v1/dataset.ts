import { object, optional, picklist, unknown } from 'valibot'
import { endpoint, type Input } from '#functions/api/endpoint.ts'
import type { Context } from '#functions/context.ts'
import * as records from '#functions/domain/dataset.ts'
import { cluster } from '#functions/domain/dataset/cluster.ts'
import { exportRows } from '#functions/domain/dataset/export.ts'
import type { Scope } from '#functions/domain/dataset/open.ts'
import { values } from '#functions/domain/dataset/values.ts'
import { removeRecord, wipe } from '#functions/domain/records/remove.ts'
import { checkRecord, createRecord, createRecords, updateRecord } from '#functions/domain/records/single.ts'
import {
  AnalyticsOptions,
  ClusterOptions,
  DatumChanges,
  DatumOptions,
  ExportOptions,
  FieldsOptions,
  NewDatum,
  ValuesOptions,
} from '#functions/shapes/datum.ts'

/** Where the endpoints hang: a source of a place, a data type of a place, or a source by itself. */
export type DatasetKind = 'place.source' | 'place.dataType' | 'source'

/**
 * The questions one can ask of records, as endpoints of a source or data type; of a source by itself also what writes
 * its records. `datum` is the noun below it.
 */
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
  return {
    values: endpoint({
      allow: 'source.read',
      http,
      options: ValuesOptions,
      summary: 'The different values of fields, with their counts',
      run: (ctx, asked) => values(ctx, scope(asked), asked.options),
    }),
    fields: endpoint({
      allow: 'source.read',
      http,
      options: FieldsOptions,
      summary: 'The fields that questions may use',
      run: (ctx, asked) => records.fields(ctx, scope(asked), asked.options),
    }),
    export: endpoint({
      allow: 'source.read',
      http,
      stream: true,
      options: ExportOptions,
      summary: 'All records as a file: CSV, JSON or GeoJSON',
      run: (ctx, asked) => exportRows(ctx, scope(asked), asked.options),
    }),
    analytics: endpoint({
      allow: 'source.read',
      http,
      options: AnalyticsOptions,
      summary: 'The answer to a question',
      run: (ctx, asked) => records.analytics(ctx, scope(asked), asked.options),
    }),
    datum: {
      cluster: endpoint({
        allow: 'source.read',
        http: { method: 'get' },
        options: ClusterOptions,
        summary: 'Records on a map, near ones together',
        run: (ctx, asked) => cluster(ctx, scope(asked), asked.options),
      }),
      find: endpoint({
        allow: 'source.read',
        options: DatumOptions,
        run: (ctx, asked) => records.find(ctx, scope(asked), asked.options),
      }),
      findById: endpoint({
        allow: 'source.read',
        run: (ctx, asked) => records.findById(ctx, scope(asked), asked.params.datumId ?? ''),
      }),
    },
  }
}

const sourceOf = ({ params }: Input) => params.sourceId ?? ''

/** `wipe` is of the source itself, the rest of its records. */
const writing = {
  wipe: endpoint({
    allow: 'source.wipe',
    http: { method: 'post', one: true },
    summary: 'Remove all records of a source',
    async run(ctx, asked) {
      const wiped = await wipe(ctx, sourceOf(asked))
      return wiped && { count: wiped.count }
    },
  }),
  datum: {
    validate: endpoint({
      allow: 'datum.create',
      options: object({ partial: optional(picklist(['true', 'false'])) }),
      data: unknown(),
      summary: 'Check a record, and store nothing',
      async run(ctx, asked) {
        await checkRecord(ctx, sourceOf(asked), asked.data, { partial: asked.options.partial === 'true' })
        return { valid: true as const }
      },
    }),
    create: endpoint({ allow: 'datum.create', data: NewDatum, run: create }),
    updateById: endpoint({
      allow: 'datum.update',
      data: DatumChanges,
      run: (ctx, asked) => updateRecord(ctx, sourceOf(asked), asked.params.datumId ?? '', asked.data),
    }),
    deleteById: endpoint({
      allow: 'datum.delete',
      async run(ctx, asked) {
        const id = asked.params.datumId ?? ''
        const removed = await removeRecord(ctx, sourceOf(asked), id)
        return removed && { id }
      },
    }),
  },
}

/** One record, or several at once. */
async function create(ctx: Context, asked: Input<unknown, NewDatum>) {
  const { data } = asked
  return Array.isArray(data)
    ? createRecords(ctx, sourceOf(asked), data)
    : createRecord(ctx, sourceOf(asked), data)
}
