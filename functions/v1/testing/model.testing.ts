import { sql } from 'kysely'
import type { Ids } from './ids.testing.ts'
import type { ProofWorld } from './world.testing.ts'
import { acrossPlaces, byToken, rolesFor, table } from '#functions/domain/access/roles.ts'
import type { Route } from '#functions/api/routes.ts'
import type { Actor } from '#functions/context.ts'
import { checkByVisibility, type Row } from '#db/worlds/readers.ts'

/** The expected outcome of the permission check: an error, or permission. */
type Outcome = 401 | 403 | 404 | 'permitted'

/** The rows whose place decides, innermost first: the parameter, and its table. */
const deciding = [
  ['insightId', 'insight'],
  ['collectionId', 'collection'],
  ['pageId', 'page'],
  ['sourceId', 'source'],
  ['boundarySetId', 'boundary_set'],
  ['inviteId', 'invite'],
  ['dataTypeId', 'data_type'],
] as const

export interface Model {
  /** The expected outcome by the access table; rows are as of the model's creation. */
  expect(route: Route, actor: Actor, ids: Ids, home: string | null): Outcome
  /** Whether every row in the path exists and is visible to the actor; null if the rows do not determine that. */
  shows(route: Route, actor: Actor, ids: Ids): boolean | null
}

/**
 * An independent model of the permission rules, from the access table and the rows alone: "401 without an identity where the operation
 * needs one; 403 for those who have to do with the place and lack the operation; 404 for everyone else".
 */
export async function loadModel(world: ProofWorld): Promise<Model> {
  const { db } = world.as('system')
  const rows = new Map<string, Row>()
  for (const name of ['place', 'content', 'importer', 'job', ...deciding.map(([, of]) => of)]) {
    const queryResult = await sql<{ row: Row }>`select to_jsonb(t) as row from ${sql.table(name)} t`.execute(
      db,
    )
    for (const { row } of queryResult.rows) rows.set(`${name} ${String(row.id)}`, row)
  }
  const findRow = (name: string, id: string | undefined) => {
    const row = rows.get(`${name} ${id ?? ''}`)
    return row?.deleted_at == null ? row : undefined
  }

  /** The place of the request: null for none, undefined if nothing in it is visible to the actor. */
  function findPlaceId(
    { path }: Route,
    actor: Actor,
    ids: Ids,
    home: string | null,
  ): string | null | undefined {
    const has = (param: string) => path.includes(`:${param}`)
    if (has('assetsId')) {
      if (actor.user?.id === ids.assetsId) return null
      return findRow('place', ids.assetsId) ? ids.assetsId : undefined
    }
    if (has('placeId')) return findRow('place', ids.placeId) ? ids.placeId : undefined
    for (const [param, name] of deciding) {
      if (!has(param)) continue
      const row = findRow(name, ids[param])
      if (!row) return undefined
      if (name === 'data_type') return (row.owner_place_id ?? null) as string | null
      const placeId = row.place_id as string
      const isOpen = name !== 'invite' && checkByVisibility(row)(nobodyInParticular)
      return isOpen || reads(actor, placeId) ? placeId : undefined
    }
    return has('userId') ? null : home
  }

  return {
    expect(route, actor, ids, home) {
      const { allow } = route.endpoint
      const who: readonly string[] = table[allow]
      const isOpen = who.includes('anyone')
      if (!isOpen && actor.kind === 'anonymous') return 401
      const placeId = byToken.has(allow) ? null : findPlaceId(route, actor, ids, home)
      if (placeId === undefined) return 404
      if (isOpen) return 'permitted'
      if (actor.kind === 'sourceKey') {
        const isOwn = route.path.includes(':sourceId') && actor.source?.id === ids.sourceId
        if (who.includes('sourceKey') && isOwn) return 'permitted'
      } else {
        if (who.includes('signedIn')) return 'permitted'
        const isSelf =
          (route.path.includes(':userId') && actor.user?.id === ids.userId) ||
          (route.path.includes(':assetsId') && actor.user?.id === ids.assetsId)
        if (who.includes('self') && isSelf) return 'permitted'
        const roles: readonly string[] = rolesFor(allow)
        // Roles count only after giving a reason, and a new place belongs to nobody yet.
        const placelessOperations = ['place.open', 'place.create', 'placeRequest.read', 'placeRequest.answer']
        const subject = placelessOperations.includes(allow) ? null : placeId
        if (listRoles(actor, subject).some((role) => roles.includes(role))) return 'permitted'
        const isAnywhere = actor.memberships.some(({ role }) => role !== null && roles.includes(role))
        if (placeId === null && acrossPlaces.has(allow) && isAnywhere) return 'permitted'
      }
      if (placeId === null) return route.path.includes(':userId') && allow.startsWith('user.') ? 404 : 403
      return knows(actor, placeId) ? 403 : 404
    },
    shows({ path }, actor, ids) {
      // Whether a write key may read its own source as well is no secret either way.
      if (actor.source && actor.source.id === ids.sourceId) return null
      const params = [...path.matchAll(/:(\w+)Id/g)].map(([, name]) => name as string)
      const visible = params.map((noun) => {
        if (!['source', 'page', 'insight', 'collection', 'boundarySet'].includes(noun)) return null
        const row = findRow(noun === 'boundarySet' ? 'boundary_set' : noun, ids[`${noun}Id`])
        if (!row || (params.includes('place') && row.place_id !== ids.placeId)) return false
        return checkByVisibility(row)(actor)
      })
      if (visible.includes(false)) return false
      return visible.length > 0 &&
        visible.every((each) => each === true || each === null) &&
        visible.includes(true)
        ? true
        : null
    },
  }
}

const nobodyInParticular: Actor = {
  kind: 'anonymous',
  user: null,
  memberships: [],
  session: null,
  source: null,
}

function listRoles(
  { user, memberships, opened: openPlaces, session }: Actor,
  placeId: string | null,
): string[] {
  const local = memberships.find((membership) => membership.placeId === placeId)?.role
  const takesReason = user?.role === 'support' || (user?.role === 'super_admin' && session !== null)
  const isOpen = placeId === null || !takesReason || openPlaces?.some((open) => open.placeId === placeId)
  return [...(user?.role && isOpen ? [user.role] : []), ...(local ? [local] : [])]
}

/** Actors for whom row-level security shows the non-public rows of a place. */
function reads(actor: Actor, placeId: string): boolean {
  return (
    actor.source?.placeId === placeId ||
    actor.user?.role === 'super_admin' ||
    listRoles(actor, placeId).length > 0
  )
}

function knows({ user, source, memberships }: Actor, placeId: string): boolean {
  return (
    user?.role != null ||
    source?.placeId === placeId ||
    memberships.some((membership) => membership.placeId === placeId)
  )
}
