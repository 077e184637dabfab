import { sql, type RawBuilder } from 'kysely'
import type { Context } from '#functions/context.ts'
import {
  composeEmail,
  pathInPlace,
  placeNameIn,
  quoteText,
  type Draft,
} from '#functions/domain/email/email.ts'
import { storeMail } from '#functions/domain/email/email-outbox.ts'
import type { Tx } from '#db/schema.ts'

/** The most requests that are quoted in one email, and characters of each note; the others are counted. */
const maxQuoted = 20
const maxCharacters = 300
/** The most organizations per minute; the rest follows in the next. */
const maxPlaces = 100

/** A pending request for the next email. */
interface UntoldRequest {
  /** The name of the requested organization; null for requests to join one. */
  name: string | null
  note: string
  userName: string
  email: string
}

/**
 * Emails those who answer about new requests: to join an organization, its admins; for an organization, super admins. At
 * most once an hour per organization, and once for all new ones; later requests wait for the next hour. Called every
 * minute, as the product. Returns the number of emails.
 */
export async function emailRequestDigest(ctx: Context): Promise<number> {
  // Null: requests for a new organization.
  const { rows: places } = await sql<{ placeId: string | null }>`
    select distinct place_id from place_request r
    where told_at is null and status = 'pending' and not ${hasRecentEmail(sql`r.place_id`)}
    limit ${maxPlaces}`.execute(ctx.db)
  let count = 0
  for (const { placeId } of places)
    try {
      count += await ctx.transaction((tx) => emailPlaceDigest(tx, ctx, placeId))
    } catch (error) {
      // An error of one organization must not stop the others.
      ctx.report(error, { during: 'emailRequestDigest', place: placeId ?? '' })
    }
  return count
}

/** Whether an email was written within the last hour about requests of an organization, or, for null, for new ones. */
const hasRecentEmail = (placeId: RawBuilder<string | null>) => sql<boolean>`exists (
  select from place_request told
  where told.place_id is not distinct from ${placeId} and told.told_at > now() - interval '1 hour')`

/** Concurrent runs wait for each other: the second finds the requests told. */
async function emailPlaceDigest(tx: Tx, ctx: Context, placeId: string | null): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`requests of ${placeId ?? 'all'}`}, 0))`.execute(
    tx,
  )
  const { rows: requests } = await sql<UntoldRequest>`
    with told as (
      update place_request set told_at = now()
      where place_id is not distinct from ${placeId}::text and told_at is null and status = 'pending'
        and not ${hasRecentEmail(sql`${placeId}::text`)}
      returning name, note, user_id, created_at, id)
    select told.name, told.note, u.name as user_name, u.email from told join "user" u on u.id = told.user_id
    order by told.created_at, told.id`.execute(tx)
  if (requests.length === 0) return 0
  const email = placeId === null ? draftNewPlacesEmail(requests) : await draftJoinEmail(tx, placeId, requests)
  const people = placeId === null ? await superAdmins(tx) : await listApprovers(tx, placeId)
  for (const person of people) await storeMail(tx, composeEmail(person.email, ctx.settings, email))
  return people.length
}

const isUnread =
  'It comes at most once an hour. What people write of themselves is not checked: open no links in it that you do not know.'

async function draftJoinEmail(tx: Tx, placeId: string, requests: readonly UntoldRequest[]): Promise<Draft> {
  const { displayName } = await tx
    .selectFrom('place')
    .select('displayName')
    .where('id', '=', placeId)
    .executeTakeFirstOrThrow()
  const name = placeNameIn(displayName)
  const count = requests.length
  return {
    subject: count === 1 ? `Someone asks to join ${name}` : `${count} people ask to join ${name}`,
    lines: [`They wait for an answer of the team of ${name} on Commonplace:`, ...describe(requests)],
    link: { label: 'Answer', path: pathInPlace('/team', placeId) },
    after: `You get this email because you may let people into ${name}. ${isUnread}`,
  }
}

function draftNewPlacesEmail(requests: readonly UntoldRequest[]): Draft {
  const count = requests.length
  return {
    subject: count === 1 ? 'Someone asks for an organization' : `${count} people ask for an organization`,
    lines: ['They wait for the answer of a super admin of Commonplace:', ...describe(requests)],
    link: { label: 'Answer', path: '/admin/requests?status=pending' },
    after: `You get this email because you are a super admin. ${isUnread}`,
  }
}

/** The requests as one line each, so that none looks like a part of the email. */
function describe(requests: readonly UntoldRequest[]): string[] {
  const lines = requests.slice(0, maxQuoted).map(({ name, note, userName, email }) => {
    const what = name === null ? '' : `${placeNameIn(name)}: `
    const who = `${quoteText(userName, 100)}, ${quoteText(email, 254)}`
    return `• ${what}${who}${note === '' ? '' : ` — “${quoteText(note, maxCharacters)}”`}`
  })
  const more = requests.length - maxQuoted
  return ['', ...lines, ...(more > 0 ? ['', `And ${more} more.`] : [])]
}

/** People who may answer requests to join a place, with a confirmed address. */
const listApprovers = (tx: Tx, placeId: string) =>
  tx
    .selectFrom('placeUser')
    .innerJoin('user', 'user.id', 'placeUser.userId')
    .innerJoin('roleOperation', 'roleOperation.roleId', 'placeUser.role')
    .select('user.email')
    .where('roleOperation.operationId', '=', 'joinRequest.answer')
    .where('placeUser.placeId', '=', placeId)
    .where('user.emailVerified', '=', true)
    .orderBy('user.id')
    .execute()

const superAdmins = (tx: Tx) =>
  tx
    .selectFrom('user')
    .select('email')
    .where('role', '=', 'super_admin')
    .where('emailVerified', '=', true)
    .orderBy('id')
    .execute()
