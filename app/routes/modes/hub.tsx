import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { Outlet } from '@remix-run/react'
import { HubPage } from '#app/routes/modes/hub-page.tsx'
import { onlyIn } from '#app/server/mode.server.ts'

/** The frame of paths that only hubs have. */
export function loader(args: LoaderFunctionArgs) {
  return onlyIn('hub', args)
}

export default function HubMode() {
  return (
    <HubPage>
      <Outlet />
    </HubPage>
  )
}
