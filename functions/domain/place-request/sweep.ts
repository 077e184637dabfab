import { sql } from 'kysely'
import type { Context } from '#functions/context.ts'
import { placeRequestDays } from '#functions/shapes/place-request.ts'

/** Deletes requests older than half a year, in any state. Called every night, as the product. */
export async function sweepPlaceRequests({ db }: Pick<Context, 'db'>): Promise<void> {
  await sql`
    delete from place_request where created_at < now() - make_interval(days => ${placeRequestDays})`.execute(
    db,
  )
}
