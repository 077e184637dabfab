import { sql } from 'kysely'
import { adminRoles } from '#functions/domain/access/identity.ts'
import { storeMail } from '#functions/domain/email/email-outbox.ts'
import { recordActivity } from '#functions/domain/activity/activity.ts'
import type { Context } from '#functions/context.ts'
import type { KeyNotice, Tx } from '#db/schema.ts'
import { recordOwn } from './own-activity.ts'
import { keysEmail } from './emails.ts'

const [month, week] = [30, 7]

/**
 * The first notice for the owner of a key that is valid for so many days: those that would be due at once are
 * skipped.
 */
export const chooseFirstNotice = (days: number): KeyNotice =>
  days > month ? 'month' : days > week ? 'week' : 'end'

/** Keys handled per transaction, with their emails. */
const atOnce = 200

/**
 * Notifies owners by email of the end of their keys: once that an older key has an end at all, then 30 and 7
 * days before. An expired key gets a line in the audit log. The notice is marked in the same transaction, so
 * nobody is notified twice. Called by cron; must run as the system actor. Returns the number of keys with a
 * notice.
 */
export async function notifyOfExpiringKeys(ctx: Context): Promise<number> {
  let count = 0
  for (;;) {
    const some = await ctx.transaction((tx) => notifyBatch(tx, ctx))
    count += some
    if (some < atOnce) return count
  }
}

interface DueNotice {
  id: string
  name: string
  prefix: string
  notice: KeyNotice
  expiresAt: Date
  placeId: string | null
  userId: string | null
  /** Recipients; empty where nobody is left. */
  to: string[]
}

async function notifyBatch(tx: Tx, ctx: Context): Promise<number> {
  const due = await claim(tx)
  for (const { id, name, placeId, userId, notice } of due) {
    if (notice !== 'end') continue
    if (userId !== null) await recordOwn(tx, ctx, userId, 'expired', { key: { id, name }, actorId: null })
    else await recordActivity(tx, ctx, { verb: 'expired', type: 'key', id, name, placeId })
  }
  const letters = new Map<string, DueNotice[]>()
  for (const key of due)
    if (key.notice !== 'end') for (const to of key.to) letters.set(to, [...(letters.get(to) ?? []), key])
  for (const [to, keys] of letters) {
    const [fresh, ending] = [true, false].map((isNew) =>
      keys.filter(({ notice }) => (notice === 'introduced') === isNew),
    )
    if (fresh?.length) await storeMail(tx, keysEmail(to, 'introduced', fresh, ctx.settings))
    if (ending?.length) await storeMail(tx, keysEmail(to, 'ending', ending, ctx.settings))
  }
  return due.length
}

/**
 * Claims keys with a due notice and schedules the next one. For a write key the notice goes to its creator
 * while they may manage it, otherwise to the organization admins of its place; never to an unconfirmed
 * address.
 */
async function claim(tx: Tx): Promise<DueNotice[]> {
  const endsWithin = (days: number) => sql`k.expires_at > now() + make_interval(days => ${days})`
  const { rows } = await sql<DueNotice>`
    with due as (
      select id, next_notice as notice from api_key k
      where revoked_at is null and next_notice is not null and (next_notice = 'introduced'
        or (next_notice = 'month' and not ${endsWithin(month)})
        or (next_notice = 'week' and not ${endsWithin(week)})
        or (next_notice = 'end' and not ${endsWithin(0)}))
      order by expires_at, id limit ${atOnce} for update skip locked
    )
    update api_key k set next_notice = case
      when due.notice = 'end' then null
      when not ${endsWithin(week)} then 'end' when not ${endsWithin(month)} then 'week' else 'month' end
    from due where due.id = k.id
    returning k.id, k.name, k.prefix, due.notice, k.expires_at, k.place_id, k.user_id,
      case when k.user_id is not null
        then array(select u.email from "user" u where u.id = k.user_id and u.email_verified)
        else coalesce(
          (select array[u.email] from "user" u join place_user m on m.user_id = u.id
            where u.id = k.created_by and u.email_verified and m.place_id = k.place_id
              and m.role = any(${adminRoles}::text[])),
          array(select u.email from "user" u join place_user m on m.user_id = u.id
            where u.email_verified and m.place_id = k.place_id and m.role = 'organization_admin'
            order by u.email)) end as to`.execute(tx)
  return rows
}
