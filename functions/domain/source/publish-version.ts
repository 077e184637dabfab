import { sql } from 'kysely'
import type { Context } from '#functions/context.ts'
import { writeVersion } from '#functions/engine/catalogue/version-file.ts'
import type { VersionMetadata } from '#functions/shapes/metadata.ts'

/** The CSV of a version, where there is one. */
interface VersionFiles {
  sha256: string
  bytes: number
  /** The name of the state that its files have. */
  state: string
}

/**
 * Publishes the newest version of a public source: from then on its number, changes and checksum are fixed, in the
 * database and beside the files, where pages read them. The version before that follows the source. `files` null: there
 * are too many records for files. Missing rows are created: of versions from before they were recorded nothing else is
 * known. Must run as the system actor.
 */
export async function publishVersion(
  ctx: Context,
  sourceId: string,
  files: VersionFiles | null,
): Promise<void> {
  const source = await ctx.db
    .selectFrom('source')
    .innerJoin('dataType', 'dataType.id', 'source.dataTypeId')
    .innerJoin('place', 'place.id', 'source.placeId')
    .leftJoin('sourceStat', 'sourceStat.sourceId', 'source.id')
    .select(['source.placeId', 'source.name', 'source.notes', 'source.dataVersion', 'source.dataUpdatedAt'])
    .select(['source.licence', 'source.licenceUrl', 'source.attribution', 'source.attributionUrl'])
    .select(['source.publisher', 'source.publisherUrl', 'source.tags', 'sourceStat.count'])
    .select(['dataType.name as dataType', 'place.displayName'])
    .where('source.id', '=', sourceId)
    .executeTakeFirst()
  if (!source?.dataUpdatedAt || source.dataVersion === 0) return
  const { placeId, name, notes, dataVersion: version, dataUpdatedAt, count, displayName, ...rights } = source
  const metadata: VersionMetadata = {
    ...rights,
    title: name,
    description: notes,
    publisher: rights.publisher ?? displayName,
  }
  const versionRow = {
    publishedAt: sql<Date>`coalesce(source_version.published_at, now())`,
    sha256: files?.sha256 ?? null,
    bytes: files ? String(files.bytes) : null,
    metadata: JSON.stringify(metadata),
  }
  const row = await ctx.db
    .insertInto('sourceVersion')
    .values({
      ...{ sourceId, placeId, version, since: version, at: dataUpdatedAt, records: count ?? 0 },
      ...{ created: 0, updated: 0, removed: 0, refused: null },
      ...versionRow,
      publishedAt: sql<Date>`now()`,
    })
    .onConflict((conflict) => conflict.columns(['sourceId', 'version']).doUpdateSet(versionRow))
    .returning(['since', 'at', 'publishedAt', 'records', 'created', 'updated', 'removed', 'refused'])
    .returning('fieldsChanged')
    .executeTakeFirstOrThrow()
  const { at, publishedAt, ...changes } = row
  await writeVersion(ctx.files, sourceId, {
    ...{ version, ...changes, metadata },
    at: new Date(at).toISOString(),
    publishedAt: new Date(publishedAt ?? ctx.now()).toISOString(),
    sha256: files?.sha256 ?? null,
    bytes: files?.bytes ?? null,
    state: files?.state ?? null,
  })
}
