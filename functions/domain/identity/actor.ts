import { sql } from 'kysely'
import { anonymous, type Actor, type Membership, type Settings } from '#functions/context.ts'
import { Failure } from '#functions/errors.ts'
import type { KeyScope } from '#functions/shapes/key-scope.ts'
import type { Db } from '#db/schema.ts'
import { isToSignAnew, sessionCookie, sessionDays, tokenFrom, type CookieSettings } from './cookie.ts'
import { clientKey } from '#functions/shapes/client-key.ts'
import { hashText, kindOfKey } from './keys.ts'
import { openPlaces, placesOpenIn, type OpenRow } from './place-access.ts'
import { waitingInvites } from './waiting-invites.ts'

/** What identifying the actor needs beside the request. */
export interface ActorReading {
  settings: CookieSettings & Pick<Settings, 'secondFactor'>
  /**
   * Receives the renewed cookie, about once a day and when the signing secret is replaced. Such a response
   * must not be stored by a shared cache.
   */
  responseHeaders: Headers
  /** Accepts writes that need not be awaited, but must finish before the request is closed. */
  later(work: Promise<unknown>): void
}

/**
 * Identifies the actor of a request. Read from the database each time, so that removing a member, ending a
 * session or revoking a key takes effect at once. `key`: the option `key`, null without one; a bearer token
 * counts as well. A key takes precedence over a cookie. An invalid cookie makes an anonymous actor; an
 * invalid key is Failure `unauthenticated`, because its sender means to be someone. `db` must read as the
 * system actor, since the actor is not known yet. Not for hub hosts, which have no sessions.
 */
export async function identifyActor(
  headers: Headers,
  key: string | null,
  db: Db,
  reading: ActorReading,
): Promise<Actor> {
  const value = keyFrom(headers, key)
  if (value !== null) return actorOfKey(db, value, reading)
  const token = await tokenFrom(headers, reading.settings)
  if (token === null) return anonymous
  return actorOfSession(db, token, await isToSignAnew(headers, reading.settings), reading)
}

/**
 * The key of a request; null without one. The web app's client key and an empty text count as none. Failure
 * `unauthenticated` for two different keys.
 */
function keyFrom(headers: Headers, option: string | null): string | null {
  const bearer = /^bearer +([^ ]+) *$/i.exec(headers.get('authorization') ?? '')?.[1] ?? null
  const keys = [option, bearer].filter((key): key is string => !!key && key !== clientKey)
  if (new Set(keys).size > 1)
    throw new Failure('unauthenticated', { message: 'Two different keys were sent.' })
  return keys[0] ?? null
}

interface Person {
  userId: string
  email: string
  name: string
  image: string | null
  verified: boolean
  welcomed: boolean
  role: string | null
  hasFactor: boolean
  memberships: Membership[]
}

const person = sql`
  u.id as user_id, u.email, u.name, u.image, u.email_verified as verified, u.role, u.two_factor_enabled as has_factor,
  coalesce((u.onboarding ->> 'welcomed')::boolean, false) as welcomed,
  (select coalesce(jsonb_agg(jsonb_build_object('placeId', m.place_id, 'role', m.role) order by m.created_at, m.place_id), '[]')
    from place_user m join place p on p.id = m.place_id and p.deleted_at is null
    where m.user_id = u.id) as memberships`

interface Session {
  id: string
  expiresAt: Date
  provedAt: Date | null
  ssoPlaceId: string | null
  isOld: boolean
  isUnseen: boolean
  invites: Actor['invites'] | null
  opened: OpenRow[] | null
}

async function actorOfSession(
  db: Db,
  token: string,
  isOfBefore: boolean,
  reading: ActorReading,
): Promise<Actor> {
  const { rows } = await sql<Person & Session>`
    select s.id, s.expires_at, s.proved_at, s.sso_place_id, ${person},
      (select jsonb_agg(jsonb_build_object('id', w.id, 'placeName', w.place_name) order by w.sent_at desc, w.id)
        from (${waitingInvites}) w) as invites,
      ${openPlaces} as opened,
      s.expires_at < now() + make_interval(days => ${sessionDays - 1}) as is_old,
      s.updated_at < now() - interval '5 minutes' as is_unseen
    from session s join "user" u on u.id = s.user_id
    where s.token = ${token} and s.expires_at > now()`.execute(db)
  const [row] = rows
  if (!row) return anonymous
  // Single sign-on never counts for people with a global role, even if they got it after signing in.
  if (row.ssoPlaceId !== null && row.role !== null) return anonymous
  // Sessions of a provider are not renewed: the person has to sign in there again.
  if (row.isOld && row.ssoPlaceId === null) {
    row.expiresAt = await renew(db, row.id)
  } else if (row.isUnseen) {
    await sql`update session set updated_at = now() where id = ${row.id}`.execute(db)
  }
  if ((row.isOld && row.ssoPlaceId === null) || isOfBefore)
    reading.responseHeaders.append('set-cookie', await sessionCookie(token, reading.settings))
  const { id, expiresAt, provedAt, ssoPlaceId, invites } = row
  const actor = actorOfPerson(row, reading)
  const session = { id, token, expiresAt, provedAt, ssoPlaceId }
  if (ssoPlaceId === null)
    return {
      ...actor,
      session,
      ...(invites && { invites }),
      ...(row.opened && { opened: placesOpenIn(row.opened) }),
    }
  const memberships = actor.memberships.filter(({ placeId }) => placeId === ssoPlaceId)
  return { ...actor, session, memberships }
}

