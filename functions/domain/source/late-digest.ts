import { sql } from 'kysely'
import { adminRoles } from '#functions/domain/access/identity.ts'
import {
  composeEmail,
  placeNameIn,
  quoteText,
  tokenMark,
  dayInWords,
  pathInPlace,
} from '#functions/domain/email/email.ts'
import { storeMail } from '#functions/domain/email/email-outbox.ts'
import type { Context } from '#functions/context.ts'
import type { Tx } from '#db/schema.ts'
import { dayInPlace, dueDay } from './late.ts'
import { stopLatePath } from './late-emails.ts'

/** The most sources that are named in one email; the others are counted. */
const maxNamed = 30
/** The most people per night; the rest follows in the next. */
const maxPeople = 2000
/** A person gets one email a day. Shorter than a day, since the nightly work does not start at exactly the same time. */
const between = '20 hours'

/** An overdue source that a person is to be notified of. */
interface LateSource {
  sourceId: string
  sourceName: string
  placeId: string
  placeName: string
  due: string
}

/**
 * Notifies people who may change the sources of an organization of those that have become overdue since their last
 * email: one email per person for all of their organizations, and no source twice. Called every night, as the product.
 * Returns the number of emails.
 */
export async function emailLateDataDigest(ctx: Context): Promise<number> {
  const { rows: people } = await sql<{ userId: string }>`
    select distinct late.user_id from (${lateFor(ctx)}) late limit ${maxPeople}`.execute(ctx.db)
  let count = 0
  for (const { userId } of people)
    try {
      if (await ctx.transaction((tx) => emailPersonDigest(tx, ctx, userId))) count += 1
    } catch (error) {
      // An error with one person must not stop the others.
      ctx.report(error, { during: 'emailLateDataDigest' })
    }
  return count
}

/** Overdue sources and who is to be notified. A private source concerns only its author and admins. */
const lateFor = (ctx: Context) => sql`
  select u.id as user_id, u.email, source.id as source_id, source.name as source_name, place.id as place_id,
    place.display_name as place_name, to_char(${dueDay}, 'YYYY-MM-DD') as due
  from source
    join place on place.id = source.place_id and place.deleted_at is null
    join place_user pu on pu.place_id = place.id
    join role_operation ro on ro.role_id = pu.role and ro.operation_id = 'source.update'
    join "user" u on u.id = pu.user_id and u.email_verified
    left join late_email e on e.user_id = u.id
    left join late_notice n on n.source_id = source.id and n.user_id = u.id
  where source.deleted_at is null and ${dueDay} < ${dayInPlace(sql`${ctx.now()}::timestamptz`)}
    and (source.visibility <> 'private' or source.created_by = u.id or pu.role = any(${adminRoles}::text[]))
    and coalesce(e.is_on, true)
    and (e.sent_at is null or e.sent_at <= ${ctx.now()}::timestamptz - ${between}::interval)
    and (n.due is null or n.due < ${dueDay})`

/** The day is claimed first: a concurrent run finds nobody to notify. */
async function emailPersonDigest(tx: Tx, ctx: Context, userId: string): Promise<boolean> {
  const { rows } = await sql<LateSource & { email: string }>`
    select * from (${lateFor(ctx)}) late where user_id = ${userId}
    order by place_name, place_id, due, source_name, source_id`.execute(tx)
  const [first] = rows
  if (!first) return false
  const { rows: claims } = await sql`
    insert into late_email as last (user_id, sent_at) values (${userId}, ${ctx.now()})
    on conflict (user_id) do update set sent_at = excluded.sent_at
      where last.is_on and (last.sent_at is null or last.sent_at <= excluded.sent_at - ${between}::interval)
    returning user_id`.execute(tx)
  if (claims.length === 0) return false
  await tx
    .insertInto('lateNotice')
    .values(rows.map(({ sourceId, placeId, due }) => ({ sourceId, placeId, userId, due })))
    .onConflict((at) =>
      at.columns(['sourceId', 'userId']).doUpdateSet(({ ref }) => ({ due: ref('excluded.due') })),
    )
    .execute()
  const name = quoteText(first.sourceName, 100)
  await storeMail(
    tx,
    composeEmail(first.email, ctx.settings, {
      subject: rows.length === 1 ? `New data is late: ${name}` : `New data is late in ${rows.length} sources`,
      lines: describeLate(rows),
      link: {
        label: 'See your data',
        path: rows.every(({ placeId }) => placeId === first.placeId)
          ? pathInPlace('/sources', first.placeId)
          : '/sources',
      },
      after:
        'You get this email because you may change these sources. It comes at most once a day, and once for each time that new data is late. If data comes less often, say so in the settings of the source.',
      stop: stopLatePath(tokenMark),
      about: { kind: 'lateData', subjectId: userId },
    }),
  )
  return true
}

/** Overdue sources, by organization: one line each, so that none looks like a part of the email. */
function describeLate(rows: readonly LateSource[]): string[] {
  const lines: string[] = []
  let place: string | null = null
  for (const { placeId, placeName, sourceName, due } of rows.slice(0, maxNamed)) {
    if (placeId !== place) lines.push('', `${placeNameIn(placeName)}:`)
    place = placeId
    lines.push(`• “${quoteText(sourceName, 200)}”: new data was expected by ${dayInWords(new Date(due))}`)
  }
  const more = rows.length - maxNamed
  return more > 0 ? [...lines, '', `And ${more} more.`] : lines
}

/**
 * Queues rendering of the hub pages of sources that have become overdue in the last days, so that they say so: nothing
 * else of the hub and no file changes. Called every night, as the product; the next two nights make up for a missed one.
 * Returns the number of sources.
 */
export async function renewLatePages(ctx: Context): Promise<number> {
  const today = dayInPlace(sql`${ctx.now()}::timestamptz`)
  const { rows } = await sql`
    insert into outbox (kind, place_id, payload, prepared_at)
    select 'source', source.place_id, jsonb_build_object('id', source.id, 'listChanged', false), ${ctx.now()}
    from source join place on place.id = source.place_id and place.deleted_at is null and place.is_hub
    where source.deleted_at is null and source.visibility = 'public'
      and ${dueDay} < ${today} and ${dueDay} >= ${today} - 3
    returning id`.execute(ctx.db)
  if (rows.length > 0) ctx.wake()
  return rows.length
}
