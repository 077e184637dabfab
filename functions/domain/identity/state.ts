import { sql } from 'kysely'
import type { Context } from '#functions/context.ts'
import { Failure } from '#functions/errors.ts'
import type { AskState, SignedIn, State } from '#functions/shapes/auth.ts'
import { hostname } from '#functions/engine/address/urls.ts'
import type { Db } from '#db/schema.ts'
import { clientKey } from '#functions/shapes/client-key.ts'

/**
 * Failure `unauthenticated`, with the state that a visitor needs all the same. The HTTP response merges
 * `beside` next to `error`.
 */
export class SignedOutFailure extends Failure {
  readonly beside: State

  constructor(state: State) {
    super('unauthenticated')
    this.beside = state
  }
}

/** Who is signed in and which hub this is. Throws `SignedOutFailure`, which carries the same, when nobody is. */
export async function state(ctx: Context, input: { data: AskState }): Promise<State> {
  const row = await readState(ctx, input)
  if (!row.session) throw new SignedOutFailure(row)
  return row
}

/**
 * The same for callers in process: `session` is null when nobody is signed in (an API key is not a session).
 */
export async function readState(ctx: Context, { data }: { data: AskState }): Promise<State> {
  const { user, session } = ctx.actor
  const { appHost, publicHost, environment } = ctx.settings
  const [ownSession, hub] = await Promise.all([
    user && session
      ? readSignedInState(ctx.db, {
          id: session.id,
          expiresAt: session.expiresAt,
          userId: user.id,
          ssoPlaceId: session.ssoPlaceId,
        })
      : null,
    findHub(ctx, data?.hostname),
  ])
  return { session: ownSession, hub, config: { clientKey, appHost, publicHost, environment } }
}

/**
 * A session with its person and their places, in the order they joined: the first is the default. `db` must
 * read as that person, because only they may see the invitation to their address. For a single sign-on
 * session: only its place.
 */
export async function readSignedInState(
  db: Db,
  session: { id: string; expiresAt: Date; userId: string; ssoPlaceId?: string | null },
): Promise<SignedIn> {
  const only = session.ssoPlaceId ?? null
  const [user, places, invitations] = await Promise.all([
    db
      .selectFrom('user')
      .select([
        'id',
        'email',
        'name',
        'image',
        'authMethod',
        'emailVerified',
        'createdAt',
        'role',
        'onboarding',
      ])
      .where('id', '=', session.userId)
      .executeTakeFirstOrThrow(),
    db
      .selectFrom('placeUser')
      .innerJoin('place', 'place.id', 'placeUser.placeId')
      .select([...placeColumns, 'placeUser.role'])
      .where('placeUser.userId', '=', session.userId)
      .where('place.deletedAt', 'is', null)
      .$if(only !== null, (query) => query.where('place.id', '=', only))
      .orderBy('placeUser.createdAt')
      .orderBy('place.id')
      .execute(),
    sql<{ id: string }>`select id from waiting_invites() limit 1`.execute(db),
  ])
  const { emailVerified, onboarding, ...rest } = user
  return {
    id: session.id,
    expiresAt: session.expiresAt,
    user: {
      ...rest,
      verified: emailVerified,
      onboarding: { welcomed: onboarding.welcomed === true },
      inviteId: only === null ? (invitations.rows[0]?.id ?? null) : null,
      places,
    },
  }
}

const placeColumns = [
  'place.id',
  'place.name',
  'place.displayName',
  'place.isHub',
  'place.timeZone',
  'place.theme',
] as const

/**
 * The hub of a host: by verified domain, otherwise by the first label below the public host. Null on the
 * workspace's own host.
 */
async function findHub(ctx: Context, text: string | undefined): Promise<State['hub']> {
  const name = hostname(text ?? ctx.site.host)
  if (name === hostname(ctx.settings.appHost)) return null
  const below = `.${hostname(ctx.settings.publicHost)}`
  const label = name.endsWith(below) ? name.slice(0, -below.length) : null
  const place = await ctx.db
    .selectFrom('place')
    .select([...placeColumns])
    .where('deletedAt', 'is', null)
    .where('isHub', '=', true)
    .where((eb) =>
      eb.or([
        eb('id', '=', label ?? ''),
        eb(
          'id',
          'in',
          eb
            .selectFrom('placeDomain')
            .select('placeId')
            .where('host', '=', name)
            .where('verifiedAt', 'is not', null),
        ),
      ]),
    )
    .orderBy(sql`id = ${label ?? ''}`)
    .executeTakeFirst()
  return { place: place ?? null, invalid: !place }
}