/** Extends a session by 30 days. Returns its new end. */
async function renew(db: Db, id: string): Promise<Date> {
  const { rows } = await sql<{ expiresAt: Date }>`
    update session set updated_at = now(), expires_at = now() + make_interval(days => ${sessionDays})
    where id = ${id} returning expires_at`.execute(db)
  return rows[0]?.expiresAt ?? new Date(0)
}

/** Failure for a valid key that has expired: safe to reveal, because only its owner has the key. */
export class ExpiredKeyFailure extends Failure {
  constructor(at: Date) {
    const day = at.toISOString().slice(0, 10)
    super('unauthenticated', { message: `This key expired on ${day}. Make a new one.` })
  }
}

async function actorOfKey(db: Db, key: string, reading: ActorReading): Promise<Actor> {
  const invalidKey = new Failure('unauthenticated', {
    message: 'This key is not valid, or has been revoked.',
  })
  const kind = kindOfKey(key)
  if (kind === null) throw invalidKey
  const hash = await hashText(key)
  const { rows } =
    kind === 'account'
      ? await sql<Partial<Person> & KeyRow>`
          select ${keyColumns}, ${person}
          from api_key k join "user" u on u.id = k.user_id
          where k.hash = ${hash} and k.revoked_at is null and u.email_verified`.execute(db)
      : await sql<Partial<Person> & KeyRow>`
          select ${keyColumns}, s.id as source_id, s.place_id
          from api_key k join source s on s.id = k.source_id and s.deleted_at is null
            join place p on p.id = s.place_id and p.deleted_at is null
            left join "user" m on m.id = k.created_by
          where k.hash = ${hash} and k.revoked_at is null
            and (m.keys_ended_at is null or m.keys_ended_at <= greatest(k.created_at, k.kept_at))`.execute(db)
  const [row] = rows
  if (!row) throw invalidKey
  if (row.isExpired) throw new ExpiredKeyFailure(row.expiresAt)
  if (row.isStale) reading.later(recordKeyUse(db, row.id))
  const keyInUse = { id: row.id, scope: row.scope }
  if (row.sourceId && row.placeId)
    return {
      ...anonymous,
      kind: 'sourceKey',
      key: keyInUse,
      source: { id: row.sourceId, placeId: row.placeId },
    }
  return { ...actorOfPerson(row as Person, reading), key: keyInUse }
}

/**
 * Stores the last use of a key, at most once an hour even for concurrent requests: each re-checks the row.
 */
async function recordKeyUse(db: Db, id: string): Promise<void> {
  await sql`update api_key k set last_used_at = now() where id = ${id} and ${isStale}`.execute(db)
}

interface KeyRow {
  id: string
  scope: KeyScope
  expiresAt: Date
  isExpired: boolean
  isStale: boolean
  sourceId?: string
  placeId?: string
}

const isStale = sql`(k.last_used_at is null or k.last_used_at < now() - interval '1 hour')`
const keyColumns = sql`k.id, k.scope, k.expires_at, k.expires_at <= now() as is_expired, ${isStale} as is_stale`

/**
 * The actor of a signed-in person. A super admin without a second factor gets neither role nor places, so
 * that code which does not use `call` grants nothing either.
 */
function actorOfPerson(row: Person, { settings }: ActorReading): Actor {
  const { userId, email, name, image, verified, welcomed, role, memberships } = row
  const mustEnrol = role === 'super_admin' && !row.hasFactor && settings.secondFactor !== 'optional'
  return {
    ...anonymous,
    kind: 'user',
    user: { id: userId, email, name, image, verified, welcomed, role: mustEnrol ? null : role },
    memberships: mustEnrol ? [] : memberships,
    ...(mustEnrol && { mustEnrol }),
  }
}
