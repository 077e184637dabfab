import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { Link, Outlet, useLoaderData } from '@remix-run/react'
import { Screen } from '#app/components/shell/screen.tsx'
import { Tabs } from '#app/components/shell/tabs.tsx'
import { load } from '#app/server/load.server.ts'
import { hasPermission } from '#app/server/session.server.ts'
import { v1 } from '#functions/v1/index.ts'

export { revalidateTabs as shouldRevalidate } from '#app/client/drafts/client-handlers.ts'

const pending = { filters: { status: 'pending' }, limit: 1 }

/** How many requests for an organization wait; for people who may not see them 0, as their guard sends them away. */
export async function loader(args: LoaderFunctionArgs) {
  if (!hasPermission(args.context.ctx, 'placeRequest.read', null)) return { waiting: 0 }
  const { requests } = await load(args, { requests: { endpoint: v1.placeRequest.find, options: pending } })
  return { waiting: requests.meta.total }
}

/** The head of the super admin screens; each of them has its own guard. */
export default function Admin() {
  const { waiting } = useLoaderData<typeof loader>()
  const tabs = [
    { to: '/admin', label: 'Organizations' },
    { to: '/admin/people', label: 'People' },
    { to: '/admin/requests', label: 'Requests', waiting },
    { to: '/admin/internals', label: 'Internals' },
  ]
  return (
    <Screen
      title="Admin"
      sub="All organizations, all people, and what runs inside."
      actions={
        <Link className="button" to="/rolesOperations">
          Roles
        </Link>
      }
    >
      <Tabs label="Admin" tabs={tabs} />
      <Outlet />
    </Screen>
  )
}
