import { sql } from 'kysely'
import type { Tx } from '#db/schema.ts'

/** What a write did to the records of a source. */
interface RecordChanges {
  created: number
  updated: number
  removed: number
}

/**
 * Stores a new data version of a source, in the transaction that makes it. Until a version is published
 * (`publishVersion`), later ones are merged into it: a program that writes a record a second makes a version
 * a second, and only those with files are listed. `refused`: rows that the latest import rejected; null keeps
 * the number before. `fieldsChanged`: the schema of the records has changed.
 */
export async function recordVersion(
  tx: Tx,
  { sourceId, placeId, version }: { sourceId: string; placeId: string; version: number },
  { created, updated, removed }: RecordChanges,
  {
    refused: rejectedRows = null,
    fieldsChanged = false,
  }: { refused?: number | null; fieldsChanged?: boolean } = {},
): Promise<void> {
  await sql`
    insert into source_version as it
      (source_id, place_id, version, since, at, records, created, updated, removed, refused, fields_changed)
    select ${sourceId}, ${placeId}, ${version}::int, ${version}::int - 1, now(),
      coalesce((select count from source_stat where source_id = ${sourceId}), 0),
      ${created}::int, ${updated}::int, ${removed}::int, ${rejectedRows}::int, ${fieldsChanged}::boolean
    on conflict (source_id) where published_at is null do update set
      version = excluded.version, at = excluded.at, records = excluded.records,
      created = it.created + excluded.created, updated = it.updated + excluded.updated,
      removed = it.removed + excluded.removed, refused = coalesce(excluded.refused, it.refused),
      fields_changed = it.fields_changed or excluded.fields_changed`.execute(tx)
}
