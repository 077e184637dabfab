import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/cloudflare'
import { Link, useActionData, useLoaderData } from '@remix-run/react'
import { Internals } from './internals.tsx'
import { Places } from './places.tsx'
import { Users } from './users.tsx'
import { useToast } from '#app/client/use-toast.ts'
import { FormError } from '#app/components/form/form-error.tsx'
import { refusalIn } from '#app/components/form/issues.ts'
import { listQuery, type ListOffer } from '#app/components/list/list-query.ts'
import { PageHead } from '#app/components/shell/page-head.tsx'
import { placeTitle } from '#app/components/shell/page-title.ts'
import { actKeeping } from '#app/server/keeping.server.ts'
import { load } from '#app/server/load.server.ts'
import { publicPlaceUrl } from '#app/server/public-urls.server.ts'
import { guard } from '#app/server/session.server.ts'
import { v1 } from '#functions/v1/index.ts'

const ofPlaces: ListOffer = {
  sorts: {
    name: { label: 'By name', field: 'displayName', direction: 'asc' },
    created: { label: 'Newest first', field: 'createdAt', direction: 'desc' },
  },
}
const ofUsers: ListOffer = {
  sorts: {
    created: { label: 'Newest first', field: 'createdAt', direction: 'desc' },
    name: { label: 'By name', field: 'name', direction: 'asc' },
  },
  filters: { role: ['super_admin', 'support'] },
}

/** One of three lists, by the address: organizations, people, or what runs inside. */
export async function loader(args: LoaderFunctionArgs) {
  const { user } = guard(args, 'superadmin')
  const url = new URL(args.request.url)
  const { ctx } = args.context
  switch (url.searchParams.get('tab')) {
    case 'people': {
      const query = listQuery(url, ofUsers)
      const { users } = await load(args, { users: { endpoint: v1.user.find, options: query.options } })
      return { tab: 'people' as const, query, users: users.results, total: users.meta.total, selfId: user.id }
    }
    case 'internals': {
      const { facts, hubs, domains, origins, builds } = await load(args, {
        facts: v1.internal.find,
        hubs: v1.internal.hubs,
        domains: { endpoint: v1.internal.domains, options: { limit: 200 } },
        origins: v1.internal.origins,
        builds: v1.internal.builds,
      })
      return {
        tab: 'internals' as const,
        facts: facts.results,
        hubs: hubs.results,
        hubsTotal: hubs.meta.total,
        domains: domains.results,
        domainsTotal: domains.meta.total,
        origins: origins.results,
        builds,
      }
    }
    default: {
      const query = listQuery(url, ofPlaces)
      const { places } = await load(args, { places: { endpoint: v1.place.find, options: query.options } })
      return {
        tab: 'places' as const,
        query,
        total: places.meta.total,
        places: places.results.map(({ id, displayName, isHub, createdAt, domain }) => ({
          ...{ id, displayName, isHub, createdAt },
          url: publicPlaceUrl(ctx, { id, domain }),
        })),
      }
    }
  }
}

export function action(args: ActionFunctionArgs) {
  const { internal } = v1
  const nothing = () => undefined
  return actKeeping(args, (given) => ({
    create: { endpoint: v1.place.create, data: () => ({ id: given.id, name: given.name }) },
    role: {
      endpoint: v1.user.updateById,
      params: { userId: given.userId ?? '' },
      data: () => ({ role: given.role || null }),
    },
    unstick: { endpoint: internal.unstick, data: nothing },
    halt: { endpoint: internal.halt, data: nothing },
    hose: { endpoint: internal.hose, data: nothing },
    rerender: { endpoint: internal.rerender, data: nothing },
    refresh: { endpoint: internal.refresh, data: () => (given.after ? { after: given.after } : undefined) },
  }))
}

export const meta = placeTitle('Admin')

const tabs = [
  ['places', 'Organizations'],
  ['people', 'People'],
  ['internals', 'Internals'],
] as const

export default function Admin() {
  const screen = useLoaderData<typeof loader>()
  const outcome = useActionData<typeof action>()
  const refused = refusalIn(outcome)
  const given = outcome && !outcome.ok ? outcome.given : undefined
  const acted = outcome?.ok && 'affected' in outcome.result ? outcome.result : null
  const told = acted?.affected === undefined ? '' : `Done: ${acted.affected} affected, ${acted.left} left.`
  useToast(outcome, {
    create: 'The organization is there. Choose it in the switcher to work in it.',
    role: 'The role is changed.',
    ...{ unstick: told, halt: told, hose: told, refresh: told },
    rerender: `Begun: ${acted?.left ?? 0} left to be rendered.`,
  })
  return (
    <div className="page-wide">
      <PageHead
        title="Admin"
        sub="All organizations, all people, and what runs inside."
        actions={
          <Link className="button" to="/rolesOperations">
            Roles
          </Link>
        }
      />
      <nav className="tabs" aria-label="Admin">
        {tabs.map(([tab, label]) => (
          <Link key={tab} to={`?tab=${tab}`} aria-current={tab === screen.tab ? 'page' : undefined}>
            {label}
          </Link>
        ))}
      </nav>
      {given?.intent === 'create' ? null : <FormError refused={refused} names={[]} />}
      {screen.tab === 'places' ? (
        <Places {...screen} sorts={ofPlaces.sorts} />
      ) : screen.tab === 'people' ? (
        <Users {...screen} sorts={ofUsers.sorts} />
      ) : (
        <Internals {...screen} next={acted?.next ?? null} />
      )}
    </div>
  )
}
