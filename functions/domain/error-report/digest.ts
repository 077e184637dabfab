import { sql } from 'kysely'
import {
  composeEmail,
  placeNameIn,
  quoteText,
  tokenMark,
  pathInPlace,
} from '#functions/domain/email/email.ts'
import { storeMail } from '#functions/domain/email/email-outbox.ts'
import type { Context } from '#functions/context.ts'
import type { Tx } from '#db/schema.ts'
import { stopReportsPath } from './emails.ts'

/** The most reports that are quoted in one email, and characters of each; the others are counted. */
const maxQuoted = 20
const maxCharacters = 400
/** The most places per minute; the rest follows in the next. */
const maxPlaces = 100

/** A report for the next email. */
interface NewReport {
  id: string
  sourceName: string
  datumId: string | null
  /** The name of its insight; null without one that readers see. */
  insightName: string | null
  text: string
  email: string | null
}

/**
 * Emails the people responsible for the data of a place about new reports since the last email, at most once an hour per
 * place. Called every minute, as the product; later reports wait for the next hour. Returns the number of emails.
 */
export async function emailErrorReportDigest(ctx: Context): Promise<number> {
  const { rows: places } = await sql<{ placeId: string }>`
    select distinct r.place_id from error_report r
      join source s on s.id = r.source_id and s.deleted_at is null
      join place p on p.id = r.place_id and p.deleted_at is null
    where r.told_at is null and r.status = 'open' and not exists (
      select from error_report_digest d where d.place_id = r.place_id and d.sent_at > now() - interval '1 hour')
    limit ${maxPlaces}`.execute(ctx.db)
  let count = 0
  for (const { placeId } of places)
    try {
      count += await ctx.transaction((tx) => emailPlaceDigest(tx, ctx, placeId))
    } catch (error) {
      // An error of one place must not stop the others.
      ctx.report(error, { during: 'emailErrorReportDigest', place: placeId })
    }
  return count
}

/** The hour is claimed first: a concurrent run finds it taken. */
async function emailPlaceDigest(tx: Tx, ctx: Context, placeId: string): Promise<number> {
  const { rows: claims } = await sql`
    insert into error_report_digest as last (place_id, sent_at) values (${placeId}, now())
    on conflict (place_id) do update set sent_at = excluded.sent_at
      where last.sent_at <= now() - interval '1 hour'
    returning place_id`.execute(tx)
  if (claims.length === 0) return 0
  const { rows: reports } = await sql<NewReport>`
    with told as (
      update error_report r set told_at = now() from source s
      where s.id = r.source_id and s.deleted_at is null and r.place_id = ${placeId}
        and r.told_at is null and r.status = 'open'
      returning r.id, s.name as source_name, r.datum_id, r.insight_id, r.text, r.email, r.created_at)
    select told.id, source_name, datum_id, insight.name as insight_name, text, email from told
      left join insight on insight.id = told.insight_id and insight.place_id = ${placeId}
        and insight.visibility = 'public' and insight.deleted_at is null
    order by source_name, told.created_at, told.id`.execute(tx)
  if (reports.length === 0) return 0
  const place = await tx
    .selectFrom('place')
    .select('displayName')
    .where('id', '=', placeId)
    .executeTakeFirstOrThrow()
  const people = await listReportReaders(tx, placeId)
  const name = placeNameIn(place.displayName)
  const count = reports.length
  for (const { id: userId, email } of people)
    await storeMail(
      tx,
      composeEmail(email, ctx.settings, {
        subject: count === 1 ? `A reader of ${name} reports an error` : `${count} errors reported: ${name}`,
        lines: describeReports(reports),
        link: { label: 'See the reports', path: pathInPlace('/error-reports', placeId) },
        after: `You get this email because you look after the data of ${name}. It comes at most once an hour. What readers write is not checked: open no links in it that you do not know.`,
        stop: stopReportsPath(placeId, tokenMark),
        about: { kind: 'errorReports', subjectId: JSON.stringify([placeId, userId]) },
      }),
    )
  return people.length
}

/** People whose role lets them read reports, with a confirmed address, unless they have unsubscribed. */
async function listReportReaders(tx: Tx, placeId: string) {
  return tx
    .selectFrom('placeUser')
    .innerJoin('user', 'user.id', 'placeUser.userId')
    .innerJoin('roleOperation', 'roleOperation.roleId', 'placeUser.role')
    .select(['user.id', 'user.email'])
    .where('roleOperation.operationId', '=', 'errorReport.read')
    .where('placeUser.placeId', '=', placeId)
    .where('user.emailVerified', '=', true)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('errorReportMute')
            .select('errorReportMute.userId')
            .whereRef('errorReportMute.userId', '=', 'user.id')
            .where('errorReportMute.placeId', '=', placeId),
        ),
      ),
    )
    .orderBy('user.id')
    .execute()
}

/** The texts of readers, by source: one line each, so that none looks like a part of the email. */
function describeReports(reports: readonly NewReport[]): string[] {
  const lines: string[] = []
  let source: string | null = null
  for (const { sourceName, datumId, insightName, text, email } of reports.slice(0, maxQuoted)) {
    if (sourceName !== source) lines.push('', `${quoteText(sourceName, 200)}:`)
    source = sourceName
    const record = datumId === null ? '' : ` (record ${quoteText(datumId, 64)})`
    const figure = insightName === null ? '' : ` (figure “${quoteText(insightName, 200)}”)`
    const answer = email === null ? '' : ` — wants an answer at ${quoteText(email, 254)}`
    lines.push(`• “${quoteText(text, maxCharacters)}”${record}${figure}${answer}`)
  }
  const more = reports.length - maxQuoted
  return more > 0 ? [...lines, '', `And ${more} more.`] : lines
}
