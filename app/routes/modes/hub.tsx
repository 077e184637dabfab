import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { Outlet } from '@remix-run/react'
import { HubPage } from '#app/routes/modes/hub-page.tsx'
import { requireMode } from '#app/server/mode.server.ts'

/** The frame of paths that only hubs have. */
export function loader(args: LoaderFunctionArgs) {
  return requireMode('hub', args)
}

export default function HubMode() {
  return (
    <HubPage>
      <Outlet />
    </HubPage>
  )
}
