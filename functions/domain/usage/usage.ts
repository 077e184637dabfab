import { sql } from 'kysely'
import { param, type NounRequest } from '#functions/domain/noun/requests.ts'
import * as dataTypes from '#functions/domain/data-type/data-types.ts'
import type { Context } from '#functions/context.ts'
import type { DataTypeUsage, PlaceUsage, UsageDay, UsageOptions } from '#functions/shapes/usage.ts'

/** The default number of days, including today. */
const shownDays = 30

/**
 * The usage of a place: its current totals, and the requests on each of the last days (UTC; 30 by default), oldest
 * first. Bytes of records are as of the last daily count. Undefined: there is no such place.
 */
export async function findPlaceUsage(
  ctx: Context,
  request: NounRequest<UsageOptions>,
): Promise<PlaceUsage | undefined> {
  const placeId = param(request, 'placeId')
  const dayCount = request.options.days ?? shownDays
  const [totals, days] = await Promise.all([
    findPlaceTotals(ctx, placeId),
    listDays(ctx, placeId, '', dayCount),
  ])
  return totals && { ...totals, days }
}

/**
 * The usage of a data type in a place: its sources there with their records, when these last changed (null: no data
 * yet), and the requests on each of the last 30 days (UTC), oldest first. Undefined where the place does not show the
 * data type.
 */
export async function findDataTypeUsage(
  ctx: Context,
  request: NounRequest,
): Promise<DataTypeUsage | undefined> {
  if (!(await dataTypes.isShown(ctx, request))) return undefined
  const placeId = param(request, 'placeId')
  const dataTypeId = param(request, 'dataTypeId')
  const [totals, days] = await Promise.all([
    ctx.db
      .selectFrom('source')
      .leftJoin('sourceStat', 'sourceStat.sourceId', 'source.id')
      .select([
        sql<number>`count(*)::int`.as('sources'),
        sql<string>`coalesce(sum(source_stat.count), 0)`.as('records'),
        sql<Date | null>`max(source.data_updated_at)`.as('lastUpdate'),
      ])
      .where('source.placeId', '=', placeId)
      .where('source.dataTypeId', '=', dataTypeId)
      .where('source.deletedAt', 'is', null)
      .executeTakeFirstOrThrow(),
    listDays(ctx, placeId, dataTypeId, shownDays),
  ])
  const requests = days.reduce((sum, day) => sum + day.requests, 0)
  return { ...totals, records: Number(totals.records), requests, days }
}

async function findPlaceTotals(ctx: Context, placeId: string) {
  const { rows } = await sql<Record<keyof Omit<PlaceUsage, 'days'>, string>>`
    select
      (select count(*) from data_type t where t.deleted_at is null and (t.owner_place_id = p.id
        or exists (select from source s where s.data_type_id = t.id and s.place_id = p.id and s.deleted_at is null))
      ) as "dataTypes",
      (select count(*) from source where place_id = p.id and deleted_at is null) as sources,
      (select coalesce(sum(c.count), 0) from source_stat c join source s on s.id = c.source_id
        where s.place_id = p.id and s.deleted_at is null) as data,
      (select count(*) from insight where place_id = p.id and deleted_at is null) as insights,
      (select count(*) from place_user where place_id = p.id) as users,
      (select coalesce(sum(size), 0) from asset where place_id = p.id and deleted_at is null)
        + (select coalesce(sum(storage_bytes), 0) from usage_day where place_id = p.id and data_type_id <> ''
          and day = (select max(day) from usage_day where place_id = p.id and storage_bytes is not null)
        ) as "storageBytes"
    from place p where p.id = ${placeId} and p.deleted_at is null`.execute(ctx.db.withoutPlugins())
  const row = rows[0]
  if (!row) return undefined
  const { dataTypes: types, sources, data, insights, users, storageBytes } = row
  return {
    dataTypes: Number(types),
    sources: Number(sources),
    data: Number(data),
    insights: Number(insights),
    users: Number(users),
    storageBytes: Number(storageBytes),
  }
}

/** One statement for all days; days without requests are 0. */
async function listDays(
  ctx: Context,
  placeId: string,
  dataTypeId: string,
  count: number,
): Promise<UsageDay[]> {
  const today = ctx.now().toISOString().slice(0, 10)
  const { rows } = await sql<Record<keyof UsageDay, string | null>>`
    select to_char(d, 'YYYY-MM-DD') as day, coalesce(u.requests, 0) as requests, coalesce(u.exports, 0) as exports,
      u.records, u.storage_bytes as "storageBytes"
    from generate_series(${today}::date - ${count - 1}::int, ${today}::date, interval '1 day') d
    left join usage_day u on u.place_id = ${placeId} and u.data_type_id = ${dataTypeId} and u.day = d::date
    order by d`.execute(ctx.db.withoutPlugins())
  const numberOrNull = (text: string | null) => (text === null ? null : Number(text))
  return rows.map(({ day, requests, exports, records, storageBytes }) => ({
    day: day ?? '',
    requests: Number(requests),
    exports: Number(exports),
    records: numberOrNull(records),
    storageBytes: numberOrNull(storageBytes),
  }))
}
