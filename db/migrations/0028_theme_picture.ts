import { sql, type Kysely } from 'kysely'

/** Visitors of a hub can read the metadata of the pictures in its theme: sizes and descriptions. */
export async function up(db: Kysely<unknown>) {
  await sql`
    create policy asset_theme on asset for select using (
      purpose <> 'source' and state = 'ready' and deleted_at is null
      and exists (
        select from place p, jsonb_each_text(p.theme) picture
        where p.id = asset.place_id and p.deleted_at is null
          and picture.value like '/m/' || asset.id || '/%'))`.execute(db)
}

export async function down(db: Kysely<unknown>) {
  await sql`drop policy asset_theme on asset`.execute(db)
}
